"""The turned grid as a person goes over it: the photograph's reading, with what the play and the deck allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, log

from companion.games.cassa_grande import rules, turning
from companion.games.cassa_grande.assigning import Costs, assigned
from companion.games.cassa_grande.moves import TurnedOver
from companion.games.cassa_grande.pieces import FACES
from companion.games.cassa_grande.scoring import round_sheets
from companion.games.cassa_grande.state import Phase, State, box, cells, grid
from companion.proposal import SURE, Belief
from companion.review import Choice
from companion.rules import Refusal
from companion.score import ScoreSheet
from companion.sight import GAP, UNKNOWN, Reading, Spot

LEAST = 1e-6
"""No face is less likely than this, whatever was seen."""

UNTOLD = 0.02
"""What each face is worth, as a share of the belief in none, where a card lies."""

MOST_DOWN = 2
"""With more cards face down than this, the table is still being turned over."""

Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GridReview:
    """One grid gone over, a `companion.review.Review`; each choice makes another.

    `costs` say how much speaks against each face (and `GAP`) on each spot; `said` are the spots that a person has
    spoken of, in that order.
    """

    state: State
    rows: Rows
    costs: Costs
    doubtful: tuple[Spot, ...] = ()
    said: tuple[Spot, ...] = ()

    @property
    def move(self) -> TurnedOver:
        """The grid as the move that puts it in."""
        return TurnedOver(self.rows)

    @property
    def refusal(self) -> Refusal | None:
        """Why the grid cannot be put in as it stands, or None."""
        return rules.refusal(self.state, self.move)

    @property
    def sheet(self) -> ScoreSheet | None:
        """What everybody reads in this grid; None while it is refused."""
        if self.refusal is not None:
            return None
        after, _ = rules.apply(self.state, self.move)
        return round_sheets(after)[-1]

    def choices(self, spot: Spot) -> tuple[Choice, ...]:
        """The symbols that a spot may be said to show, the possible ones first and among them the likeliest."""
        found = {symbol: self._with(spot, symbol) for symbol in _symbols(self.state, spot)}
        against = {symbol: self._against(review) for symbol, review in found.items() if review is not None}
        least = min(against.values(), default=0.0)
        weights = {symbol: exp(least - cost) for symbol, cost in against.items()}
        possible = [Choice(symbol, weight / sum(weights.values())) for symbol, weight in weights.items()]
        others = [Choice(symbol, 0.0, self._why_not(spot, symbol)) for symbol in found if symbol not in weights]
        return (*sorted(possible, key=lambda choice: -choice.share), *others)

    def chosen(self, spot: Spot, symbol: str) -> GridReview:
        """The review after a person has said what a spot shows. What is not possible changes nothing."""
        return self._with(spot, symbol) or self

    def _with(self, spot: Spot, symbol: str) -> GridReview | None:
        said = (*(each for each in self.said if each != spot), spot)
        rows = _dealt(self.state, _put(self.rows, {spot: symbol}), self.costs, said)
        if rows is None:
            return None
        changed = [each for each in _differing(self.rows, rows) if each not in said]
        doubtful = (*changed, *(each for each in self.doubtful if each != spot and each not in changed))
        return replace(self, rows=rows, doubtful=doubtful, said=said)

    def _against(self, review: GridReview) -> float:
        """How much more of what was seen speaks against another review's grid than against this one."""
        differing = _differing(self.rows, review.rows)
        return sum(self._cost(spot, review.rows) - self._cost(spot, self.rows) for spot in differing)

    def _cost(self, spot: Spot, rows: Rows) -> float:
        return self.costs[spot].get(rows[spot[0]][spot[1]], -log(LEAST))

    def _why_not(self, spot: Spot, symbol: str) -> Refusal | None:
        return rules.refusal(self.state, TurnedOver(_put(self.rows, {spot: symbol})))


