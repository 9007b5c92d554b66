"""Questions that players ask: what steps cost and open, what may be laid and pays, what others could make of a plot.

Nothing here decides: whatever is answered has been asked of the rules.
Source: rule digest, "What goes wrong at the table".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.games.casa_grande import building, floors
from companion.games.casa_grande.board import SPACES, after, is_corner, lane
from companion.games.casa_grande.bonus import CASH_IN
from companion.games.casa_grande.course import CORNER_GAIN, apply_legal
from companion.games.casa_grande.moves import Built, Floored, Move, Stepped
from companion.games.casa_grande.state import Phase, State
from companion.rules import Seat
from companion.sight import Spot

PIPS = range(1, 7)


@dataclass(frozen=True, slots=True)
class Gain:
    """Bonus points for a seat; `cashes_in`: they bring it to nine, and so nine lire."""

    seat: Seat
    points: int
    cashes_in: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """A space that the piece can go to: its price in bonus points, and what it opens.

    `lane` are the plots beside it and `plots` those of them that a block may go on; both empty on a corner, where
    `gain` is what staying brings, if anything.
    """

    space: int
    bought: int
    lane: tuple[Spot, ...]
    plots: tuple[Spot, ...]
    gain: Gain | None = None


@dataclass(frozen=True, slots=True)
class BlockOffer:
    """A plot that a block may go on: the level it gets there, and what another seat gains by it."""

    move: Built
    level: int
    gain: Gain | None


@dataclass(frozen=True, slots=True)
class FloorOffer:
    """A platform that may be laid: its level and its pay, which is its squares times the level."""

    move: Floored
    level: int
    lire: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The rest of a turn: its moves in order, its pay (cash-ins left out), its price and what others gain."""

    moves: tuple[Move, ...]
    lire: int
    bought: int
    gain: Gain | None


@dataclass(frozen=True, slots=True)
class Chance:
    """What a seat could make of a plot with its next block.

    `rolls` holds each number of pips that can lead beside it, with the least price; `level` is the block's; `offer`
    the platform with the best pay that would rest on it, if there is one; `gain` what the plot's owner gets for it.
    """

    seat: Seat
    plot: Spot
    rolls: tuple[tuple[int, int], ...]
    level: int
    offer: FloorOffer | None
    gain: Gain | None


def shop(state: State) -> tuple[Reach, ...]:
    """Every space that the seat at turn can go to with its roll, the cheapest first; empty when no steps are due."""
    if state.phase is not Phase.STEP:
        return ()
    return tuple(_reach(state, bought) for bought in range(state.player(state.turn).bonus + 1))


def _reach(state: State, bought: int) -> Reach:
    player = state.player(state.turn)
    space = after(player.space, state.pips + bought)
    moved = state.with_player(replace(player, space=space, bonus=player.bonus - bought))
    gains = is_corner(space) and (not bought or state.setup.house.bought_corner == "gains")
    plots = tuple(move.plot for move in building.legal_moves(moved, state.turn))
    return Reach(space, bought, lane(space), plots, _gain(moved, state.turn, CORNER_GAIN) if gains else None)


def _gain(state: State, seat: Seat, points: int) -> Gain:
    return Gain(seat, points, state.player(seat).bonus + points >= CASH_IN)


def block_offers(state: State) -> tuple[BlockOffer, ...]:
    """Every plot for the block of the seat at turn; empty when no block is due."""
    if state.phase is not Phase.BLOCK:
        return ()
    return tuple(_block_offer(state, move) for move in building.legal_moves(state, state.turn))


def _block_offer(state: State, move: Built) -> BlockOffer:
    top = state.top(move.plot)
    others = top is not None and top.floor is not None and top.seat != move.seat
    gain = _gain(state, top.seat, top.level) if top is not None and others else None
    return BlockOffer(move, building.level_on(top), gain)


def floor_offers(state: State, seat: Seat) -> tuple[FloorOffer, ...]:
    """Every platform that a seat may lay on the table as it stands, the best pay first, wherever the turn is."""
    offers = (_floor_offer(state, move) for move in floors.legal_moves(state, seat))
    return tuple(sorted(offers, key=lambda offer: -offer.lire))


def _floor_offer(state: State, move: Floored) -> FloorOffer:
    level = floors.level_of(state, move)
    return FloorOffer(move, level, len(move.squares) * level)


def best_plan(state: State) -> Plan | None:
    """The rest of this turn that pays best: of equal pay the cheapest, then the one that gives others least.

    None where nothing is to be decided, or no platform can be laid in this turn.
    """
    return max(_plans(state), key=_worth, default=None)


def _worth(plan: Plan) -> tuple[int, int, int]:
    given = 0 if plan.gain is None else CASH_IN if plan.gain.cashes_in else plan.gain.points
    return plan.lire, -plan.bought, -given


def _plans(state: State) -> Iterator[Plan]:
    """The best end of the turn for each of its ways on, as far as there is one."""
    match state.phase:
        case Phase.STEP:
            for reach in shop(state):
                step = Stepped(state.turn, reach.bought)
                moved, _ = apply_legal(state, step)
                # A turn that is over has no plans; the next seat's are not asked for.
                if moved.turns == state.turns and (plan := best_plan(moved)):
                    yield replace(plan, moves=(step, *plan.moves), bought=reach.bought)
        case Phase.BLOCK:
            for offer in block_offers(state):
                built, _ = apply_legal(state, offer.move)
                if plan := best_plan(built):
                    yield replace(plan, moves=(offer.move, *plan.moves), gain=offer.gain)
        case Phase.FLOOR:
            for best in floor_offers(state, state.turn)[:1]:
                yield Plan((best.move,), best.lire, 0, None)


def chances(state: State, plot: Spot) -> tuple[Chance, ...]:
    """What each seat but the one at turn could make of a plot, in the order of turns; none that may not build there."""
    players = state.setup.players
    others = [(state.turn + more) % players for more in range(1, players)]
    return tuple(chance for seat in others if (chance := _chance(state, seat, plot)) is not None)


def _chance(state: State, seat: Seat, plot: Spot) -> Chance | None:
    player = state.player(seat)
    rolls = []
    for pips in PIPS:
        reached = (bought for bought in range(player.bonus + 1) if plot in lane(after(player.space, pips + bought)))
        rolls += [(pips, bought) for bought in list(reached)[:1]]
    waiting = replace(state, turn=seat, phase=Phase.BLOCK)
    # Whether the seat gets there is told by the rolls: here it stands beside the plot.
    beside = next(space for space in range(SPACES) if plot in lane(space))
    waiting = waiting.with_player(replace(player, space=beside))
    move = Built(seat, plot)
    if building.refusal(waiting, move) is not None:
        return None
    offer = _block_offer(state, move)
    built, _ = apply_legal(waiting, move)
    resting = (each for each in floor_offers(built, seat) if plot in each.move.marked)
    return Chance(seat, plot, tuple(rolls), offer.level, next(resting, None), offer.gain)
