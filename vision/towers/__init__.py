"""What stands on a board of plots: a camera's pose, towers seen from above, and what changed between two pictures."""
