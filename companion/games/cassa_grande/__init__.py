"""Cassa Grande: cards with digits and commas, laid out together, read by every player from their own side."""
