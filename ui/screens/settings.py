"""Settings: what people may change at the table, and the ways to trying out, backups and switching off."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from kivy.core.window import Window

from companion.errors import CompanionError
from companion.language import _
from ui import catalogues
from ui.background import in_background
from ui.backlight import backlight, refusal, shine
from ui.backup import FOLDER, back_up, newest
from ui.desk import now
from ui.power import restart, switch_off
from ui.screens.exporting import ask_where
from ui.screens.page import Page
from ui.screens.restoring import ask_which
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.choices import Ask, Toggle
from ui.widgets.dialog import ask_hold, choose
from ui.widgets.panel import Row
from ui.widgets.text import Paragraph

LIMITS_S = (0, 30, 60, 120, 300)
BLANKS_MIN = (0, 5, 15, 60)
BRIGHTNESSES = (25, 50, 75, 100)


class SettingsPage(Page):
    """One question below the other; every answer holds at once."""

    def opened(self, **_details: Any) -> None:
        """Show what holds now."""
        place = self.ids.place
        place.clear_widgets()
        self._ask = Ask()
        place.add_widget(self._ask)
        self._ways()
        self._about_play()
        self._about_screen()

    def _ways(self) -> None:
        self._taps((_("Camera"), partial(self.nav.open, "camera")), (_("Buttons"), partial(self.nav.open, "wiring")))
        self._taps((_("Backup"), self._back_up), (_("About"), partial(self.nav.open, "about")))
        self._taps((_("Switch off"), self._ask_power))

    def _taps(self, *ways: tuple[str, Callable[[], object]]) -> None:
        row = Row(size_hint_y=None)
        row.bind(minimum_height=row.setter("height"))
        for text, deed in ways:
            row.add_widget(Tap(text, deed))
        self._ask.ids.questions.add_widget(row)

    def _about_play(self) -> None:
        self._toggle(
            "play", "auto_confirm", _("Take what is certain"), _("What the camera is sure of is not asked about.")
        )
        self._toggle("screen", "hints", _("Hints"), _("What may be done is marked on the board."))
        self._toggle("screen", "pays", _("Hints with pay"), _("Hints say what a move would pay."))
        self._toggle(
            "data", "photographs", _("Photographs by turn"), _("The picture of each confirmed turn is kept here.")
        )
        limits = [(str(limit), _time(limit)) for limit in self._with_present(LIMITS_S, "play", "turn_limit_s")]
        self._one_of("play", "turn_limit_s", _("Time for a turn"), limits)

    def _about_screen(self) -> None:
        words = {catalogues.AUTO: _("As the system"), **catalogues.LANGUAGES}
        self._one_of("screen", "language", _("Language"), list(words.items()), self._speak)
        minutes = self._with_present(BLANKS_MIN, "screen", "blank_after_min")
        blanks = [(str(blank), _("{count} min").format(count=blank) if blank else _("Never")) for blank in minutes]
        self._one_of("screen", "blank_after_min", _("The screen goes dark without a touch"), blanks)
        self._about_brightness(backlight())
        width, height = Window.size
        size = _("The screen has {width} by {height} pixels; the system turns and sizes it.")
        self._say(size.format(width=round(width), height=round(height)))

    def _about_brightness(self, device: Path | None) -> None:
        if device is None:
            self._say(_("Set the brightness on the screen itself."))
        elif sentence := refusal(device):
            self._say(sentence)
        else:
            shades = [(str(shade), _("{count} %").format(count=shade)) for shade in BRIGHTNESSES]
            self._one_of("screen", "brightness", _("Brightness"), shades, partial(self._shine, device))

    def _say(self, sentence: str) -> None:
        self._ask.ids.questions.add_widget(Paragraph(text=sentence))

    def _with_present(self, offered: Sequence[int], table: str, key: str) -> list[int]:
        """The answers on offer, and the one that holds: the file may say anything."""
        return sorted({*offered, self.nav.settings.get(table, key)})

    def _toggle(self, table: str, key: str, text: str, told: str) -> None:
        def flip() -> None:
            if not self._change(table, key, toggle.on):
                toggle.on = not toggle.on

        toggle = Toggle(flip, text=text, told=told, on=self.nav.settings.get(table, key))
        self._ask.add(toggle)

    def _one_of(
        self,
        table: str,
        key: str,
        question: str,
        answers: Sequence[tuple[str, str]],
        after: Callable[[], object] | None = None,
    ) -> None:
        present = self.nav.settings.get(table, key)

        def take(value: str) -> None:
            if self._change(table, key, type(present)(value)) and after is not None:
                after()

        self._ask.one_of(question, answers, str(present), take)

    def _change(self, table: str, key: str, value: object) -> bool:
        try:
            self.nav.settings.change(table, key, value)
        except CompanionError as error:
            self.tell(error)
            return False
        return True

    def _speak(self) -> None:
        wanted = self.nav.settings.get("screen", "language")
        self.nav.speak(catalogues.wanted(wanted, os.environ))

    def _shine(self, device: Path) -> None:
        try:
            shine(device, self.nav.settings.get("screen", "brightness"))
        except CompanionError as error:
            self.tell(error)

    def _back_up(self) -> None:
        # A stick may take its time to answer.
        in_background(partial(newest, self.desk.store.database.path.parent / FOLDER), self._ask_backup, self.tell)

    def _ask_backup(self, last: datetime | None) -> None:
        told = _("There is no backup yet.")
        if last is not None:
            told = _("The newest backup is of {when}.").format(when=f"{last:%d.%m.%Y %H:%M}")
        photographs = self.desk.photographs.folder
        choices = [
            (_("Back up the plays"), partial(self._write_backup, None)),
            (_("Plays and photographs"), partial(self._write_backup, photographs)),
            (_("Bring plays back"), partial(ask_which, self.desk)),
        ]
        choose(_("Backup"), choices, told)

    def _write_backup(self, photographs: Path | None) -> None:
        store, wall = self.desk.store, now().wall
        ask_where(self.desk, lambda folder: back_up(store, folder, wall, photographs), own=FOLDER)

    def _ask_power(self) -> None:
        choose(
            _("Switch off"),
            [
                (_("Switch the computer off"), partial(self._ask_sure, _("Switch off now?"), switch_off)),
                (_("Start it again"), partial(self._ask_sure, _("Start again now?"), restart)),
            ],
            _("Every entry is kept already."),
        )

    def _ask_sure(self, question: str, deed: Callable[[], None]) -> None:
        ask_hold(question, _("Hold the button for a second."), _("Yes, now"), partial(self._power, deed))

    def _power(self, deed: Callable[[], None]) -> None:
        self.desk.lay_aside()
        in_background(deed, lambda _done: self.nav.end(), self.tell)


def _time(limit_s: int) -> str:
    if not limit_s:
        return _("None")
    return _("{count} s").format(count=limit_s) if limit_s % 60 else _("{count} min").format(count=limit_s // 60)


load_rules(__file__)
