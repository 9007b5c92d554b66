"""Before a play: the game, who sits where, which variants and house rules hold, how many rounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.widget import Widget

from companion.errors import CompanionError
from companion.games import GAMES
from companion.language import _, counted
from companion.records import players
from companion.rules import Seat, write_seat
from ui.screens.page import Page
from ui.setups import SETUPS
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.choices import Ask, Toggle
from ui.widgets.dialog import choose
from ui.widgets.keyboard import Keyboard
from ui.widgets.seating import Seating

STEPS = ("game", "seats", "variants", "house")


class SetupPage(Page):
    """Four steps, of which those without a question are left out."""

    heading = StringProperty("")
    step = NumericProperty(0)
    last = BooleanProperty(False)

    def opened(self, **_details: Any) -> None:
        """Begin with the first step; the names of the last time stay."""
        if not hasattr(self, "names"):
            self.names: dict[Seat, str] = {}
            self._take_game(next(iter(SETUPS)))
        self._steps = [name for name in STEPS if self._has(name)]
        self.step = 0
        self._draw()

    def _take_game(self, name: str) -> None:
        self.game, self.words = GAMES[name], SETUPS[name]
        self.count = self.words.usual_players
        self.variants: set[str] = set()
        self.answers: dict[str, str] = {}
        self.rounds = 1

    def _has(self, step: str) -> bool:
        match step:
            case "game":
                return len(SETUPS) > 1
            case "variants":
                return bool(self.words.variants)
            case "house":
                return bool(self.words.house_rules) or self.words.most_rounds > 1
        return True

    def back(self) -> None:
        """One step back, or home."""
        if self.step == 0:
            self.nav.open("home")
        else:
            self.step -= 1
            self._draw()

    def next(self) -> None:
        """One step on, or begin."""
        if self.step + 1 < len(self._steps):
            self.step += 1
            self._draw()
        else:
            self._begin()

    def _begin(self) -> None:
        lines = {"players": str(self.count), **{key: value for key, value in self.answers.items() if value}}
        if self.variants:
            lines["variants"] = " ".join(sorted(self.variants))
        if self.rounds > 1:
            lines["rounds"] = str(self.rounds)
        seats = self.words.seats[self.count]
        try:
            setup = self.game.rules.read_setup(lines)
            self.desk.begin(self.game, setup, {seat: self.names[seat] for seat in seats if self.names.get(seat)})
        except CompanionError as error:
            self.tell(error)
        else:
            self.nav.open("table")

    def _draw(self) -> None:
        step = self._steps[int(self.step)]
        self.last = self.step + 1 == len(self._steps)
        place = self.ids.place
        place.clear_widgets()
        draw: dict[str, tuple[str, Callable[[], Widget]]] = {
            "game": (_("Which game?"), self._games),
            "seats": (_("Who sits where?"), self._seats),
            "variants": (_("Which variants?"), self._variants),
            "house": (_("Rounds and house rules"), self._house),
        }
        self.heading, widget = draw[step]
        place.add_widget(widget())

    def _games(self) -> Widget:
        asked = Ask()
        for name, words in SETUPS.items():
            deed = partial(self._game_taken, name)
            asked.add(Toggle(deed, text=GAMES[name].title, told=words.summary(), on=name == self.game.name))
        return asked

    def _game_taken(self, name: str) -> None:
        self._take_game(name)
        self._steps = [step for step in STEPS if self._has(step)]
        self._draw()

    def _seats(self) -> Widget:
        seating = Seating(self.words.seats[self.count], self.names, self._ask_name)
        if len(self.words.seats) > 1:
            for count in self.words.seats:
                text = counted("{count} player", "{count} players", count)
                tap = Tap(text, partial(self._set_count, count), chosen=count == self.count)
                seating.ids.counts.add_widget(tap)
        return seating

    def _set_count(self, count: int) -> None:
        self.count = count
        self._draw()

    def _ask_name(self, seat: Seat) -> None:
        """Those who have played before are offered; a new name is typed."""
        try:
            known = players(self.desk.store)
        except CompanionError as error:
            self.tell(error)
            return
        seated = set(self.names.values())
        offered = [(name, partial(self._seat, seat, name)) for name in known if name not in seated]
        if not offered:
            self._type_name(seat)
            return
        more = [(_("New name"), partial(self._type_name, seat)), *offered]
        if self.names.get(seat):
            more.append((_("Nobody's name"), partial(self._seat, seat, "")))
        choose(_("Who sits at {seat}?").format(seat=write_seat(seat)), more)

    def _type_name(self, seat: Seat) -> None:
        title = _("Name at seat {seat}").format(seat=write_seat(seat))
        Keyboard(lambda name: self._seat(seat, name), title=title).show()

    def _seat(self, seat: Seat, name: str) -> None:
        self.names[seat] = name
        self._draw()

    def _variants(self) -> Widget:
        asked = Ask()
        for variant in self.words.variants:
            deed = partial(self.variants.symmetric_difference_update, (variant.key,))
            asked.add(Toggle(deed, text=variant.name(), told=variant.rule(), on=variant.key in self.variants))
        return asked

    def _house(self) -> Widget:
        asked = Ask()
        if self.words.most_rounds > 1:
            asked.count(_("Rounds"), self.rounds, self.words.most_rounds, self._set_rounds)
        for rule in self.words.house_rules:
            usual = rule.answers[0][0]
            answers = tuple((value, words()) for value, words in rule.answers)
            taken = self.answers.get(rule.key, usual)
            asked.one_of(rule.question(), answers, taken, partial(self._set, rule.key))
        return asked

    def _set_rounds(self, rounds: int) -> None:
        self.rounds = rounds

    def _set(self, key: str, value: str) -> None:
        self.answers[key] = value


load_rules(__file__)
