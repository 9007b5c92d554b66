"""Python's search for unreachable objects, kept short: what lasts as long as the app is not looked at again and again.

A full search goes through every object of the program, and the screen's thread stands still for it: some 80 ms with
all pages made. What is there for good is set aside; the searches that are left see only what has come since.
"""

from __future__ import annotations

import gc


def begin() -> None:
    """The app is up: tidy once, then set aside what is left."""
    gc.collect()
    gc.freeze()


def keep() -> None:
    """What was made just now stays, a page for instance."""
    gc.freeze()


def end() -> None:
    """The app is gone: everything may be looked at again."""
    gc.unfreeze()
