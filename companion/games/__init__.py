"""The games that the program knows, by name. Games do not know each other; this is the one list of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.cassa_grande import rules as cassa_grande_rules
from companion.games.cassa_grande.wording import SENTENCES as CASSA_GRANDE_SENTENCES
from companion.rules import Rules
from companion.wording import Sentences


@dataclass(frozen=True, slots=True)
class Game:
    """One of the titles: its name in journals and on the command line, its rules and its sentences."""

    name: str
    title: str
    rules: Rules[Any, Any, Any]
    sentences: Sentences


GAMES: Mapping[str, Game] = {
    game.name: game for game in (Game("cassa-grande", "Cassa Grande", cassa_grande_rules, CASSA_GRANDE_SENTENCES),)
}
