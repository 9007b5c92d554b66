"""From light to beliefs: a photograph in, a reading out."""
