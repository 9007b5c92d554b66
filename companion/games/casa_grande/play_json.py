"""A play as JSON, a turn an object: what a camera's test pictures come with, and what other programs may write.

::

    {"game": "casa-grande", "players": ["gray", "orange"], "start": {"gray": 15, "orange": 10}, "blocks_each": 24,
     "box": {"pitch_mm": 17.2, ..., "pieces": [{"name": "I3", "squares": [[0, 0], ...], "marked": [[0, 0], ...],
             "count": 2, "flippable": false}, ...]},
     "turns": [{"player": "gray", "die": 3,
                "move": {"kind": "build", "bought": 0, "block": {"plot": [3, 3], "level": 1},
                         "platform": {"piece": "I3", "squares": [...], "marked": [...], "level": 1}},
                "pay": 3, "compensated": {"colour": "orange", "points": 1},
                "after": {"bonus": {"gray": 5, ...}, "money": {"gray": 3, ...}}}, ...]}

The players are in turn order. Levels, pay, compensation and what stands after a turn may be left out; where they are
given, the rules must lead to the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from companion.errors import CompanionError, SetupError, printable, quoted
from companion.games.casa_grande import checking, rules
from companion.games.casa_grande.box import LIMITS_MM, Sizes
from companion.games.casa_grande.checking import Stated
from companion.games.casa_grande.moves import Built, Done, Floored, Move, Rolled, Stepped
from companion.games.casa_grande.pieces import BY_HAND, Piece, normal
from companion.games.casa_grande.setup import Setup, problems, sample_pieces
from companion.games.casa_grande.state import State
from companion.rules import Event, Refusal, Seat
from companion.sight import Spot

GAME = "casa-grande"

MOST_OUT = 100
"""A square further from the board than this is a slip."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the file: its photograph, its moves, and what the file says of it."""

    photo: str | None
    seat: Seat
    die: int
    moves: tuple[Move, ...]
    stated: Stated


@dataclass(frozen=True, slots=True)
class PlayFile:
    """A play as it was read."""

    setup: Setup
    sizes: Sizes
    setup_photo: str | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A turn that was played again: the state after it and what its moves meant, or why it is refused."""

    number: int
    turn: Turn
    state: State
    events: tuple[Event, ...]
    refused: Refusal | None


class _WrongError(CompanionError):
    """A value of the file cannot be used; the message says which, without the file's name."""


def read(text: str, source: str = "") -> PlayFile:
    """A play from its JSON text. Raises: CompanionError, naming the first value that cannot be used."""
    try:
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _WrongError("this is not JSON that can be read") from error
        return _play(_Object(whole, "the file"))
    except _WrongError as error:
        raise CompanionError(f"{printable(source)}: {error}." if source else f"{error}.") from error


def replay(play: PlayFile) -> Iterator[Replayed]:
    """The turns, one after the other, by the rules; ends behind the first that is refused."""
    state = rules.new(play.setup)
    for number, turn in enumerate(play.turns, start=1):
        before = state
        state, events, refused = checking.play(state, turn.seat, turn.moves, turn.stated)
        yield Replayed(number, turn, before if refused else state, events, refused)
        if refused:
            return


