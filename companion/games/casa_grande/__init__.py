"""Casa Grande: towers, platforms, money, a bonus scale."""
