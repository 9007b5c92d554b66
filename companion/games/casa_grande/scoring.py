"""The money, every payment explained.

Source: rule digest, "Levels", "Bonus scale" and "End".
"""

from __future__ import annotations

from companion.games.casa_grande.state import Payment, Phase, State
from companion.language import later
from companion.score import Facts, ScoreLine, ScoreSheet

TITLE = later("Money")


def sheet(state: State) -> ScoreSheet:
    """A line a payment, oldest first; of equal totals the one higher on the bonus scale ranks higher."""
    lines = tuple(map(_line, state.payments))
    bonus = {player.seat: player.bonus for player in state.players}
    return ScoreSheet(
        TITLE, state.setup.seats, lines, tie_breaks=bonus, running=state.phase is not Phase.OVER, by_round=True
    )


def _line(payment: Payment) -> ScoreLine:
    if payment.rule == "cash_in":
        return ScoreLine(payment.seat, payment.lire, "cash_in", {"number": payment.round})
    facts: Facts = {
        "number": payment.round,
        "piece": payment.piece,
        "squares": payment.squares,
        "level": payment.level,
    }
    return ScoreLine(payment.seat, payment.lire, "floor", facts, payment.spots)
