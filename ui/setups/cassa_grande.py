"""Cassa Grande before its first card."""

from __future__ import annotations

from companion.games.cassa_grande.pieces import SEATS
from companion.language import _
from ui.setups.words import HouseRule, Variant, Words

WORDS = Words(
    summary=lambda: _("Cards with digits and commas: everybody reads them from their own side."),
    seats=dict(SEATS),
    usual_players=4,
    variants=(
        Variant("A", lambda: _("Face up"), lambda: _("All cards are laid face up.")),
        Variant("B", lambda: _("Swaps"), lambda: _("After each card, swap a hidden card with an opponent.")),
        Variant("C", lambda: _("By turns"), lambda: _("Face up and face down by turns of the table.")),
        Variant("D", lambda: _("Smallest wins"), lambda: _("The smaller total wins the round.")),
        Variant("E", lambda: _("Dealt out"), lambda: _("All cards are shuffled and dealt evenly.")),
    ),
    house_rules=(
        HouseRule(
            "house.ties",
            lambda: _("Tied players share which rank's points?"),
            (("better", lambda: _("The better rank's")), ("worse", lambda: _("The worse rank's"))),
        ),
        HouseRule(
            "house.tied_start",
            lambda: _("Who starts after a tied win?"),
            (("clockwise", lambda: _("The next winner clockwise")), ("same", lambda: _("Whoever started before"))),
        ),
        HouseRule(
            "house.stuck_comma",
            lambda: _("Only the comma is left before the limits are set:"),
            (
                ("own", lambda: _("Take back your own")),
                ("all", lambda: _("All take theirs back")),
                ("wait", lambda: _("Wait for the others")),
            ),
        ),
        HouseRule(
            "house.dealt_commas",
            lambda: _("Dealt out: when may commas be played?"),
            (("after_limits", lambda: _("When the limits are set")), ("any_time", lambda: _("At any time"))),
        ),
        HouseRule(
            "house.grid_check",
            lambda: _("What must the turned cards fit?"),
            (
                ("deck", lambda: _("The deck in play")),
                ("hands", lambda: _("Each player's hand")),
                ("off", lambda: _("Nothing: we know better")),
            ),
        ),
    ),
    most_rounds=12,
)
