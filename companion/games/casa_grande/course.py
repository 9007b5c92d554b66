"""What a legal move does: the state after it, and what it meant.

Source: rule digest, "Turn", "Levels", "Bonus scale" and "End".
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.casa_grande import bank, bonus, building, floors
from companion.games.casa_grande.board import after, is_corner, on_board
from companion.games.casa_grande.bonus import Events
from companion.games.casa_grande.moves import Built, Done, Floored, Move, Rolled, Stepped
from companion.games.casa_grande.state import Floor, Layer, Payment, Phase, State
from companion.rules import Event
from companion.score import Facts

CORNER_GAIN = 3
"""Bonus points for staying on a corner."""


def apply_legal(state: State, move: Move) -> tuple[State, Events]:
    """The state after a move that nothing speaks against."""
    match move:
        case Rolled(seat, pips):
            state = replace(state, pips=pips, phase=Phase.STEP)
            return state, (Event("rolled", {"seat": seat, "pips": pips}),)
        case Stepped():
            return _stepped(state, move)
        case Built():
            return _built(state, move)
        case Floored():
            return _floored(state, move)
        case Done(seat):
            return _ended(state, (Event("no_floor", {"seat": seat}),))


def _stepped(state: State, move: Stepped) -> tuple[State, Events]:
    seat, player = move.seat, state.player(move.seat)
    space = after(player.space, state.pips + move.bought)
    player = replace(player, space=space, bonus=player.bonus - move.bought)
    state = replace(state, players=state.players_with(player), phase=Phase.BLOCK)
    facts = {"seat": seat, "steps": state.pips + move.bought, "bought": move.bought, "space": space}
    told: Events = (Event("stepped_and_paid" if move.bought else "stepped", facts),)
    if is_corner(space):
        return _stayed(state, move, told)
    if building.has_plot(state, seat):
        return state, told
    told = (*told, Event("no_plot" if state.player(seat).blocks else "no_block", {"seat": seat}))
    if state.setup.house.no_plot == "ends":
        return _ended(state, told)
    return replace(state, phase=Phase.FLOOR), told


def _stayed(state: State, move: Stepped, told: Events) -> tuple[State, Events]:
    if move.bought and state.setup.house.bought_corner == "nothing":
        return _ended(state, (*told, Event("corner_nothing", {"seat": move.seat})))
    state, more = bonus.gained(state, move.seat, CORNER_GAIN)
    return _ended(state, (*told, Event("corner_gain", {"seat": move.seat, "points": CORNER_GAIN}), *more))


def _built(state: State, move: Built) -> tuple[State, Events]:
    seat, plot, top = move.seat, move.plot, state.top(move.plot)
    level = building.level_on(top)
    player = replace(state.player(seat), blocks=state.player(seat).blocks - 1)
    columns, players = state.columns_with({plot: Layer(seat, level)}), state.players_with(player)
    state = replace(state, columns=columns, players=players, phase=Phase.FLOOR)
    facts = {"seat": seat, "row": plot[0], "column": plot[1], "level": level}
    told: Events = (Event("built", facts, (plot,)),)
    if top is not None and top.floor is not None and top.seat != seat:
        gain = Event("compensated", {"seat": top.seat, "other": seat, "points": top.level}, (plot,))
        state, more = bonus.gained(state, top.seat, top.level)
        told = (*told, gain, *more)
    if player.blocks == 0 and not state.last_round:
        state, told = replace(state, last_round=True), (*told, Event("last_block", {"seat": seat}))
    return state, told


def _floored(state: State, move: Floored) -> tuple[State, Events]:
    seat, level, size = move.seat, floors.level_of(state, move), len(move.squares)
    lire = size * level
    layer, floor = Layer(seat, level, len(state.floors)), Floor(seat, move.piece, move.squares, move.marked, level)
    player = replace(state.player(seat), platforms=floors.stock_after(state, move))
    due, nines_last = lire + bonus.owed(player), state.setup.house.nines == "last"
    given, change = bank.payment(state.bank, player.notes, due, nines_last=nines_last)
    payment = Payment(seat, lire, "floor", state.round, move.piece, size, level, move.squares, given, change)
    columns = state.columns_with({spot: layer for spot in move.squares if on_board(spot)})
    players, lying = state.players_with(player), (*state.floors, floor)
    state = replace(state, columns=columns, players=players, floors=lying)
    facts: Facts = {"seat": seat, "piece": move.piece, "squares": size, "level": level, "lire": lire}
    state, more = bonus.paid(state, payment)
    return _ended(state, (Event("floored", facts, move.squares), *more))


def _ended(state: State, told: Events) -> tuple[State, Events]:
    """The turn is over: the next seat's begins, or the play ends with the round in which the last block was laid."""
    setup, turns = state.setup, state.turns + 1
    if state.last_round and turns % setup.players == 0:
        return replace(state, turns=turns, pips=0, phase=Phase.OVER), (*told, Event("play_over"))
    following = (state.turn + 1) % setup.players
    return replace(state, turns=turns, pips=0, phase=Phase.ROLL, turn=following), told
