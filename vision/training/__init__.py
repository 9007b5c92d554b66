"""The scripts that made the small networks under `vision/models`: seeded, runnable, with optional dependencies."""
