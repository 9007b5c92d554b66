"""The rules of the table: pure Python, standard library only."""
