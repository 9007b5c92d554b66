"""What the hands are told after an undo, an amendment or a redo, done on a table of wood."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import pytest

from companion.games.casa_grande import bank, rules
from companion.games.casa_grande.board import PLOTS
from companion.games.casa_grande.moves import Built, Floored
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import NOTES, Notes, Phase, State
from companion.games.casa_grande.undoing import hands
from companion.games.casa_grande.wording import SENTENCES
from companion.rules import Event
from companion.wording import event_sentence

Play = Callable[..., State]


def told(events: Iterable[Event]) -> list[str]:
    return [event_sentence(SENTENCES, event) for event in events]


@dataclass
class Wood:
    """Things in the order in which they were laid; what lies above another must come off first."""

    things: list[tuple[str, int, frozenset[tuple[int, int]], int]] = field(default_factory=list)
    spaces: dict[int, int] = field(default_factory=dict)
    points: dict[int, int] = field(default_factory=dict)
    purses: dict[int, Notes] = field(default_factory=dict)

    @classmethod
    def of(cls, state: State) -> Wood:
        made, floors = cls(), set()
        for level in range(1, 60):
            for plot in PLOTS:
                for layer in state.column(plot):
                    if layer.floor is None and layer.level == level:
                        made.things.append(("block", layer.seat, frozenset({plot}), level))
            for number, floor in enumerate(state.floors):
                if floor.level == level and number not in floors:
                    floors.add(number)
                    made.things.append((floor.piece, floor.seat, frozenset(floor.squares), level))
        made.spaces = {player.seat: player.space for player in state.players}
        made.points = {player.seat: player.bonus for player in state.players}
        made.purses = {player.seat: player.notes for player in state.players}
        return made

    def high(self, plots: frozenset[tuple[int, int]]) -> int:
        return max((level for _, _, there, level in self.things if there & plots), default=0)

    def do(self, event: Event) -> None:
        """One instruction; it fails where hands could not follow it."""
        facts, verb = event.facts, event.name
        seat = facts["seat"]
        match verb:
            case "take_block" | "take_floor":
                name, plots = self.named(event)
                (thing,) = [each for each in self.things if each[:2] == (name, seat) and each[2] == plots][-1:]
                above = [other for other in self.things if other[2] & plots and self.over(other, thing)]
                assert not above, f"{thing} lies under {above}"
                self.things.remove(thing)
            case "put_block" | "put_floor":
                name, plots = self.named(event)
                self.things.append((name, seat, plots, self.high(plots) + (name == "block")))
            case "move_piece":
                assert self.spaces[seat] == facts["old"]
                self.spaces[seat] = facts["space"]
            case "move_marker":
                self.points[seat] = facts["points"]
            case "pay_back":
                self.purses[seat] = changed(self.purses[seat], facts["given"], -1)
            case "pay_again" | "change_notes":
                self.purses[seat] = changed(self.purses[seat], facts["given"], 1)
            case _:
                raise AssertionError(verb)

    @staticmethod
    def over(other: tuple, thing: tuple) -> bool:
        return (other[3], other[0] != "block") > (thing[3], thing[0] != "block")

    def named(self, event: Event) -> tuple[str, frozenset[tuple[int, int]]]:
        return str(event.facts.get("piece", "block")), frozenset(event.spots)


def changed(purse: Notes, text: str, sign: int) -> Notes:
    """A purse with the notes of "25 + 6 - 3" more or fewer."""
    for minus, note in re.findall(r"(- )?(\d+)", text):
        # All notes behind the minus sign go the other way.
        behind = minus or " - " in text[: text.rindex(note)]
        number = NOTES.index(int(note))
        purse = tuple(count + sign * (-1 if behind else 1) * (place == number) for place, count in enumerate(purse))
    return purse


def test_a_block_a_piece_and_a_marker_go_back(play: Play) -> None:
    start = rules.new(Setup())
    later = play(start, "A rolls 1", "A steps 1", "A builds 4,0")
    assert told(hands(later, start)) == [
        "Take A's block off 4,0.",
        "Move A's piece back from space 17 to space 15.",
        "Set A's bonus marker to 5.",
    ]
    assert hands(later, later) == ()
    assert hands(start, play(start, "A rolls 1")) == ()
    assert told(hands(start, later))[0] == "Put A's block back on 4,0."


def test_a_platform_is_paid_back_in_the_notes_it_was_paid_with(table: Play) -> None:
    before = table(Setup(), "A builds 2,2", "A builds 2,4")
    after, _ = rules.apply(before, rules.read("A floors T5 2,2! 2,3 2,4! 3,3 4,3!"), agreed=True)
    assert told(hands(after, before)) == [
        "Take A's platform T5 off: 2,2, 2,3, 2,4, 3,3, 4,3.",
        "A pays 5 lire back to the bank: 5.",
    ]
    assert told(hands(before, after)) == [
        "Lay A's platform T5 again: 2,2, 2,3, 2,4, 3,3, 4,3.",
        "The bank pays A 5 lire again: 5.",
    ]


def test_change_goes_back_too(table: Play) -> None:
    before = replace(table(Setup(), "A builds 0,0", "A builds 0,0"), bank=(0, 0, 12, 0, 0, 0))
    before = before.with_player(replace(before.player(0), notes=(1, 0, 0, 0, 0, 0), lire=3))
    after, _ = rules.apply(before, rules.read("A floors * 0,0!"))
    assert after.player(0).notes == (0, 0, 1, 0, 0, 0)
    assert told(hands(after, before))[1] == "A pays 2 lire back to the bank: 5 - 3."
    notes_alone = before.with_player(replace(before.player(0), notes=(0, 0, 0, 0, 0, 0)))
    assert told(hands(notes_alone, before)) == ["The bank changes notes with A: 3."]


def test_what_stands_on_a_floor_comes_off_before_the_floor_that_lies_on_something_else_now(table: Play) -> None:
    """An amendment took a block from under a floor; the tower on the floor's other end is in the way."""
    floor = "A floors I3 2,2! 2,3 2,4!"
    with_block = table(Setup(), "B builds 2,3", "A builds 2,2", "A builds 2,4", floor, "A builds 2,2")
    without = table(Setup(), "A builds 2,2", "A builds 2,4", floor, "A builds 2,2")
    assert [event.name for event in hands(with_block, without)] == [
        "take_block", "take_floor", "take_block", "put_floor", "put_block",
    ]  # fmt: skip
    done(with_block, without)


