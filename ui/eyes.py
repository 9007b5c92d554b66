"""How each game's table is looked at while it is played: from the state to what reads the next picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.casa_grande import state as casa_grande_state
from companion.games.casa_grande.box import Sizes
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import cells
from companion.sight import Reading, Spot
from vision.recognisers.casa_grande import BoardReader
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


@dataclass(frozen=True, slots=True)
class _Watching:
    """Reads pictures of a board on which so much was confirmed so far."""

    reader: BoardReader
    state: casa_grande_state.State

    def read(self, image: NDArray[np.uint8]) -> Reading:
        return self.reader.read(image, self.state)


def casa_grande(sizes: Sizes) -> Eyes:
    """Eyes for a play of Casa Grande with a box of these sizes."""
    reader = BoardReader(sizes)
    return lambda state: _Watching(reader, state)


EYES: Mapping[str, Callable[[Any], Eyes]] = {
    "cassa-grande": _cassa_grande,
    "casa-grande": lambda _setup: casa_grande(Sizes()),
}
"""By the game's name: from the setup of a play to its eyes."""
