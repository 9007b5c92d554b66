"""The course of a round: what follows from a legal move. No move is refused here.

Source: rule digest, "Play" 1, 4 to 6, "Tournament" and "Decided where the source is silent".
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.cassa_grande import dealing, placing, swapping
from companion.games.cassa_grande.moves import Dealt, Move, Placed, Swapped, TurnedOver
from companion.games.cassa_grande.pieces import COMMA
from companion.games.cassa_grande.scoring import clean_rows, next_starter, sheet
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import (
    Card,
    Hand,
    Phase,
    Round,
    State,
    box_size,
    cells,
    faces_up,
    grid,
    known_faces,
)
from companion.rules import Event, Seat
from companion.score import Facts
from companion.sight import UNKNOWN

Step = tuple[State, tuple[Event, ...]]


def start_round(setup: Setup, starter: Seat, rounds: tuple[Round, ...]) -> State:
    """The state at the start of a round: cards in hand and commas laid out, or (variant E) cards to be dealt."""
    if "E" in setup.variants:
        empty = tuple(Hand(seat, 0, 0, None) for seat in setup.seats)
        return State(setup, Phase.DEAL, starter, starter, empty, rounds=rounds)
    commas = setup.hand.count(COMMA)
    hands = tuple(Hand(seat, len(setup.hand) - commas, commas, setup.hand) for seat in setup.seats)
    state, _ = _release_commas(State(setup, Phase.PLACE, starter, starter, hands, rounds=rounds))
    return replace(state, turn=_seat_with_cards(state, starter))


def apply_legal(state: State, move: Move) -> Step:
    """The state after a move that is not refused, and what the move meant."""
    match move:
        case Placed():
            return _place(state, move)
        case Swapped():
            facts: Facts = {"seat": move.seat, "other": move.other}
            return _pass_turn(swapping.exchange(state, move), (Event("swapped", facts),))
        case Dealt():
            state, events = _release_commas(replace(state, hands=dealing.deal(state, move), phase=Phase.PLACE))
            state = replace(state, turn=_seat_with_cards(state, state.starter))
            return state, (Event("dealt", {"each": len(state.setup.cards) // state.setup.players}), *events)
        case TurnedOver(rows):
            return _finish_round(state, clean_rows(rows), ())


def _place(state: State, move: Placed) -> Step:
    facts: Facts = {"seat": move.seat, "row": move.cell[0], "column": move.cell[1], "face": move.face}
    open_ = faces_up(state) and move.face != UNKNOWN
    placed = Event("placed_face_up" if open_ else "placed_face_down", facts, (move.cell,))
    state = state.with_hand(placing.lay(state, move))
    state = replace(state, layout=(*state.layout, Card(move.cell, move.seat, move.face)))
    state, released = _release_commas(state)
    if "B" in state.setup.variants and swapping.partners(state):
        return replace(state, phase=Phase.SWAP), (placed, *released)
    return _pass_turn(state, (placed, *released))


def _release_commas(state: State) -> Step:
    """Commas come free for all once the limits are set, and for whoever has nothing else (`stuck_comma`)."""
    frame, rule = state.setup.frame, state.setup.house.stuck_comma
    if state.layout and not state.commas_free and box_size(cells(state)) == (frame, frame):
        return _free_commas(state), (Event("limits_set", {"frame": frame}),)
    stuck = [hand for hand in state.hands if hand.waiting and not hand.size]
    nobody_can_play = all(hand.size == 0 for hand in state.hands)
    if not stuck:
        return state, ()
    if rule == "all" or nobody_can_play:
        return _free_commas(state), (Event("commas_free"),)
    if rule == "wait":
        return state, ()
    for hand in stuck:
        state = state.with_hand(replace(hand, size=hand.waiting, waiting=0))
    return state, tuple(Event("comma_back", {"seat": hand.seat}) for hand in stuck)


def _free_commas(state: State) -> State:
    hands = tuple(replace(hand, size=hand.size + hand.waiting, waiting=0) for hand in state.hands)
    return replace(state, hands=hands, commas_free=True)


def _pass_turn(state: State, events: tuple[Event, ...]) -> Step:
    """On to the next seat that can play; once nobody can, to the cards being turned over."""
    state, released = _release_commas(state)
    events += released
    if not any(hand.size for hand in state.hands):
        if len(known_faces(state)) == len(state.layout):
            return _finish_round(state, grid(state), events)
        return replace(state, phase=Phase.TURN_OVER), (*events, Event("turn_over"))
    seats = state.setup.seats
    following = _seat_with_cards(state, seats[(seats.index(state.turn) + 1) % len(seats)])
    new_table_turn = _distance(state, following) <= _distance(state, state.turn)
    table_turn = state.table_turn + 1 if new_table_turn else state.table_turn
    return replace(state, phase=Phase.PLACE, turn=following, table_turn=table_turn), events


def _seat_with_cards(state: State, seat: Seat) -> Seat:
    """The first seat with a card to play, clockwise from this one on."""
    start = state.setup.seats.index(seat)
    clockwise = state.hands[start:] + state.hands[:start]
    return next(hand.seat for hand in clockwise if hand.size)


def _distance(state: State, seat: Seat) -> int:
    """How many seats clockwise from the round's starter."""
    seats = state.setup.seats
    return (seats.index(seat) - seats.index(state.starter)) % len(seats)


def _finish_round(state: State, rows: tuple[str, ...], events: tuple[Event, ...]) -> Step:
    setup = state.setup
    rounds = (*state.rounds, Round(state.starter, rows))
    result = sheet(rows, setup.seats, lower_wins="D" in setup.variants)
    winners = result.leaders()
    name = "round_won" if len(winners) == 1 else "round_tied"
    events += tuple(Event(name, {"seat": seat, "number": len(rounds), "total": result.total(seat)}) for seat in winners)
    if len(rounds) == setup.rounds:
        return replace(state, phase=Phase.OVER, rounds=rounds), (*events, Event("play_over"))
    starter = next_starter(setup, state.starter, winners)
    started = Event("round_starts", {"seat": starter, "number": len(rounds) + 1})
    return start_round(setup, starter, rounds), (*events, started)
