"""How each game's table is looked at while it is played: from the state to what reads the next picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import cells
from companion.sight import Reading, Spot
from vision.recognisers.cassa_grande_play import PlayReader


class Eye(Protocol):
    """Reads one picture."""

    def read(self, image: NDArray[np.uint8], /) -> Reading:
        """(H, W, 3) uint8 BGR, upright, to what lies on the table."""
        ...


Eyes = Callable[[Any], Eye]
"""From the state of a play to what reads its table then. One for each play: it remembers the pictures before."""


@dataclass(frozen=True, slots=True)
class _Following:
    """Reads pictures of a layout in which so many cells hold a card so far."""

    reader: PlayReader
    laid: Collection[Spot]

    def read(self, image: NDArray[np.uint8]) -> Reading:
        return self.reader.read(image, self.laid)


def _cassa_grande(setup: Setup) -> Eyes:
    reader = PlayReader({setup.players: setup.cards})
    return lambda state: _Following(reader, cells(state))


EYES: Mapping[str, Callable[[Any], Eyes]] = {"cassa-grande": _cassa_grande}
"""By the game's name: from the setup of a play to its eyes."""
