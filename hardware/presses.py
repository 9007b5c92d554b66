"""From raw edges of contacts to presses: our own debouncing, the hold limit, and what happens to two at once.

Pure: time comes in with every edge and every tick, and only the stamps count. Edges that are delivered late, or ticks
that come late, give the same presses. Pin libraries mean different things by "bounce time", so none of theirs is used.

A press begins at the first closing edge and ends when the contact has stayed open for the debounce time; every bounce
in between belongs to it. So no press is too short, and the bounces of a release make no new one. (A spike on a long
wire counts as a press too; wires of more than a metre want a capacitor of 100 nF beside the button.)

- Hold acts once, at its limit; short acts on release; never both.
- Two that begin within `CROSS_TALK_S` are one press that leaked into the other's wire: the first is taken.
- Two that begin within `AT_ONCE_S`, the first still down, are at once: two central buttons are one hand, so the first
  is taken; otherwise they are two players, so both count, in the order in which they went down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from companion.intents import Control, Notice, Pressed
from companion.language import _, later
from companion.rules import Seat, write_seat

CROSS_TALK_S = 0.010
AT_ONCE_S = 0.250

TOLERANCE_S = 1e-9
"""Stamps are sums of binary fractions: 0.13 - 0.12 is a little more than 0.01."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """One button: what it is for, and whose it is where a seat has its own."""

    control: Control
    seat: Seat | None = None

    @property
    def name(self) -> str:
        """How sentences call it: "undo", or a seat's letter."""
        return self.control.value if self.seat is None else write_seat(self.seat)


WORDS = (later("confirm"), later("undo"), later("roll"), later("photograph"))
"""How sentences call the buttons in the middle of the table."""


def _word(key: Key) -> str:
    return _(key.name) if key.seat is None else key.name