class _Object:
    """A JSON object being read; `where` is how a sentence names it."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise _WrongError(f"{where} must be an object, not {quoted(value)}")
        self.values: Mapping[str, object] = value
        self.where = where

    def wrong(self, key: str, rule: str) -> _WrongError:
        found = f"not {quoted(self.values[key])}" if key in self.values else "and it is missing"
        return _WrongError(f"{self.where}: {key} must be {rule}, {found}")

    def whole(self, key: str, default: int | None = None) -> int:
        value = self.values.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6:
            return value
        raise self.wrong(key, "a whole number")

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if isinstance(value, str):
            return value
        raise self.wrong(key, "a text")

    def maybe_text(self, key: str) -> str | None:
        return None if self.values.get(key) is None else self.text(key)

    def part(self, key: str) -> _Object:
        if not isinstance(self.values.get(key), dict):
            raise self.wrong(key, "an object")
        return _Object(self.values[key], f"{self.where}, {key}")

    def maybe(self, key: str) -> _Object | None:
        return None if self.values.get(key) is None else self.part(key)

    def items(self, key: str) -> list[object]:
        value = self.values.get(key)
        if isinstance(value, list):
            return value
        raise self.wrong(key, "a list")

    def spot(self, key: str) -> Spot:
        return self._spot(key, self.values.get(key))

    def spots(self, key: str) -> tuple[Spot, ...]:
        return tuple(sorted(self._spot(key, each) for each in self.items(key)))

    def counts(self, key: str) -> dict[str, int]:
        each = self.part(key)
        return {name: each.whole(name) for name in each.values}

    def _spot(self, key: str, value: object) -> Spot:
        match value:
            case [int() as row, int() as column] if max(abs(row), abs(column)) < MOST_OUT:
                return int(row), int(column)
        raise self.wrong(key, "[row, column], two whole numbers")


def _play(whole: _Object) -> PlayFile:
    if whole.text("game") != GAME:
        raise whole.wrong("game", f'"{GAME}"')
    colours = tuple(str(colour) for colour in whole.items("players"))
    start = whole.counts("start") if "start" in whole.values else {}
    box = whole.maybe("box")
    pieces = sample_pieces() if box is None else tuple(_pieces(box))
    setup = Setup(
        len(colours),
        blocks=whole.whole("blocks_each", 24),
        colours=colours,
        start=tuple(start.get(colour, -1) for colour in colours) if start else None,
        platforms=None if pieces == sample_pieces() else pieces,
    )
    if found := problems(setup):
        raise _WrongError(str(SetupError(found)).rstrip("."))
    turns = (_Object(each, f"turn {number}") for number, each in enumerate(whole.items("turns"), start=1))
    return PlayFile(setup, _sizes(box), whole.maybe_text("setup_photo"), tuple(_turn(turn, colours) for turn in turns))


def _sizes(box: _Object | None) -> Sizes:
    given = {}
    for field in fields(Sizes):
        if box is not None and field.name in box.values:
            value, (low, high) = box.values[field.name], LIMITS_MM[field.name]
            if not isinstance(value, int | float) or not low <= value <= high:
                raise box.wrong(field.name, f"a number from {low} to {high}")
            given[field.name] = float(value)
    return Sizes(**given)


def _pieces(box: _Object) -> Iterator[Piece]:
    for number, each in enumerate(box.items("pieces"), start=1):
        piece = _Object(each, f"box, piece {number}")
        squares, marked = piece.spots("squares"), piece.spots("marked")
        if not squares:
            raise piece.wrong("squares", "one square or more")
        name, count, flippable = piece.text("name"), piece.whole("count", 1), piece.values.get("flippable", False)
        if not isinstance(flippable, bool):
            raise piece.wrong("flippable", "true or false")
        yield Piece(name, normal(squares), normal(marked, squares), count, flippable)


def _turn(turn: _Object, colours: tuple[str, ...]) -> Turn:
    player = turn.text("player")
    if player not in colours:
        raise turn.wrong("player", f"one of {' '.join(colours)}")
    seat, die, move = colours.index(player), turn.whole("die"), turn.part("move")
    if move.text("kind") not in ("build", "stay"):
        raise move.wrong("kind", '"build" or "stay"')
    moves: list[Move] = [Rolled(seat, die), Stepped(seat, move.whole("bought", 0))]
    block, platform = move.maybe("block"), move.maybe("platform")
    if block is not None:
        moves.append(Built(seat, block.spot("plot")))
    if platform is not None:
        name = platform.maybe_text("piece") or BY_HAND
        moves.append(Floored(seat, name, platform.spots("squares"), platform.spots("marked")))
    elif move.text("kind") == "build":
        moves.append(Done(seat))
    stated = Stated(
        stays=move.text("kind") == "stay",
        block_level=_level(block),
        floor_level=_level(platform),
        pay=turn.whole("pay") if "pay" in turn.values else None,
        compensated=_compensated(turn, colours),
        bonus=_after(turn, "bonus", colours),
        lire=_after(turn, "money", colours),
    )
    return Turn(turn.maybe_text("photo"), seat, die, tuple(moves), stated)


def _level(thing: _Object | None) -> int | None:
    return thing.whole("level") if thing is not None and "level" in thing.values else None


def _compensated(turn: _Object, colours: tuple[str, ...]) -> tuple[Seat, int] | tuple[()] | None:
    if "compensated" not in turn.values:
        return None
    given = turn.maybe("compensated")
    if given is None:
        return ()
    if given.text("colour") not in colours:
        raise given.wrong("colour", f"one of {' '.join(colours)}")
    return colours.index(given.text("colour")), given.whole("points")


def _after(turn: _Object, key: str, colours: tuple[str, ...]) -> tuple[int, ...] | None:
    after = turn.maybe("after")
    if after is None or key not in after.values:
        return None
    counts = after.part(key)
    return tuple(counts.whole(colour) for colour in colours)
