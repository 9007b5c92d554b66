"""The surface: the command line, and the one place where everything is joined."""
