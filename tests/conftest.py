"""Settings for every test."""

from __future__ import annotations

from hypothesis import settings

# Machines that share their cores are slow now and then; that is no failure of the code.
settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")
