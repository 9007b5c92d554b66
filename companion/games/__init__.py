"""The games that the program knows, by name. Games do not know each other; this is the one list of them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Game
from companion.games.casa_grande import rules as casa_grande_rules
from companion.games.casa_grande import wording as casa_grande_wording
from companion.games.casa_grande.prompting import prompt as casa_grande_prompt
from companion.games.casa_grande.sight import propose as casa_grande_propose
from companion.games.casa_grande.undoing import hands as casa_grande_hands
from companion.games.cassa_grande import rules as cassa_grande_rules
from companion.games.cassa_grande.prompting import prompt
from companion.games.cassa_grande.reviewing import review
from companion.games.cassa_grande.scoring import rematch
from companion.games.cassa_grande.sight import propose
from companion.games.cassa_grande.undoing import hands
from companion.games.cassa_grande.wording import LOUD, SENTENCES

GAMES: Mapping[str, Game] = {
    game.name: game
    for game in (
        Game(
            "cassa-grande",
            "Cassa Grande",
            cassa_grande_rules,
            SENTENCES,
            prompt,
            hands,
            propose=propose,
            loud=LOUD,
            review=review,
            rematch=rematch,
        ),
        Game(
            "casa-grande",
            "Casa Grande",
            casa_grande_rules,
            casa_grande_wording.SENTENCES,
            casa_grande_prompt,
            casa_grande_hands,
            propose=casa_grande_propose,
            roll=casa_grande_rules.roll,
            loud=casa_grande_wording.LOUD,
            rematch=casa_grande_rules.rematch,
        ),
    )
}