def done(before: State, after: State) -> None:
    """What the hands are told brings the one table to the other."""
    wood, wanted = Wood.of(before), Wood.of(after)
    for event in hands(before, after):
        wood.do(event)
    assert sorted(wood.things, key=str) == sorted(wanted.things, key=str)
    assert (wood.spaces, wood.points) == (wanted.spaces, wanted.points)
    assert wood.purses == wanted.purses
    for player in after.players:
        assert bank.worth(wood.purses[player.seat]) == player.lire


def random_states(seed: int, turns: int) -> list[State]:
    """The states of a random play with low towers all over the middle."""
    chance, state = random.Random(seed), rules.new(Setup(players=2))
    states = [state]
    for _ in range(turns):
        state = replace(state, phase=Phase.BLOCK)
        plot = chance.randrange(3), chance.randrange(4)
        state, _ = rules.apply(state, Built(state.turn, plot), agreed=True)
        states.append(state)
        floors = [move for move in rules.legal_moves(state) if isinstance(move, Floored)]
        move = chance.choice(floors) if floors and chance.random() < 0.7 else rules.read(f"{'AB'[state.turn]} done")
        state, _ = rules.apply(state, move)
        states.append(state)
    return states


@pytest.mark.parametrize("seed", range(10))
def test_hands_can_follow_and_reach_the_other_table_from_any_to_any(seed: int) -> None:
    """States of one play, as undo and redo have them, and of two plays, as an amendment may."""
    here, there = random_states(seed, 20), random_states(seed + 100, 20)
    chance = random.Random(seed)
    assert any(state.floors for state in here)
    for _ in range(40):
        one, other = chance.choice(here), chance.choice(here + there)
        done(one, other)
        done(other, one)
        for event in hands(one, other):
            assert event_sentence(SENTENCES, event).endswith(".")
