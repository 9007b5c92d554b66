"""Switching the computer off or starting it again, through the system's own service."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from typing import Any

from companion.errors import CompanionError, brief
from companion.language import _

LIMIT_S = 10.0

Run = Callable[..., Any]


class PowerError(CompanionError):
    """The computer stays on."""


def switch_off(run: Run = subprocess.run) -> None:
    """Shut the computer down. Raises: PowerError."""
    _ask("poweroff", run)


def restart(run: Run = subprocess.run) -> None:
    """Start the computer again. Raises: PowerError."""
    _ask("reboot", run)


def _ask(verb: str, run: Run) -> None:
    program = shutil.which("systemctl")
    if program is None:
        raise PowerError(_("This system cannot be switched off from here: use its own menu."))
    try:
        # Nobody could type a password on this screen.
        command = [program, "--no-ask-password", verb]
        done = run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PowerError(_refused(str(error))) from error
    if done.returncode != 0:
        raise PowerError(_refused(done.stderr))


def _refused(reason: str) -> str:
    return _("The system refuses ({reason}): use its own menu.").format(reason=brief(reason.strip() or "?", 80))
