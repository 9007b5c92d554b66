"""From one picture to one reading, a module a game."""
