"""The play: whose turn it is, what to do now, the table from above, and everything that a person can ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.widget import Widget

from companion.intents import Confirm, Control, Intent, Pause, Pressed, Redo, Reject, Resume, Undo
from companion.language import _
from companion.parts import Condition, Part
from companion.view import Question, View
from companion.wording import seat_name
from ui.boards import BOARDS
from ui.boards.board import Board
from ui.desk import now
from ui.screens import wrong
from ui.screens.looking import marks
from ui.screens.page import Page
from ui.screens.saying import clock, said
from ui.widgets import load_rules
from ui.widgets.badge import Band
from ui.widgets.button import Tap
from ui.widgets.dialog import choose, tell
from ui.widgets.preview import Preview

BAND = 0.09
"""The share of the board's height that the band below a turned board takes: it says who sits there."""

BOTH = 1100
"""From this width on, px, a landscape window has room for the board and the camera's picture."""

ROOMY = 230
"""From this width on, px, the side column has room for all buttons."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something to ask for. `first`: it has a button where there is room; `always`: everywhere."""

    text: str
    deed: Callable[[], object]
    enabled: bool = True
    first: bool = False
    always: bool = False


class TablePage(Page):
    """One play under way."""

    seat = NumericProperty(-1)
    named = StringProperty("")
    wide = BooleanProperty(False)
    troubled = BooleanProperty(False)
    left = StringProperty("")
    rolled = BooleanProperty(False)
    turning = BooleanProperty(False)
    looking = BooleanProperty(False)

    def __init__(self, nav: Any, **rest: Any) -> None:
        super().__init__(nav, **rest)
        self.board = Board()
        self._band = Band(size_hint=(1, BAND), pos_hint={"x": 0, "y": 0})
        self._play = ""
        self._rounds = 0
        self._offered = ("", -1)
        self._preview: Preview | None = None
        self._rolls = 0
        self.ids.side.fbind("width", self._fit_actions)
        self.fbind("size", self._fit)
        self._buttons: list[tuple[str, bool]] = []

    def _take_board(self, view: View[Any, Any]) -> None:
        self._play = view.play
        self._rounds = _finished(view)
        self._rolls = len(self.desk.panel.die.rolls)
        self.rolled = False
        self.ids.board_place.clear_widgets()
        self.board = BOARDS[view.game]()
        self.board.put = self.put
        self.board.bind(tray=lambda *_: self._draw_tray(), hint=lambda *_: self._draw_speech())
        self._place()

    def _place(self) -> None:
        """The board, or what the camera sees, into its place."""
        place, beside = self.ids.board_place, self.ids.look_place
        place.clear_widgets()
        beside.clear_widgets()
        self.looking = self._preview is not None and self.wide
        if self._preview is not None:
            (beside if self.wide else place).add_widget(self._preview)
            if not self.wide:
                return
        self.board.pos_hint = {"x": 0, "y": 0 if not self.turning else BAND}
        self.board.size_hint = 1, 1 if not self.turning else 1 - BAND
        place.add_widget(self.board)
        if self.turning:
            place.add_widget(self._band)

    def _fit(self, *_: Any) -> None:
        """Whether there is room for both."""
        wide = self.width >= max(BOTH, self.height)
        if wide != self.wide:
            self.wide = wide
            self._place()
            self._fit_actions()

    def _look(self) -> None:
        """Show what the camera sees: beside the board, or in its place."""
        self._preview = Preview(self.desk, pos_hint={"x": 0, "y": 0})
        self._preview.mark(marks(self._view, self.desk.seen))
        self._preview.start()
        self._place()
        self._fit_actions()

    def _look_away(self) -> None:
        if self._preview is not None:
            self._preview.stop()
            self._preview = None
            self._place()
            self._fit_actions()

    def _turn(self, *, turning: bool) -> None:
        """Let the board lie as whoever is at turn sees it, or as seat A does."""
        self.turning = turning
        self._place()
        self._turn_board()

    def _turn_board(self) -> None:
        turned = self.turning and self.seat >= 0
        self._band.seat = max(0, self.seat)
        self._band.named = self.named
        self.board.turn = int(self.seat) % 4 if turned else 0

    def on_pre_leave(self, *_args: Any) -> None:
        """The camera's picture is for this page alone."""
        if self._preview is not None:
            self._preview.stop()

    def on_pre_enter(self, *_args: Any) -> None:
        """Go on where it was left."""
        if self._preview is not None:
            self._preview.start()

    def tick(self) -> None:
        """The clock of a turn, and the die."""
        view = self.nav.view
        if view is not None:
            left_s = view.times.left_s
            self.left = "" if left_s is None else clock(left_s)
        die = self.desk.panel.die
        self.rolled = len(die.rolls) > self._rolls
        if self.rolled:
            self.ids.die.pattern = die.shows(now().monotonic_s)

    def put(self, intent: Intent[Any]) -> None:
        """Into the inbox."""
        self.desk.put(intent)

    def show(self, view: View[Any, Any] | None, parts: tuple[Part, ...]) -> None:
        """Draw the play as it stands."""
        if view is None:
            return
        self._view, self._parts = view, parts
        if view.play != self._play:
            self._take_board(view)
        self.seat = view.to_act[0] if view.to_act else -1
        self.named = seat_name(view.to_act[0], view.names) if view.to_act else _("All together")
        self.troubled = any(part.condition in (Condition.BUSY, Condition.FAILED) for part in parts)
        self._turn_board()
        if self._preview is not None:
            self._preview.mark(marks(view, self.desk.seen))
        self.board.hints, self.board.pays = self.desk.hints, self.desk.hints and self.desk.pays
        self.board.disabled = view.times.paused
        self.board.show(view)
        self.ids.scores.show(view)
        self._draw_speech()
        self._draw_tray()
        self._fit_actions()
        rounds, self._rounds = self._rounds, _finished(view)
        if self._rounds > rounds:
            self.nav.open("result")
        elif (seen := self.desk.seen) is not None and seen.review is not None:
            self._offer_review(view)

    def _offer_review(self, view: View[Any, Any]) -> None:
        """The photographed grid comes up by itself once: who has come back from it wants to stay."""
        if self._offered != (view.play, view.revision):
            self._offered = view.play, view.revision
            self.nav.open("review")

    def _draw_speech(self) -> None:
        self.ids.speech.say(list(said(self._view, self.board.hint, self.board.beside)))

    def _draw_tray(self) -> None:
        place = self.ids.tray
        place.clear_widgets()
        view = self._view
        if view.times.paused:
            place.add_widget(Tap(_("Go on"), lambda: self.put(Resume()), kind="primary"))
        elif view.question is not None:
            for widget in self._answers(view.question):
                place.add_widget(widget)
        elif self.board.tray is not None:
            if self.board.tray.parent is not None:
                self.board.tray.parent.remove_widget(self.board.tray)
            place.add_widget(self.board.tray)
        elif view.over:
            place.add_widget(Tap(_("Result"), lambda: self.nav.open("result"), kind="primary"))
        if view.message is not None and view.message.agree is not None:
            place.add_widget(Tap(_("We play it this way"), partial(self.put, view.message.agree)))

    def _answers(self, question: Question[Any]) -> Iterator[Widget]:
        answers = [partial(self.put, Confirm(question.revision, n)) for n in range(len(question.proposal.options))]
        none = partial(self.put, Reject(question.revision))
        match len(answers):
            case 0:
                yield Tap(_("Understood"), none, kind="primary")
            case 1:
                yield Tap(_("Confirm"), answers[0], kind="primary")
                yield Tap(_("No"), none, kind="quiet")
            case 2:
                yield from map(Tap, question.sentences, answers)
                yield Tap(_("None of these"), none, kind="quiet")
            case _:
                # More have no room beside the board.
                choices = [*zip(question.sentences, answers, strict=True), (_("None of these"), none)]
                yield Tap(_("Choose"), partial(choose, _("Which of these was it?"), choices), kind="primary")

    def _fit_actions(self, *_args: Any) -> None:
        """The buttons that fit; the rest is under More."""
        if not self._play:
            return
        roomy = self.ids.side.width >= ROOMY
        shown = [action for action in self._actions() if (action.first if roomy else action.always)]
        buttons = [(action.text, action.enabled) for action in shown]
        if buttons == self._buttons:
            return
        self._buttons = buttons
        place = self.ids.actions
        place.clear_widgets()
        for action in shown:
            place.add_widget(Tap(action.text, action.deed, disabled=not action.enabled))
        place.add_widget(Tap(_("More"), self._more))

    def _actions(self) -> Iterator[Action]:
        view, simulated = self._view, self.desk.simulated
        yield Action(_("Undo"), partial(self.put, Undo()), enabled=view.undoable > 0, first=True, always=True)
        yield Action(_("Redo"), partial(self.put, Redo()), enabled=view.redoable > 0, first=True)
        if simulated is not None:
            yield Action(_("Lay a card"), simulated.play, enabled=simulated.can_play, first=True)
            yield Action(_("The drawn table"), self._ask_simulated)
        if self.desk.has_camera:
            yield Action(_("Photograph"), partial(self._press, Control.PHOTOGRAPH), first=True)
            if self._preview is None:
                yield Action(_("Camera"), self._look)
            elif self.looking:
                yield Action(_("Hide the camera's picture"), self._look_away)
            else:
                yield Action(_("Board"), self._look_away, first=True, always=True)
            seen = self.desk.seen
            if seen is not None and seen.review is not None:
                yield Action(_("Review"), partial(self.nav.open, "review"), first=True)
            yield Action(_("This was wrong"), partial(wrong.keep, self.desk, seen), enabled=seen is not None)
        if self.turning:
            yield Action(_("Leave the board as A sees it"), partial(self._turn, turning=False))
        else:
            yield Action(_("Turn the board to whoever plays"), partial(self._turn, turning=True))
        yield Action(_("Roll the die"), partial(self._press, Control.ROLL))
        if not view.times.paused:
            yield Action(_("Pause"), partial(self.put, Pause()), enabled=not view.over, first=True)

    def _press(self, control: Control) -> None:
        self.put(Pressed(control, now().monotonic_s))

    def _more(self) -> None:
        # What has a button of its own is not said twice.
        shown = {tap.text for tap in self.ids.actions.children}
        hidden = [action for action in self._actions() if action.enabled and action.text not in shown]
        choices = [(action.text, action.deed) for action in hidden]
        choices += self.board.ways()
        if any(sheet.lines for sheet in self._view.sheets):
            choices.append((_("Scores"), partial(self.nav.open, "result")))
        choices.append((_("Parts"), self.tell_parts))
        choices.append((_("Home"), self.leave))
        choose(_("What now?"), choices)

    def _ask_simulated(self) -> None:
        """What may go wrong at a table, to be tried out on the drawn one."""
        simulated = self.desk.simulated
        if simulated is not None:
            choices = [(switch.text, switch.deed) for switch in simulated.switches if switch.enabled]
            choose(_("What happens there?"), choices, simulated.help)

    def tell_parts(self) -> None:
        """How everything beneath the screen is."""
        troubles = [part.sentence for part in self._parts if part.condition is not Condition.OK and part.sentence]
        tell(_("Parts of the table"), "\n\n".join(troubles) or _("All parts are well."))

    def leave(self) -> None:
        """Home; the play is kept and can go on at any time."""
        self._look_away()
        self.desk.lay_aside()
        self._play = ""
        self.nav.open("home")


def _finished(view: View[Any, Any]) -> int:
    """How many sheets nothing is added to any more."""
    return sum(bool(sheet.lines) and not sheet.running for sheet in view.sheets)


load_rules(__file__)
