"""The money, every payment explained.

Source: rule digest, "Levels", "Bonus scale" and "End".
"""

from __future__ import annotations

from companion.games.casa_grande.state import Payment, State
from companion.score import Facts, ScoreLine, ScoreSheet

TITLE = "Money"


def sheet(state: State) -> ScoreSheet:
    """A line a payment, oldest first; of equal totals the one higher on the bonus scale ranks higher."""
    lines = tuple(map(_line, state.payments))
    return ScoreSheet(TITLE, state.setup.seats, lines, tie_breaks={p.seat: p.bonus for p in state.players})


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
