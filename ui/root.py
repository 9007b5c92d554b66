"""Whether the app was started with sudo, which it must not be."""

from __future__ import annotations

import os
from collections.abc import Mapping

from companion.errors import CompanionError

LENT = ("SUDO_UID", "PKEXEC_UID", "DOAS_USER")
"""Whoever lends a person root's rights leaves that person here."""


class RootError(CompanionError):
    """The app runs with root's rights, on loan from somebody."""


def refuse_sudo(environment: Mapping[str, str] = os.environ, user: int | None = None) -> None:
    """Refuse a person who has taken root's rights to get at the pins; `user` is the effective one's number.

    Under them touch is gone on many desktops (the screen is another user's), and what is written would be root's: the
    next start without them could not write it. A real login as root, as in a container, lends nothing and is let in.

    Raises: RootError.
    """
    is_root = (os.geteuid() if user is None else user) == 0
    lender = next((environment[name] for name in LENT if environment.get(name)), None)
    if is_root and lender not in (None, "0", "root"):
        raise RootError(
            "Started with sudo, the touchscreen and your own files are out of reach: start it without sudo. "
            "For pins and camera, once: sudo usermod -aG gpio,video,input,render $USER, then log in again."
        )
