"""One play in progress: intents and readings in, entries kept, a view out.

An entry is on disk before anything shows it. What cannot be kept is not taken, and the question that asked for it
stays open. Everything that may go wrong in playing becomes a message in the view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from companion import wording
from companion.asking import asked, goes_unasked, in_vain, is_undone, playable
from companion.clock import Moment, Stopwatch, counted
from companion.errors import StoreError
from companion.game import Game
from companion.intents import (
    PIPS,
    Adjust,
    Amend,
    Confirm,
    Control,
    Intent,
    Make,
    Notice,
    Pause,
    Pressed,
    Redo,
    Reject,
    Resume,
    Rolled,
    Undo,
)
from companion.journal import (
    Adjusted,
    Entry,
    Journal,
    Played,
    Standing,
    Undone,
    sheets,
    stand,
)
from companion.kept import Kept
from companion.rules import Refusal
from companion.score import ScoreSheet
from companion.sight import Match, Reading
from companion.telling import Telling
from companion.view import Message, Question, Tone, View

MoveT = TypeVar("MoveT")
StateT = TypeVar("StateT")
SetupT = TypeVar("SetupT")

HANDS_S = 5.0
"""So long after an undo, what was undone and still lies on the table is not asked again: hands need their time."""

UNSEEN_S = 0.3
"""A button pressed sooner than this after a question came up was not an answer to it."""


class Keeping(Protocol):
    """Where entries are kept: `companion.store.Store`. Each call is on disk when it returns, or raises StoreError."""

    def append(self, play: str, number: int, kept: Sequence[Kept[Any]], result: ScoreSheet | None = None) -> None:
        """Keeps all entries or none; with a result the play is finished, without it is not (any more)."""
        ...

    def rolled(self, play: str | None, pips: int, source: str, wall: datetime) -> None:
        """Logs a roll of the die."""
        ...


@dataclass(frozen=True, slots=True)
class Manners:
    """Settings of the table. `auto_confirm` takes a clear proposal without asking."""

    auto_confirm: bool = False


class Session(Generic[SetupT, StateT, MoveT]):
    """One play. For one thread.

    `kept` are the journal's entries as the store had them, one for each of `journal.entries`.
    """

    def __init__(
        self,
        game: Game,
        play: str,
        journal: Journal[SetupT, MoveT],
        store: Keeping,
        now: Moment,
        kept: Sequence[Kept[MoveT]] = (),
        manners: Manners | None = None,
    ) -> None:
        self.play = play
        self._game, self._rules, self._store, self._manners = game, game.rules, store, manners or Manners()
        self._journal = journal
        self._telling = Telling(game, journal.names)
        self._kept = tuple(kept)
        self._standing, self.refused = stand(self._rules, journal)
        self._watch = Stopwatch(now.monotonic_s)
        self._question: Question[MoveT] | None = None
        self._rejected: tuple[tuple[MoveT, ...], ...] = ()
        self._hands: tuple[str, ...] = ()
        self._put_back = True
        self._undone_s = -math.inf
        self._message: Message | None = None
        self._told = 0
        self._sighting = ""
        self._drawn = self._draw(now)

    @property
    def journal(self) -> Journal[SetupT, MoveT]:
        """All that was put in."""
        return self._journal

    @property
    def revision(self) -> int:
        """The journal's length."""
        return self._journal.revision

    @property
    def state(self) -> StateT:
        """Where the play stands."""
        state: StateT = self._standing.state
        return state

    @property
    def question(self) -> Question[MoveT] | None:
        """What waits for an answer."""
        return self._question

    def handle(self, intent: Intent[MoveT], now: Moment) -> None:
        """Take one intent out of the inbox."""
        match intent:
            case Make(move):
                self._put((Played(move),), now)
            case Amend(number, move):
                self._amend(number, move, now)
            case Undo(steps):
                self._put((Undone(),) * max(1, min(steps, self._standing.undoable)), now)
            case Redo(steps):
                self._redo(steps, now)
            case Adjust(seat, points, reason):
                self._put((Adjusted(seat, points, reason),), now)
            case Rolled():
                self._rolled(intent, now)
            case Notice(sentence):
                self._tell(Tone.TOLD, sentence)
            case Pause() | Resume():
                stop = isinstance(intent, Pause)
                self._watch = self._watch.stopped(now) if stop else self._watch.started(now)
            case Confirm() | Reject() | Pressed():
                self._answered(intent, now)

    def _answered(self, intent: Confirm | Reject | Pressed, now: Moment) -> None:
        match intent:
            case Confirm(revision, option):
                self._confirm(revision, option, now)
            case Reject(revision):
                self._reject(revision)
            case Pressed():
                self._pressed(intent, now)

    def see(self, reading: Reading, revision: int, now: Moment) -> None:
        """Take what the camera saw of the table as it stood at a revision; a reading of another one is dropped."""
        if revision != self.revision:
            return
        proposal = playable(self._rules, self.state, self._game.propose(self.state, reading))
        self._sighting = proposal.reason or "" if proposal.match is Match.UNREADABLE else ""
        if proposal.match is Match.UNREADABLE:
            return
        if proposal.match is Match.SETTLED:
            self._question, self._rejected, self._put_back = None, (), True
            return
        if proposal.options and asked(proposal) == self._rejected:
            return
        if is_undone(proposal, self._standing) and now.monotonic_s < self._undone_s + HANDS_S and not self._put_back:
            return
        if self._question is None or self._question.proposal != proposal:
            again = self._question is not None and asked(self._question.proposal) == asked(proposal)
            since = self._question.since_s if self._question is not None and again else now.monotonic_s
            self._question = Question(revision, proposal, self._telling.options(self.state, proposal), since)
        if self._manners.auto_confirm and goes_unasked(proposal, self._standing):
            self._confirm(revision, 0, now)

    def view(self, now: Moment) -> View[StateT, MoveT]:
        """The play as a screen draws it. Cheap enough to be asked for thirty times a second."""
        return replace(
            self._drawn,
            hands=self._hands,
            put_back=self._put_back,
            times=self._counted.at(self._watch, now),
            question=self._question,
            message=self._message,
            sighting=self._sighting,
        )

    def _draw(self, now: Moment) -> View[StateT, MoveT]:
        """All that changes with the journal alone."""
        rules, seats, standing = self._rules, self._rules.seats(self._journal.setup), self._standing
        self._counted = counted(seats, rules.to_act, standing, self._kept)
        return View(
            play=self.play,
            game=self._game.name,
            names=dict(self._journal.names),
            seats=seats,
            revision=self.revision,
            state=standing.state,
            to_act=rules.to_act(standing.state),
            over=self._over(standing),
            prompt=self._telling.prompt(standing.state),
            happened=self._telling.events(standing.steps[-1].events),
            hands=(),
            put_back=True,
            sheets=sheets(rules, standing),
            history=self._telling.history(standing),
            undoable=standing.undoable,
            redoable=len(standing.taken_back),
            times=self._counted.at(self._watch, now),
            question=None,
            message=None,
            sighting="",
        )

    def _put(self, entries: Sequence[Entry[MoveT]], now: Moment) -> bool:
        """Keep entries and show them, all or none. Returns whether they hold."""
        journal = replace(self._journal, entries=(*self._journal.entries, *entries))
        standing, refused = stand(self._rules, journal, self._standing)
        if refused is not None:
            self._refuse(refused.refusal)
            return False
        spent = [self._watch.seconds(now), *(0.0 for _ in entries[1:])]
        kept = tuple(Kept(entry, now.wall, spent_s) for entry, spent_s in zip(entries, spent, strict=True))
        result = sheets(self._rules, standing)[-1] if self._over(standing) else None
        try:
            self._store.append(self.play, self.revision, kept, result)
        except StoreError as error:
            self._tell(Tone.FAILED, str(error))
            return False
        turned_back = isinstance(entries[0], Undone)
        self._hands = self._telling.hands(self.state, standing.state) if turned_back else ()
        self._put_back, self._undone_s = not turned_back, now.monotonic_s if turned_back else -math.inf
        self._journal, self._standing, self._kept = journal, standing, (*self._kept, *kept)
        self._watch = Stopwatch(now.monotonic_s)
        self._drawn = self._draw(now)
        self._question, self._rejected, self._message, self._sighting = None, (), None, ""
        return True

    def _redo(self, steps: int, now: Moment) -> None:
        again = self._standing.taken_back[-max(1, steps) :][::-1]
        if not again:
            self._refuse(Refusal("nothing_to_redo"))
            return
        before = self.state
        if self._put(again, now):
            self._hands = self._telling.hands(before, self.state)

    def _amend(self, number: int, move: MoveT, now: Moment) -> None:
        """Back to before an entry, the other move, and all that came after it again; nothing if one no longer holds."""
        later = [step.number for step in self._standing.steps[1:] if step.number >= number]
        if later[:1] != [number]:
            self._refuse(Refusal("nothing_to_amend"))
            return
        again = [self._journal.entries[each] for each in later[1:]]
        self._put(((Undone(),) * len(later) + (Played(move), *again)), now)

    def _confirm(self, revision: int, option: int, now: Moment) -> None:
        question = self._question
        if question is None or question.revision != revision or option not in range(len(question.proposal.options)):
            return
        self._put(tuple(Played(move) for move in question.proposal.options[option].moves), now)

    def _reject(self, revision: int) -> None:
        if self._question is not None and self._question.revision == revision:
            self._rejected, self._question = asked(self._question.proposal), None

    def _rolled(self, roll: Rolled, now: Moment) -> None:
        if roll.pips not in PIPS:
            self._tell(Tone.REFUSED, wording.TOLD["no_such_pips"])
            return
        try:
            self._store.rolled(self.play, roll.pips, roll.source, now.wall)
        except StoreError as error:
            self._tell(Tone.FAILED, str(error))
            return
        if self._game.roll is not None and (move := self._game.roll(self.state, roll.pips)) is not None:
            self._put((Played(move),), now)

    def _pressed(self, press: Pressed, now: Moment) -> None:
        """What a button means now. It never hides a question: it answers it, or the question stays."""
        question = self._question
        match press.control:
            case Control.CONFIRM | Control.SEAT if question is not None:
                self._answer(question, press, now)
            case Control.UNDO if question is not None:
                self._reject(question.revision)
            case Control.UNDO:
                self.handle(Undo(), now)
            case Control.CONFIRM | Control.SEAT:
                self._tell(Tone.TOLD, wording.TOLD["nothing_to_confirm"])

    def _answer(self, question: Question[MoveT], press: Pressed, now: Moment) -> None:
        if press.at_s < question.since_s + UNSEEN_S:
            return
        to_act = self._rules.to_act(self.state)
        if press.control is Control.SEAT and to_act and press.seat not in to_act:
            self._refuse(Refusal("not_your_button", {"seat": to_act[0]}))
        elif question.proposal.match is Match.CLEAR:
            self._confirm(question.revision, 0, now)
        else:
            self._tell(Tone.TOLD, wording.TOLD[in_vain(question.proposal)])

    def _over(self, standing: Standing[StateT, MoveT]) -> bool:
        return next(iter(self._rules.legal_moves(standing.state)), None) is None

    def _refuse(self, why: Refusal) -> None:
        self._tell(Tone.REFUSED, self._telling.refusal(why))

    def _tell(self, tone: Tone, sentence: str) -> None:
        self._told += 1
        self._message = Message(self._told, tone, sentence)
