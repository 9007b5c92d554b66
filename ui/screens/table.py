"""The play: whose turn it is, what to do now, the table from above, and everything that a person can ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.widget import Widget

from companion.intents import Confirm, Control, Intent, Pause, Pressed, Redo, Reject, Resume, Undo
from companion.parts import Condition, Part
from companion.view import Question, Tone, View
from companion.wording import seat_name
from ui.boards import BOARDS
from ui.boards.board import Board
from ui.desk import now
from ui.language import _
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.dialog import choose, tell
from ui.widgets.speech import Said

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
    wide = BooleanProperty(True)
    troubled = BooleanProperty(False)

    def __init__(self, nav: Any, **rest: Any) -> None:
        super().__init__(nav, **rest)
        self.board = Board()
        self._play = ""
        self._rounds = 0
        self.ids.side.fbind("width", self._fit_actions)
        self._buttons: list[tuple[str, bool]] = []

    def _take_board(self, view: View[Any, Any]) -> None:
        self._play = view.play
        self._rounds = _finished(view)
        self.ids.board_place.clear_widgets()
        self.board = BOARDS[view.game]()
        self.board.pos_hint = {"x": 0, "y": 0}
        self.board.put = self.put
        self.board.bind(tray=lambda *_: self._draw_tray(), hint=lambda *_: self._draw_speech())
        self.ids.board_place.add_widget(self.board)

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
        self.board.disabled = view.times.paused
        self.board.show(view)
        self.ids.scores.show(view)
        self._draw_speech()
        self._draw_tray()
        self._fit_actions()
        rounds, self._rounds = self._rounds, _finished(view)
        if self._rounds > rounds:
            self.nav.open("result")

    def _draw_speech(self) -> None:
        """One thing at a time: what was refused, what is asked, what the hands must do, else what to do now."""
        view = self._view
        hint = self.board.hint
        said: list[tuple[str, str]] = []
        if view.message is not None:
            said.append((view.message.sentence, "told" if view.message.tone is Tone.TOLD else "refused"))
        if view.times.paused:
            said.append((_("Paused: all clocks stand."), "now"))
        elif view.question is not None:
            said += [(sentence, "now") for sentence in _asked(view.question)]
        else:
            said += [(sentence, "now") for sentence in view.hands]
            said.append((view.prompt, "now" if not view.hands else "beside"))
            said += [(hint, "now")] if hint else []
        said += [(sentence, "beside") for sentence in (view.sighting, *view.happened) if sentence]
        self.ids.speech.say([Said(sentence, tone) for sentence, tone in said])

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
        view, game, simulated = self._view, self.desk.game, self.desk.simulated
        yield Action(_("Undo"), partial(self.put, Undo()), enabled=view.undoable > 0, first=True, always=True)
        yield Action(_("Redo"), partial(self.put, Redo()), enabled=view.redoable > 0, first=True)
        if simulated is not None:
            yield Action(_("Lay a card"), simulated.play, enabled=simulated.can_play, first=True)
        if self.desk.has_camera:
            yield Action(_("Photograph"), partial(self._press, Control.PHOTOGRAPH), first=True)
        rolls = game is not None and game.roll is not None
        yield Action(_("Roll the die"), partial(self._press, Control.ROLL), first=rolls)
        if not view.times.paused:
            yield Action(_("Pause"), partial(self.put, Pause()), enabled=not view.over, first=True)

    def _press(self, control: Control) -> None:
        self.put(Pressed(control, now().monotonic_s))

    def _more(self) -> None:
        # What has a button of its own is not said twice.
        shown = {tap.text for tap in self.ids.actions.children}
        hidden = [action for action in self._actions() if action.enabled and action.text not in shown]
        choices = [(action.text, action.deed) for action in hidden]
        if _finished(self._view):
            choices.append((_("Scores"), partial(self.nav.open, "result")))
        choices.append((_("Parts"), self.tell_parts))
        choices.append((_("Home"), self.leave))
        choose(_("What now?"), choices)

    def tell_parts(self) -> None:
        """How everything beneath the screen is."""
        troubles = [part.sentence for part in self._parts if part.condition is not Condition.OK and part.sentence]
        tell(_("Parts of the table"), "\n\n".join(troubles) or _("All parts are well."))

    def leave(self) -> None:
        """Home; the play is kept and can go on at any time."""
        self.desk.lay_aside()
        self._play = ""
        self.nav.open("home")


def _finished(view: View[Any, Any]) -> int:
    """How many sheets have lines."""
    return sum(bool(sheet.lines) for sheet in view.sheets)


def _asked(question: Question[Any]) -> list[str]:
    proposal = question.proposal
    asked = list(question.sentences) if len(proposal.options) == 1 else []
    if len(proposal.options) > 1:
        asked.append(_("Which of these was it?"))
    return [*asked, *([proposal.reason] if proposal.reason else [])]


load_rules(__file__)