def _begun(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


@dataclass(slots=True)
class _Press:
    key: Key
    start_s: float
    taken: bool = True
    decided_s: float | None = None
    held: bool = False
    behind: _Press | None = None
    """The press that went down first, when both are at once and both count: it is told first."""


@dataclass(slots=True)
class _Contact:
    down: bool = False
    opened_s: float | None = None
    """Since when the contact has been open, while the press may still go on."""
    press: _Press | None = None
    latest: _Press | None = None
    stuck: bool = False
    last_edge_s: float | None = None
    last_length_s: float | None = None


@dataclass(slots=True)
class Recogniser:
    """Turns edges into `Pressed` and `Notice`; times are monotonic seconds.

    `stuck` names the buttons that are down at the start: each is ignored until it has been released.
    """

    keys: Iterable[Key]
    hold_s: float = 1.0
    debounce_s: float = 0.02
    stuck: Collection[Key] = ()
    _contacts: dict[Key, _Contact] = field(init=False)
    _edges: list[tuple[float, Key, bool]] = field(init=False, default_factory=list)
    _decided: list[_Press] = field(init=False, default_factory=list)
    _notices: list[tuple[float, Notice]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._contacts = {key: _Contact(down=key in self.stuck, stuck=key in self.stuck) for key in self.keys}

    def feed(self, key: Key, down: bool, at_s: float) -> None:
        """Note an edge: the contact closed (`down`) or opened at that time."""
        self._edges.append((at_s, key, down))

    def tick(self, now_s: float) -> list[Pressed | Notice]:
        """Everything that is decided by now, in the order in which it was decided."""
        # Of two contacts at the very same time the one that `keys` names first comes first; the edges of one contact
        # keep the order in which they were fed.
        ranks = {key: rank for rank, key in enumerate(self._contacts)}
        self._edges.sort(key=lambda edge: (edge[0], ranks[edge[1]]))
        due = [edge for edge in self._edges if edge[0] <= now_s]
        del self._edges[: len(due)]
        for at_s, key, down in due:
            self._advance(at_s)
            self._take(self._contacts[key], key, down, at_s)
        self._advance(now_s)
        return self._told()

    def is_down(self, key: Key) -> bool:
        """Whether the contact was closed after the last edge that a tick has taken."""
        return self._contacts[key].down

    def is_stuck(self, key: Key) -> bool:
        """Whether the button has been down since the start."""
        return self._contacts[key].stuck

    def last_edge_s(self, key: Key) -> float | None:
        """When the contact last closed or opened."""
        return self._contacts[key].last_edge_s

    def last_length_s(self, key: Key) -> float | None:
        """How long the last press that has ended was."""
        return self._contacts[key].last_length_s

    def _take(self, contact: _Contact, key: Key, down: bool, at_s: float) -> None:
        contact.last_edge_s = at_s
        if down == contact.down:
            return
        contact.down = down
        if not down:
            contact.opened_s = at_s
        elif contact.press is not None or contact.stuck:
            contact.opened_s = None
        else:
            contact.press = contact.latest = self._begun(key, at_s)

    def _begun(self, key: Key, at_s: float) -> _Press:
        press = _Press(key, at_s)
        latest = [contact.latest for other, contact in self._contacts.items() if other != key]
        rivals = [rival for rival in latest if rival is not None and rival.taken and self._clash(rival, press)]
        if rivals:
            rival = min(rivals, key=lambda rival: abs(rival.start_s - at_s))
            # An edge that was delivered late may be the first of the two, as long as nothing has come of the other.
            late = at_s < rival.start_s and rival.decided_s is None
            self._resolve(*((press, rival) if late else (rival, press)))
        return press

    def _clash(self, rival: _Press, press: _Press) -> bool:
        gap_s = abs(press.start_s - rival.start_s)
        contact = self._contacts[rival.key]
        is_on = contact.press is rival and contact.down
        return gap_s <= CROSS_TALK_S + TOLERANCE_S or (gap_s <= AT_ONCE_S and is_on)

    def _resolve(self, first: _Press, second: _Press) -> None:
        gap_s = abs(second.start_s - first.start_s)
        facts = {"one": _word(first.key), "two": _word(second.key), "gap_ms": f"{gap_s * 1000:.0f}"}
        if gap_s <= CROSS_TALK_S + TOLERANCE_S:
            second.taken = False
            sentence = _(
                "{one} was taken; {two} followed {gap_ms} ms later and does nothing: press it again if you meant it."
            )
        elif first.key.seat is None and second.key.seat is None:
            second.taken = False
            sentence = _("{one} {gap_ms} ms before {two}: {one} was taken; press {two} again if you meant it.")
        else:
            second.behind = first
            sentence = _("{one} {gap_ms} ms before {two}: both count.")
        self._notices.append((second.start_s, Notice(_begun(sentence.format(**facts)))))

    def _advance(self, now_s: float) -> None:
        for contact in self._contacts.values():
            press, opened_s = contact.press, contact.opened_s
            if press is not None and press.decided_s is None:
                limit_s = press.start_s + self.hold_s
                if limit_s <= (now_s if opened_s is None else opened_s):
                    self._decide(press, limit_s, held=True)
            if opened_s is not None and now_s >= opened_s + self.debounce_s:
                contact.stuck, contact.press, contact.opened_s = False, None, None
                if press is not None:
                    contact.last_length_s = opened_s - press.start_s
                    if press.decided_s is None:
                        self._decide(press, opened_s + self.debounce_s, held=False)

    def _decide(self, press: _Press, at_s: float, *, held: bool) -> None:
        press.decided_s, press.held = at_s, held
        if press.taken:
            self._decided.append(press)

    def _told(self) -> list[Pressed | Notice]:
        told: list[tuple[float, Pressed | Notice]] = list(self._notices)
        self._notices.clear()
        waiting = []
        for press in self._decided:
            told_s = _told_s(press)
            if told_s is None:
                waiting.append(press)
            else:
                told.append((told_s, Pressed(press.key.control, press.start_s, press.held, press.key.seat)))
        self._decided = waiting
        told.sort(key=_order)
        return [intent for _, intent in told]


def _told_s(press: _Press) -> float | None:
    """When a press may be told: decided itself, and so is the one that it is behind."""
    if press.decided_s is None or press.behind is None:
        return press.decided_s
    before_s = _told_s(press.behind)
    return None if before_s is None else max(press.decided_s, before_s)


def _order(told: tuple[float, Pressed | Notice]) -> tuple[float, float]:
    at_s, intent = told
    return at_s, intent.at_s if isinstance(intent, Pressed) else at_s
