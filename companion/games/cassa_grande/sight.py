"""What a reading means in a play of Cassa Grande: the card just laid, or the grid once all cards are turned over.

The camera stands still, with seat A at the picture's bottom edge. Spots of a proposal are cells of the play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations

from companion.games.cassa_grande import grid_sight, rules
from companion.games.cassa_grande.moves import Move, Placed
from companion.games.cassa_grande.pieces import FACES
from companion.games.cassa_grande.state import Phase, State, cells, faces_up
from companion.games.cassa_grande.wording import SENTENCES
from companion.proposal import Belief, Candidate, Layout, at_odds, joined
from companion.proposal import propose as explained
from companion.rules import Refusal
from companion.score import Facts
from companion.sight import GAP, OTHER, UNKNOWN, Match, Proposal, Reading, Spot
from companion.wording import refusal_sentence

CARD = "card"
"""The piece of a spot whose card was laid before: that one lies there counts, and no longer what it shows."""

DOUBTED = 0.2
"""How likely a card lies on a spot without one that the reader doubts, where it does not say itself."""

TELLING = 5
"""Fewer cards than this do not show from which side the layout is seen: a hand over one may turn their shape."""

Seen = Mapping[Spot, Belief]


def propose(state: State, reading: Reading) -> Proposal[Move]:
    """What was done at the table since this state, as a reading shows it."""
    if state.phase is Phase.OVER:
        return Proposal(Match.SETTLED)
    if state.phase is Phase.TURN_OVER:
        return grid_sight.propose(state, reading)
    seen = beliefs(reading)
    if not any(_lies(belief) for belief in seen.values()):
        if not state.layout:
            return Proposal(Match.SETTLED)
        return _with_reason(Proposal(Match.UNREADABLE), Refusal("seen_nothing"))
    if not state.layout:
        return _first_card(state, seen)
    return _next_card(state, reading, seen)


def beliefs(reading: Reading) -> dict[Spot, dict[str, float]]:
    """The belief in each spot of a reading, in its own rows and columns; a gap that is doubted may hold a card."""
    seen = {
        (row, column): {GAP: 1 - DOUBTED, UNKNOWN: DOUBTED} if (row, column) in reading.doubtful else {GAP: 1.0}
        for row, symbols in enumerate(reading.rows)
        for column, symbol in enumerate(symbols)
        if symbol == GAP
    }
    return seen | {sighting.spot: dict(sighting.belief) for sighting in reading.sightings}


def _lies(belief: Belief) -> bool:
    """Whether a card more likely lies there than not."""
    return belief.get(GAP, 0.0) < 0.5


def _first_card(state: State, seen: Seen) -> Proposal[Move]:
    lying = [spot for spot, belief in seen.items() if _lies(belief)]
    open_ones = [spot for spot in lying if 1 - seen[spot].get(UNKNOWN, 0.0) > 0.5]
    if state.rounds and (len(lying) > 2 or (open_ones and not faces_up(state))):
        return _with_reason(Proposal(Match.SETTLED), Refusal("seen_last_round"))
    found = joined(_at(state, _moved(seen, (-row, -column))) for row, column in lying)
    if state.rounds and open_ones and found.match is Match.CLEAR:
        # It may be a card of the last round that nobody has picked up yet.
        return Proposal(Match.AMBIGUOUS, found.options, found.spots)
    return found


def _next_card(state: State, reading: Reading, seen: Seen) -> Proposal[Move]:
    moves = [reading.origin] if reading.origin is not None else _alignments(state, seen)
    found = joined(_at(state, _moved(seen, move)) for move in moves)
    gone = not set(cells(state)).isdisjoint(found.spots)
    if found.match is not Match.UNEXPLAINED or not gone or len(state.layout) < TELLING:
        return found
    for _ in range(3):
        seen = {(-column, row): belief for (row, column), belief in seen.items()}
        turned = joined(_at(state, _moved(seen, move)) for move in _alignments(state, seen))
        if turned.match in (Match.SETTLED, Match.CLEAR):
            return _with_reason(found, Refusal("seen_turned"))
    return found


def _moved(seen: Seen, by: Spot) -> Seen:
    return {(row + by[0], column + by[1]): belief for (row, column), belief in seen.items()}


def _alignments(state: State, seen: Seen) -> list[Spot]:
    """The moves, in rows and columns, that bring the cards seen onto those laid; all that do it about equally well."""
    lying = [spot for spot, belief in seen.items() if _lies(belief)]
    hits = Counter((laid[0] - row, laid[1] - column) for laid in cells(state) for row, column in lying)
    most = max(hits.values())
    return [move for move, count in hits.items() if count >= most - 1]


def _at(state: State, seen: Seen) -> Proposal[Move]:
    """The proposal for beliefs that are given by cells of the play."""
    laid = dict.fromkeys(cells(state), CARD)
    # Nothing is hidden for good: where no card is seen, there is none.
    read: dict[Spot, Belief] = {cell: _card_or_gap(seen.get(cell, {GAP: 1.0})) for cell in laid}
    read |= {spot: belief for spot, belief in seen.items() if spot not in laid}
    odd = at_odds(laid, read)
    new = tuple(sorted(odd - laid.keys()))
    found = explained(laid, read, _candidates(state, laid, new))
    if found.match is Match.UNEXPLAINED:
        return _with_reason(found, _why(state, read, new, tuple(sorted(odd & laid.keys()))))
    return found


def _card_or_gap(belief: Belief) -> dict[str, float]:
    gap = belief.get(GAP, 0.0)
    return {CARD: 1 - gap, GAP: gap}


def _candidates(state: State, laid: Layout, new: tuple[Spot, ...]) -> Iterator[Candidate[Move]]:
    """One card on any cell; two cards on two new cells, in each order that the rules allow."""
    for move in _cards(state):
        yield Candidate((move,), {**laid, move.cell: move.face})
    if len(new) != 2:
        return
    for first_cell, second_cell in permutations(new):
        for first in _cards(state, first_cell):
            after, _ = rules.apply(state, first)
            for second in _cards(after, second_cell):
                yield Candidate((first, second), {**laid, first.cell: first.face, second.cell: second.face})


def _cards(state: State, cell: Spot | None = None) -> Iterator[Placed]:
    """The cards that may be laid now, on one cell or on any, as they show on the table: face down or with a face."""
    if state.phase is not Phase.PLACE:
        return
    for move in rules.legal_moves(state):
        if isinstance(move, Placed) and cell in (None, move.cell) and (move.face == UNKNOWN) != faces_up(state):
            yield move


def _why(state: State, seen: Seen, new: tuple[Spot, ...], gone: tuple[Spot, ...]) -> Refusal:
    """What keeps every move from explaining the table: cards on cells where none was laid, and cells without theirs."""
    if len(new) == len(gone) == 1:
        (row, column), (to_row, to_column) = gone[0], new[0]
        facts: Facts = {"row": row, "column": column, "to_row": to_row, "to_column": to_column}
        return Refusal("seen_moved", facts, (gone[0], new[0]))
    if gone:
        return Refusal("seen_gone", _place(gone[0]), gone)
    illegal = (refusal for cell in new if (refusal := _placing_refusal(state, cell, seen[cell])) is not None)
    one_too_many = Refusal("seen_many", {"count": len(new)}, new)
    return one_too_many if len(new) > 2 else next(illegal, one_too_many)


def _placing_refusal(state: State, cell: Spot, belief: Belief) -> Refusal | None:
    """Why what most likely lies on a cell may not lie there, or None."""
    shown = max((UNKNOWN, OTHER, *FACES), key=lambda piece: belief.get(piece, 0.0))
    if shown == OTHER:
        return Refusal("seen_strange", _place(cell), (cell,))
    refusal = rules.refusal(state, Placed(state.turn, cell, shown))
    if refusal is None and shown != UNKNOWN and not faces_up(state):
        return Refusal("seen_open", {**_place(cell), "face": shown}, (cell,))
    return refusal


def _place(cell: Spot) -> Facts:
    return {"row": cell[0], "column": cell[1]}


def _with_reason(proposal: Proposal[Move], refusal: Refusal) -> Proposal[Move]:
    reason = refusal_sentence(SENTENCES, refusal)
    return Proposal(proposal.match, proposal.options, proposal.spots or refusal.spots, reason)
