"""What was found in the camera's picture, for drawing it there."""

from __future__ import annotations

from typing import Any

from companion.sight import Spot
from companion.view import View
from ui.pump import Seen
from ui.widgets.preview import Mark


def marks(view: View[Any, Any], seen: Seen | None) -> list[Mark]:
    """The cards of the newest look at the table; those that are asked about are new."""
    if seen is None:
        return []
    reading, asked = seen.look.reading, _asked(view)
    row, column = reading.origin or (0, 0)
    return [
        Mark(sighting.corners, new=(sighting.spot[0] + row, sighting.spot[1] + column) in asked)
        for sighting in reading.sightings
    ]


def _asked(view: View[Any, Any]) -> set[Spot]:
    if view.question is None:
        return set()
    proposal = view.question.proposal
    return {spot for option in proposal.options for spot in option.spots} | set(proposal.spots)
