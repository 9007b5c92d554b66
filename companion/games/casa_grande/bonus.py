"""The bonus scale and the purse: points gained, the forced cash-in at nine, payments with their notes.

Source: rule digest, "Bonus scale" and "Levels".
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.casa_grande import bank
from companion.games.casa_grande.state import Payment, Player, State
from companion.rules import Event, Seat
from companion.score import Facts

CASH_IN = 9
"""Reaching this on the scale pays as many lire; the surplus is lost and the marker goes back to 0."""

Events = tuple[Event, ...]


def gained(state: State, seat: Seat, points: int) -> tuple[State, Events]:
    """A seat gains points on the scale, and cashes in where it reaches nine."""
    player = state.player(seat)
    reached = player.bonus + points
    if reached < CASH_IN:
        return state.with_player(replace(player, bonus=reached)), ()
    given, change = bank.cash_in(state.bank, player.notes, owed(player))
    payment = Payment(seat, CASH_IN, "cash_in", state.round, given=given, change=change)
    state, events = paid(state.with_player(replace(player, bonus=0)), payment)
    return state, (Event("cash_in", {"seat": seat, "lire": CASH_IN}), *events)


def paid(state: State, payment: Payment) -> tuple[State, Events]:
    """The bank pays a seat; what notes change hands is told."""
    player = state.player(payment.seat)
    notes = bank.minus(bank.plus(player.notes, payment.given), payment.change)
    stock = bank.plus(bank.minus(state.bank, payment.given), payment.change)
    player = replace(player, lire=player.lire + payment.lire, notes=notes)
    payments = (*state.payments, payment)
    state = replace(state, players=state.players_with(player), bank=stock, payments=payments)
    return state, _notes_told(payment, owed(player))


def owed(player: Player) -> int:
    """What the bank could not pay so far, in lire."""
    return player.lire - bank.worth(player.notes)


def _notes_told(payment: Payment, missing: int) -> Events:
    facts: Facts = {"seat": payment.seat, "given": bank.told(payment.given), "change": bank.told(payment.change)}
    events = [Event("notes_with_change" if any(payment.change) else "notes", facts)] if any(payment.given) else []
    if missing:
        events.append(Event("bank_short", {"seat": payment.seat, "lire": missing}))
    return tuple(events)
