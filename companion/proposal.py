"""What a reading means in a play: what was seen is matched against the layouts that candidate moves predict.

Nothing here knows a game. A game lists its candidates and gives the beliefs in its own spots; `propose` says which of
the candidates explain what was seen, and how surely. A person confirms; nothing is booked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.sight import GAP, Match, Option, Proposal, Spot

MoveT = TypeVar("MoveT")

Belief = Mapping[str, float]
"""Probabilities over pieces, `GAP` (nothing lies there) among them; a piece that is not named has none."""

Layout = Mapping[Spot, str]
"""The piece expected on each spot; `GAP` is expected wherever none is named."""

RULED_OUT = 0.05
"""A layout is ruled out when a spot is believed this little to show the piece that it expects."""

SURE = 0.9
"""The only explanation is clear when the weakest of its changed spots is believed this much; else it is a question."""

NOT_SEEN = 0.5
"""What a changed spot counts that is hidden: it speaks neither for a move nor against it."""


@dataclass(frozen=True, slots=True)
class Candidate(Generic[MoveT]):
    """Moves that may have been made, and the layout that they predict."""

    moves: tuple[MoveT, ...]
    layout: Layout


def propose(layout: Layout, seen: Mapping[Spot, Belief], candidates: Iterable[Candidate[MoveT]]) -> Proposal[MoveT]:
    """Which candidates explain what was seen; `layout` is the one that the play expects before them.

    `seen` holds a belief for each spot that is in view; a hidden spot is absent and rules nothing out. The reason is
    left to the game.
    """
    odd = at_odds(layout, seen)
    options = _ranked(filter(None, (_option(layout, seen, odd, candidate) for candidate in candidates)))
    spots = tuple(dict.fromkeys(spot for option in options for spot in option.spots))
    if not options:
        return Proposal(Match.UNEXPLAINED, spots=tuple(sorted(odd))) if odd else Proposal(Match.SETTLED)
    if odd and len(options) == 1 and options[0].confidence >= SURE:
        return Proposal(Match.CLEAR, options, spots)
    return Proposal(Match.AMBIGUOUS, options, spots)


def at_odds(layout: Layout, seen: Mapping[Spot, Belief]) -> Set[Spot]:
    """The spots in view where the layout's piece is ruled out."""
    return {spot for spot, belief in seen.items() if belief.get(layout.get(spot, GAP), 0.0) < RULED_OUT}


def joined(proposals: Iterable[Proposal[MoveT]]) -> Proposal[MoveT]:
    """One proposal from several ways to look at the same reading, of which there is one at least.

    Where they explain it differently there is a question; where none does, the one with the fewest spots at odds.
    """
    every = list(proposals)
    explained = [proposal for proposal in every if proposal.match is not Match.UNEXPLAINED]
    if len(explained) < 2:
        return explained[0] if explained else min(every, key=lambda proposal: len(proposal.spots))
    options = _ranked(option for proposal in explained for option in proposal.options)
    spots = tuple(dict.fromkeys(spot for option in options for spot in option.spots))
    if not options:
        return explained[0]
    if len(options) == 1 and all(proposal.match is Match.CLEAR for proposal in explained):
        return explained[0]
    return Proposal(Match.AMBIGUOUS, options, spots)


def _option(
    layout: Layout, seen: Mapping[Spot, Belief], odd: Set[Spot], candidate: Candidate[MoveT]
) -> Option[MoveT] | None:
    """The candidate as an explanation, or None when it is ruled out or nothing of it is in view."""
    after = candidate.layout
    changed = {spot for spot in layout.keys() | after.keys() if layout.get(spot, GAP) != after.get(spot, GAP)}
    if not odd <= changed or not changed & seen.keys():
        return None
    beliefs = (seen[spot].get(after.get(spot, GAP), 0.0) if spot in seen else NOT_SEEN for spot in changed)
    confidence = min(beliefs)
    return None if confidence < RULED_OUT else Option(candidate.moves, confidence, tuple(sorted(changed)))


def _ranked(options: Iterable[Option[MoveT]]) -> tuple[Option[MoveT], ...]:
    """The options, the likeliest first, each sequence of moves once."""
    ranked = sorted(options, key=lambda option: -option.confidence)
    first: dict[tuple[MoveT, ...], Option[MoveT]] = {}
    for option in ranked:
        first.setdefault(option.moves, option)
    return tuple(first.values())
