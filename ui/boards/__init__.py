"""How each game's table is drawn and tapped: one view for each of the titles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ui.boards.board import Board
from ui.boards.casa_grande import CasaGrandeBoard
from ui.boards.cassa_grande import CassaGrandeBoard

BOARDS: Mapping[str, Callable[[], Board]] = {
    "cassa-grande": CassaGrandeBoard,
    "casa-grande": CasaGrandeBoard,
}
"""By the game's name."""
