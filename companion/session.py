"""One play in progress: intents and readings in, entries kept, a view out.

An entry is on disk before anything shows it. What cannot be kept is not taken, and the question that asked for it
stays open. Everything that may go wrong in playing becomes a message in the view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from companion import intents as ask
from companion import wording
from companion.asking import asked, goes_unasked, is_undone, may_be_agreed, meant, playable
from companion.clock import Moment, Stopwatch, Times, counted
from companion.drawing import drawn, is_over
from companion.errors import StoreError
from companion.game import Game
from companion.journal import Adjusted, Amended, Entry, Journal, Played, Undone, sheets, stand
from companion.kept import Keeping, Kept
from companion.rules import Refusal
from companion.sight import Match, Reading
from companion.telling import Telling
from companion.view import Message, Question, Tone, View

MoveT = TypeVar("MoveT")
StateT = TypeVar("StateT")
SetupT = TypeVar("SetupT")

HANDS_S = 5.0
"""So long after an undo, what was undone and still lies on the table is not asked again: hands need their time."""


@dataclass(frozen=True, slots=True)
class Manners:
    """Settings of the table. `auto_confirm` takes a clear proposal without asking; a `turn_limit_s` of 0 is none."""

    auto_confirm: bool = False
    turn_limit_s: float = 0.0


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
        self._game, self._rules, self._store, self.manners = game, game.rules, store, manners or Manners()
        self._journal = journal
        self._telling = Telling(game, journal.names)
        self._kept = tuple(kept)
        self._standing, self.refused = stand(self._rules, journal)
        self._watch = Stopwatch(now.monotonic_s)
        self._paused = self._time_told = False
        self._question: Question[MoveT] | None = None
        self._rejected: tuple[tuple[MoveT, ...], ...] = ()
        self._hands: tuple[str, ...] = ()
        self._turned_from: StateT | None = None
        self._put_back = True
        self._undone_s = -math.inf
        self._message: Message | None = None
        self._told = 0
        self._sighting = ""
        self._draw()

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

    def handle(self, intent: ask.Intent[MoveT], now: Moment) -> None:
        """Take one intent out of the inbox."""
        match intent:
            case ask.Make(move, agreed):
                self._put((Played(move, agreed),), now, agree=replace(intent, agreed=True))
            case ask.Amend():
                self._amend(intent, now)
            case ask.Undo(steps):
                self._put((Undone(),) * max(1, min(steps, self._standing.undoable)), now)
            case ask.Redo(steps):
                self._redo(steps, now)
            case ask.Adjust(seat, points, reason):
                self._put((Adjusted(seat, points, reason),), now)
            case ask.Drawn() | ask.Rolled():
                self._rolled(intent, now)
            case ask.Notice(sentence):
                self._tell(Tone.TOLD, sentence)
            case ask.Pause() | ask.Resume():
                self._paused = isinstance(intent, ask.Pause)
            case ask.Confirm() | ask.Reject() | ask.Pressed():
                self._answered(intent, now)
        self._time(now)

    def _answered(self, intent: ask.Confirm | ask.Reject | ask.Pressed, now: Moment) -> None:
        match intent:
            case ask.Confirm(revision, option):
                self._confirm(revision, option, now)
            case ask.Reject(revision):
                self._reject(revision)
            case ask.Pressed():
                self._pressed(intent, now)

    def see(self, reading: Reading, revision: int, now: Moment) -> None:
        """Take what the camera saw of the table as it stood at a revision; a reading of another one is dropped."""
        if revision == self.revision:
            self._see(reading, revision, now)
            self._time(now)

    def _see(self, reading: Reading, revision: int, now: Moment) -> None:
        if self._game.propose is None:
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
            since_s = self._question.since_s if self._question is not None and again else now.monotonic_s
            self._question = Question(revision, proposal, self._telling.options(self.state, proposal), since_s)
        if self.manners.auto_confirm and goes_unasked(proposal, self._standing):
            self._confirm(revision, 0, now)

    def tick(self, now: Moment) -> None:
        """Time goes on. Once a turn has taken as long as it may, that is told, and nothing else happens."""
        up = self._times(now).left_s == 0
        if up and not self._time_told:
            self._tell(Tone.TOLD, wording.time_is_up(self._drawn.to_act[0], self._journal.names), beeps=True)
        self._time_told = up

    def view(self, now: Moment) -> View[StateT, MoveT]:
        """The play as a screen draws it. Cheap enough to be asked for thirty times a second."""
        return replace(
            self._drawn,
            hands=self._hands,
            put_back=self._put_back,
            times=self._times(now),
            question=self._question,
            message=self._message,
            sighting=self._sighting,
        )

    def redraw(self) -> None:
        """Say everything anew, after the language has changed. What the camera has remarked is gone until it looks."""
        self._telling = Telling(self._game, self._journal.names)
        self._message, self._sighting = None, ""
        self._tell_hands(self._turned_from)
        self._question = self._telling.asked_anew(self.state, self._question)
        self._draw()

    def _tell_hands(self, before: StateT | None) -> None:
        """What the hands change on the table since it was in the state `before`; None: nothing."""
        self._turned_from = before
        self._hands = () if before is None else self._telling.hands(before, self.state)

    def _draw(self) -> None:
        """All that changes with the journal alone."""
        self._drawn = drawn(self._game, self.play, self._journal, self._standing, self._telling)
        self._counted = counted(self._drawn.seats, self._drawn.to_act, self._standing, self._kept)

    def _times(self, now: Moment) -> Times:
        return self._counted.at(self._watch, now, self.manners.turn_limit_s, paused=self._paused)

    def _time(self, now: Moment) -> None:
        """The clocks run while nobody has stopped them and no move waits for its answer."""
        waits = self._question is not None and bool(self._question.proposal.options)
        self._watch = self._watch.stopped(now) if self._paused or waits else self._watch.started(now)

    def _put(
        self, entries: Sequence[Entry[MoveT]], now: Moment, agree: ask.Make[MoveT] | ask.Amend[MoveT] | None = None
    ) -> bool:
        """Keep entries and show them, all or none. Returns whether they hold.

        `agree` is offered where the one entry would hold by agreement.
        """
        journal = replace(self._journal, entries=(*self._journal.entries, *entries))
        standing, refused = stand(self._rules, journal, self._standing)
        if refused is not None:
            agreeable = may_be_agreed(self._rules, self._journal.setup, self._standing, entries[0])
            self._refuse(refused.refusal, agree if agreeable else None)
            return False
        amends, turned_back = isinstance(entries[0], Amended), isinstance(entries[0], Undone | Amended)
        # The turn goes on while somebody puts an earlier one right.
        spent = [0.0 if amends else self._watch.seconds(now), *(0.0 for _ in entries[1:])]
        kept = tuple(Kept(entry, now.wall, spent_s) for entry, spent_s in zip(entries, spent, strict=True))
        result = sheets(self._rules, standing)[-1] if is_over(self._game, standing.state) else None
        try:
            self._store.append(self.play, self.revision, kept, result)
        except StoreError as error:
            self._tell(Tone.FAILED, str(error))
            return False
        before = self.state if turned_back else None
        self._put_back, self._undone_s = not turned_back, now.monotonic_s if turned_back else -math.inf
        self._journal, self._standing, self._kept = journal, standing, (*self._kept, *kept)
        self._tell_hands(before)
        if not amends:
            self._watch, self._paused = Stopwatch(now.monotonic_s), False
        self._question, self._rejected, self._message, self._sighting = None, (), None, ""
        self._draw()
        return True

    def _redo(self, steps: int, now: Moment) -> None:
        again = [taken.entry for taken in self._standing.taken_back[-max(1, steps) :][::-1]]
        if not again:
            self._refuse(Refusal("nothing_to_redo"))
            return
        before = self.state
        if self._put(again, now):
            self._tell_hands(before)

    def _amend(self, amend: ask.Amend[MoveT], now: Moment) -> None:
        """The other move in the place of the one that has the entry's number, and all that came after it again."""
        numbers = [step.number for step in self._standing.steps[1:]]
        if amend.entry not in numbers:
            self._refuse(Refusal("nothing_to_amend"))
            return
        entry = Amended(numbers.index(amend.entry), amend.move, amend.agreed)
        self._put((entry,), now, agree=replace(amend, agreed=True))

    def _confirm(self, revision: int, option: int, now: Moment) -> None:
        question = self._question
        if question is None or question.revision != revision or option not in range(len(question.proposal.options)):
            return
        self._put(tuple(Played(move) for move in question.proposal.options[option].moves), now)

    def _reject(self, revision: int) -> None:
        if self._question is not None and self._question.revision == revision:
            self._rejected, self._question = asked(self._question.proposal), None

    def _rolled(self, roll: ask.Drawn | ask.Rolled, now: Moment) -> None:
        if roll.pips not in ask.PIPS:
            self._refuse(Refusal("no_such_pips"))
            return
        if isinstance(roll, ask.Drawn) or not roll.logged:
            try:
                self._store.rolled(self.play, roll.pips, roll.source, now.wall)
            except StoreError as error:
                self._tell(Tone.FAILED, str(error))
                return
        if isinstance(roll, ask.Drawn) or self._game.roll is None:
            return
        if (move := self._game.roll(self.state, roll.pips)) is not None:
            self._put((Played(move),), now)

    def _pressed(self, press: ask.Pressed, now: Moment) -> None:
        match meant(press, self._question, self._drawn.to_act):
            case None:
                pass
            case Refusal() as why:
                self._refuse(why)
            case str(name):
                self._tell(Tone.TOLD, wording.told_in_vain(name))
            case intent:
                self.handle(intent, now)

    def _refuse(self, why: Refusal, agree: ask.Make[MoveT] | ask.Amend[MoveT] | None = None) -> None:
        self._tell(Tone.REFUSED, self._telling.refusal(why), agree=agree)

    def _tell(
        self, tone: Tone, sentence: str, *, beeps: bool = False, agree: ask.Make[MoveT] | ask.Amend[MoveT] | None = None
    ) -> None:
        self._told += 1
        self._message = Message(self._told, tone, sentence, beeps or tone is not Tone.TOLD, agree)