def review(state: State, reading: Reading) -> GridReview | None:
    """The review of what a photograph shows; None while no turned grid can be seen in the reading."""
    if state.phase is not Phase.TURN_OVER or not reading.rows:
        return None
    laid, free = grid(state), state.setup.house.grid_check == "off"
    if not free and _size(reading.rows) != _size(laid):
        return None
    beliefs = {sighting.spot: sighting.belief for sighting in reading.sightings}
    down = [spot for spot in beliefs if beliefs[spot].get(UNKNOWN, 0.0) > 0.5 and not _known(state, spot)]
    if len(down) > MOST_DOWN:
        return None
    seen = reading.rows if free else _as_laid(laid, reading.rows)
    costs = {spot: _costs(beliefs.get(spot)) for spot in _spots(seen)}
    rows = _dealt(state, seen, costs, ())
    if rows is None:
        return None
    asked = reading.doubtful if reading.finished else _unsure(beliefs, rows)
    doubtful = dict.fromkeys((*asked, *_differing(seen, rows)))
    return GridReview(state, rows, costs, tuple(spot for spot in doubtful if spot in costs and not _known(state, spot)))


def _as_laid(laid: Rows, read: Rows) -> Rows:
    """What was read, where the play knows that a card lies and not which; else what the play knows."""
    return tuple(
        "".join(
            (shown if shown != GAP else UNKNOWN) if was == UNKNOWN else was
            for was, shown in zip(laid_row, read_row, strict=True)
        )
        for laid_row, read_row in zip(laid, read, strict=True)
    )


def _costs(belief: Belief | None) -> dict[str, float]:
    """How much speaks against each face, and against a gap, where a card was seen; where none was, nothing tells."""
    if belief is None:
        return dict.fromkeys(FACES + GAP, 0.0)
    none = 1 - sum(belief.get(face, 0.0) for face in FACES)
    likely = {face: belief.get(face, 0.0) + UNTOLD * none for face in FACES} | {GAP: belief.get(GAP, 0.0)}
    return {symbol: -log(max(LEAST, share)) for symbol, share in likely.items()}


def _unsure(beliefs: Mapping[Spot, Belief], rows: Rows) -> list[Spot]:
    """Where no deck has vouched for the reading: the cards that need a look, the least sure first."""
    sure = {spot: beliefs.get(spot, {}).get(rows[spot[0]][spot[1]], 0.0) for spot in _spots(rows)}
    cards = [spot for spot in sure if rows[spot[0]][spot[1]] != GAP and sure[spot] < SURE]
    return sorted(cards, key=lambda spot: sure[spot])


def _dealt(state: State, rows: Rows, costs: Costs, said: tuple[Spot, ...]) -> Rows | None:
    """The rows with the faces of the deck; None where what a person has said cannot be."""
    if state.setup.house.grid_check == "off":
        return rows
    top, left, _, _ = box(cells(state))
    for group, pool in turning.groups(state):
        spots = [(row - top, column - left) for row, column in group]
        shown = {(row, column): rows[row][column] for row, column in spots}
        fixed = {spot: shown[spot] for spot in said if spot in shown}
        faces = assigned(pool, costs, shown, fixed)
        if faces is None:
            return None
        rows = _put(rows, faces)
    return rows


def _symbols(state: State, spot: Spot) -> str:
    """What the play lets a spot show, be it possible now or not."""
    if state.setup.house.grid_check == "off":
        return FACES + GAP
    was = grid(state)[spot[0]][spot[1]]
    return FACES if was == UNKNOWN else was


def _known(state: State, spot: Spot) -> bool:
    """Whether the play itself knows what a spot shows."""
    if state.setup.house.grid_check == "off":
        return False
    laid = grid(state)
    return spot in _spots(laid) and laid[spot[0]][spot[1]] != UNKNOWN


def _size(rows: Rows) -> tuple[int, int]:
    return len(rows), len(rows[0])


def _spots(rows: Rows) -> tuple[Spot, ...]:
    return tuple((row, column) for row in range(len(rows)) for column in range(len(rows[0])))


def _put(rows: Rows, symbols: Mapping[Spot, str]) -> Rows:
    return tuple(
        "".join(symbols.get((number, column), symbol) for column, symbol in enumerate(row))
        for number, row in enumerate(rows)
    )


def _differing(one: Rows, other: Rows) -> tuple[Spot, ...]:
    return tuple((row, column) for row, column in _spots(one) if one[row][column] != other[row][column])
