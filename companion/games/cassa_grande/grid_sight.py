"""What a reading means once all cards lie: the grid that they show when they are turned over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Move, TurnedOver
from companion.games.cassa_grande.state import State, box, cells, grid
from companion.games.cassa_grande.wording import SENTENCES
from companion.proposal import RULED_OUT, SURE, Belief
from companion.rules import Refusal
from companion.sight import GAP, UNKNOWN, Match, Option, Outcome, Proposal, Reading, Spot
from companion.wording import refusal_sentence

VOUCHED = 0.98
"""How surely a card of a clear, finished reading is what it is called: the whole deck vouches for it."""

MOST_OPTIONS = 3
"""A question offers no more grids than this."""

Rows = tuple[str, ...]
Seen = Mapping[Spot, Belief]


def propose(state: State, reading: Reading) -> Proposal[Move]:
    """The grid that was turned over, as a reading shows it."""
    laid = grid(state)
    seen = {sighting.spot: sighting.belief for sighting in reading.sightings}
    if not reading.rows or (reading.outcome is Outcome.UNREADABLE and not _same_box(reading.rows, laid)):
        return Proposal(Match.UNREADABLE, reason=reading.reason)
    rows = _with_known_faces(laid, reading.rows)
    down = tuple(spot for spot in _spots(rows, UNKNOWN) if _belief(seen, spot, UNKNOWN) > 0.5)
    if down:
        sentence = refusal_sentence(SENTENCES, Refusal("seen_face_down", {"count": len(down)}))
        return Proposal(Match.SETTLED, spots=_cells(state, down), reason=sentence)
    doubtful = tuple(spot for spot in reading.doubtful if not _known(laid, spot))
    if reading.outcome is Outcome.CLEAR or not doubtful:
        return _sure(state, reading, rows, seen)
    return _question(state, reading, rows, doubtful, seen)


def _sure(state: State, reading: Reading, rows: Rows, seen: Seen) -> Proposal[Move]:
    """A grid that needs no question, if the play allows it."""
    move = TurnedOver(rows)
    if refusal := rules.refusal(state, move):
        return _refused(state, refusal)
    least = VOUCHED if reading.finished else 0.0
    laid = grid(state)
    confidence = min(
        1.0 if _known(laid, spot) else max(least, belief.get(rows[spot[0]][spot[1]], 0.0))
        for spot, belief in seen.items()
    )
    match = Match.CLEAR if confidence >= SURE else Match.AMBIGUOUS
    return Proposal(match, (Option((move,), confidence, cells(state)),), cells(state), reading.reason)


def _question(state: State, reading: Reading, rows: Rows, doubtful: tuple[Spot, ...], seen: Seen) -> Proposal[Move]:
    """The likeliest grids that the play allows: the one read, and those with a doubtful card and another exchanged."""
    options: list[Option[Move]] = [
        Option((TurnedOver(grid_),), _weakest(grid_, doubtful, seen), _cells(state, doubtful))
        for grid_ in (rows, *_exchanged(rows, doubtful, seen))
        if rules.refusal(state, TurnedOver(grid_)) is None
    ]
    if not options:
        refusal = rules.refusal(state, TurnedOver(rows))
        return _refused(state, refusal or Refusal("grid_rows"))
    return Proposal(Match.AMBIGUOUS, tuple(options[:MOST_OPTIONS]), _cells(state, doubtful), reading.reason)


def _exchanged(rows: Rows, doubtful: tuple[Spot, ...], seen: Seen) -> Iterator[Rows]:
    """The grid with a doubtful card and another one exchanged, the likeliest first; the deck stays the same."""
    likely: dict[Rows, float] = {}
    for one in doubtful:
        for other in seen:
            first, second = rows[one[0]][one[1]], rows[other[0]][other[1]]
            now = _belief(seen, one, first) * _belief(seen, other, second)
            then = _belief(seen, one, second) * _belief(seen, other, first)
            if first != second and then > RULED_OUT * now:
                likely[_with(_with(rows, one, second), other, first)] = log(then / now)
    return iter(sorted(likely, key=lambda grid_: -likely[grid_]))


def _belief(seen: Seen, spot: Spot, symbol: str) -> float:
    """How likely a spot shows a symbol; where no card was seen it shows a gap."""
    least = 1e-6
    if spot not in seen:
        return 1.0 if symbol == GAP else least
    return max(least, seen[spot].get(symbol, 0.0))


def _weakest(rows: Rows, spots: tuple[Spot, ...], seen: Seen) -> float:
    return min(_belief(seen, (row, column), rows[row][column]) for row, column in spots)


def _refused(state: State, refusal: Refusal) -> Proposal[Move]:
    return Proposal(Match.UNEXPLAINED, spots=_cells(state, refusal.spots), reason=refusal_sentence(SENTENCES, refusal))


def _with_known_faces(laid: Rows, rows: Rows) -> Rows:
    """The rows with the faces that lay open before, where the boxes agree and a card was seen."""
    if not _same_box(rows, laid):
        return rows
    for row, column in _spots(rows, UNKNOWN):
        if laid[row][column] != GAP:
            rows = _with(rows, (row, column), laid[row][column])
    return rows


def _known(laid: Rows, spot: Spot) -> bool:
    """Whether the play knows the face on a spot of the grid."""
    row, column = spot
    inside = row < len(laid) and column < len(laid[0])
    return inside and laid[row][column] not in (GAP, UNKNOWN)


def _same_box(one: Rows, other: Rows) -> bool:
    return (len(one), len(one[0]) if one else 0) == (len(other), len(other[0]))


def _with(rows: Rows, spot: Spot, symbol: str) -> Rows:
    row, column = spot
    changed = f"{rows[row][:column]}{symbol}{rows[row][column + 1 :]}"
    return (*rows[:row], changed, *rows[row + 1 :])


def _spots(rows: Rows, symbol: str) -> tuple[Spot, ...]:
    return tuple((row, column) for row, shown in enumerate(rows) for column, s in enumerate(shown) if s == symbol)


def _cells(state: State, spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Spots of the grid as cells of the play."""
    top, left, _, _ = box(cells(state))
    return tuple((row + top, column + left) for row, column in spots)
