"""What each game's table agrees on before it begins, in words: one value for each of the titles."""

from __future__ import annotations

from collections.abc import Mapping

from ui.setups import casa_grande, cassa_grande
from ui.setups.words import Words

SETUPS: Mapping[str, Words] = {
    "cassa-grande": cassa_grande.WORDS,
    "casa-grande": casa_grande.WORDS,
}
"""By the game's name."""
