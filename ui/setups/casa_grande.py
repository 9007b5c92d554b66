"""Casa Grande before its first roll."""

from __future__ import annotations

from companion.games.casa_grande.setup import PLAYERS
from companion.language import _
from ui.setups.words import HouseRule, Words

WORDS = Words(
    summary=lambda: _("Towers, platforms and money: what each floor pays, and who is owed a bonus."),
    seats={players: tuple(range(players)) for players in PLAYERS},
    usual_players=4,
    house_rules=(
        HouseRule(
            "blocks",
            lambda: _("How many blocks has each player?"),
            (("24", lambda: _("24: all")), ("20", lambda: _("20")), ("18", lambda: _("18: a short play"))),
        ),
        HouseRule(
            "house.identical_floor",
            lambda: _("A floor of the same shape right on another:"),
            (
                ("same_squares", lambda: _("Not on the same squares")),
                ("any_overlap", lambda: _("Not where they overlap")),
                ("off", lambda: _("Always allowed")),
            ),
        ),
        HouseRule(
            "house.covering",
            lambda: _("Unmarked squares may cover:"),
            (("anyone", lambda: _("Anyone's tops")), ("own", lambda: _("Own tops only"))),
        ),
        HouseRule(
            "house.bridging",
            lambda: _("Unmarked squares over a gap:"),
            (("allowed", lambda: _("Allowed")), ("off", lambda: _("Not allowed"))),
        ),
        HouseRule(
            "house.edge",
            lambda: _("Platforms over the board's edge:"),
            (("inside", lambda: _("Not allowed")), ("over", lambda: _("Unmarked squares may"))),
        ),
        HouseRule(
            "house.bought_corner",
            lambda: _("Staying on a corner that was bought:"),
            (("gains", lambda: _("Gains 3 as well")), ("nothing", lambda: _("Gains nothing"))),
        ),
        HouseRule(
            "house.no_plot",
            lambda: _("No plot for a block in the lane:"),
            (("skip", lambda: _("A platform may follow")), ("ends", lambda: _("The turn ends"))),
        ),
    ),
)
