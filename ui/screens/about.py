"""About this companion: its version, where its data lies, and what the doctor finds."""

from __future__ import annotations

import platform
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cv2
import kivy

from companion.errors import CompanionError
from companion.language import _
from ui.background import in_background
from ui.checks.finding import Finding, Level
from ui.checks.gpiochip import Chip, read_chips
from ui.checks.machine import Machine
from ui.doctor import examine, summary
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.text import Paragraph

PACKAGE = "table-companion"


class AboutPage(Page):
    """Facts, and what is to be mended."""

    def opened(self, **_details: Any) -> None:
        """Say what is known, and have the doctor look."""
        self.ids.lines.clear_widgets()
        self._say(_("Table Companion {version}").format(version=version(PACKAGE)), bold=True)
        self._say(", ".join(f"{name} {number}" for name, number in _versions().items()))
        folder = self.desk.store.database.path.parent
        self._say(_("Plays, photographs and backups lie in {folder}.").format(folder=folder))
        own = self.nav.settings.own
        if own is not None:
            self._say(_("Settings lie in {path}.").format(path=own))
        self._looking = self._say(_("Looking whether all is well..."))
        in_background(lambda: examine(Machine(chips=_others), _there(own)), self._found, self._failed)

    def _say(self, text: str, **rest: Any) -> Paragraph:
        line = Paragraph(text=text, **rest)
        self.ids.lines.add_widget(line)
        return line

    def _found(self, findings: list[Finding]) -> None:
        self._looking.text = summary(findings)
        for finding in findings:
            if finding.level is not Level.OK:
                self._say(f"! {finding.sentence} {finding.fix}".strip())

    def _failed(self, error: CompanionError) -> None:
        self._looking.text = str(error)


def _versions() -> dict[str, str]:
    return {
        "Python": platform.python_version(),
        "Kivy": kivy.__version__,
        "OpenCV": cv2.__version__,
        platform.system(): platform.release(),
    }


def _there(own: Path | None) -> Path | None:
    """The owner's file once there is one: the doctor would miss any other that is named."""
    return own if own is not None and own.exists() else None


def _others(root: Path) -> list[Chip]:
    """The chips without what drives pins from a program, which is this one: of two, the second would not start."""
    return [replace(chip, users=_without_programs(chip.users)) for chip in read_chips(root)]


def _without_programs(users: dict[int, str] | None) -> dict[int, str] | None:
    return users and {pin: user for pin, user in users.items() if not user.startswith("lg")}


load_rules(__file__)
