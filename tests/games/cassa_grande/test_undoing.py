"""What the hands must do for an undo or a redo, in every variant and over any number of steps."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.prompting import prompt
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase, Round, State
from companion.games.cassa_grande.tabletop import opened, table
from companion.games.cassa_grande.undoing import hands
from companion.games.cassa_grande.wording import SENTENCES
from companion.rules import Event, Seat
from companion.sight import UNKNOWN, Spot
from companion.wording import event_sentence

VARIANTS = ["", "A", "B", "C", "D", "E", "AC", "BC", "BE", "ABCDE"]
Play = Callable[..., State]


@cache
def random_play(players: int, variants: str, seed: int) -> tuple[State, ...]:
    chance = random.Random(seed)
    states = [rules.new(Setup(players=players, variants=frozenset(variants), rounds=2))]
    while states[-1].phase != Phase.OVER:
        move = chance.choice(list(islice(rules.legal_moves(states[-1]), 300)))
        states.append(rules.apply(states[-1], move)[0])
    return tuple(states)


def told(events: Sequence[Event]) -> list[str]:
    return [event_sentence(SENTENCES, event) for event in events]


def number(state: State) -> int:
    return len(state.rounds) + (state.phase != Phase.OVER)


plays = st.tuples(st.sampled_from([2, 4]), st.sampled_from(VARIANTS), st.just(0))


@given(plays, st.data())
def test_the_hands_have_something_to_do_exactly_when_table_or_hands_differ(
    play: tuple[int, str, int], data: st.DataObject
) -> None:
    states = random_play(*play)
    first, second = (data.draw(st.integers(0, len(states) - 1)) for _ in range(2))
    before, after = states[first], states[second]
    both_start = not before.layout and not after.layout and "E" not in play[1]
    differ = first != second and not (both_start and number(before) != number(after))
    sentences = told(hands(before, after))
    assert bool(sentences) == differ
    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(sentences) <= 12


@given(plays, st.data())
def test_following_the_sentences_gives_the_other_table(play: tuple[int, str, int], data: st.DataObject) -> None:
    states = random_play(*play)
    before, after = (states[data.draw(st.integers(0, len(states) - 1))] for _ in range(2))
    assert followed(before, hands(before, after), after) == (dict(table(after)), owners(after))


def owners(state: State) -> dict[Spot, Seat]:
    return {card.cell: card.seat for card in state.layout}


def followed(before: State, events: Sequence[Event], after: State) -> tuple[dict[Spot, str], dict[Spot, Seat]]:
    """What lies on the table, and whose it is, after hands have done what the events say."""
    lying, whose = dict(table(before)), owners(before)
    for event in events:
        match event.name:
            case "collect_all" | "clear_table":
                lying, whose = {}, {}
            case "take_back":
                for cell in event.spots:
                    assert whose.pop(cell) == event.facts["seat"]
                    del lying[cell]
            case "turn_down_again" | "turn_all_down_again":
                lying |= dict.fromkeys(event.spots, UNKNOWN)
            case "turn_up_again" | "turn_all_up_again":
                lying |= {cell: table(after)[cell] for cell in event.spots}
            case "lay_down_again":
                lying |= dict.fromkeys(event.spots, UNKNOWN)
                whose |= dict.fromkeys(event.spots, int(event.facts["seat"]))
            case "lay_up_again":
                faces = re.findall(r"(\w+) on -?\d", str(event.facts["cells"]).replace("comma", "C"))
                faces = ["," if face == "C" else face for face in faces]
                lying |= dict(zip(event.spots, faces, strict=True))
                whose |= dict.fromkeys(event.spots, int(event.facts["seat"]))
            case "lay_out_again":
                assert UNKNOWN not in str(event.facts["rows"])
                lying |= opened(after, str(event.facts["rows"]).split())
                whose = owners(after)
    return lying, whose


def test_one_card_is_taken_back(play: Play) -> None:
    earlier = play(Setup(), "A 0,0 ?")
    later = play(earlier, "B 0,1 ?")
    assert told(hands(later, earlier)) == ["B takes a card back in hand: 0,1."]
    assert told(hands(earlier, later)) == ["B lays a card face down again: 0,1."]


def test_cards_of_one_player_are_joined_and_the_newest_comes_first(play: Play) -> None:
    start = rules.new(Setup(players=2, variants=frozenset("A")))
    later = play(start, "A 0,0 1", "C 0,1 2", "A 1,1 3")
    assert told(hands(later, start)) == [
        "A takes 2 cards back in hand: 1,1 and 0,0.",
        "C takes a card back in hand: 0,1.",
    ]
    assert told(hands(start, later))[0] == "A lays 2 cards face up again: 1 on 0,0 and 3 on 1,1."


def test_commas_go_back_in_front_when_the_limits_are_no_longer_set(play: Play) -> None:
    cards = [f"{'ABCD'[k % 4]} {k},{k} ?" for k in range(6)]
    earlier = play(Setup(), *cards[:5])
    later = play(earlier, cards[5])
    assert told(hands(later, earlier)) == [
        "B takes a card back in hand: 5,5.",
        "All lay their comma out in front again: it waits.",
    ]
    assert told(hands(earlier, later))[0] == "All take their comma in hand again."


def test_a_swap_is_given_back(play: Play) -> None:
    start = rules.new(Setup(variants=frozenset("B")))
    laid = play(start, "A 0,0 ?")
    swapped = play(laid, "A swaps C ? ?")
    later = play(swapped, "B 0,1 ?", "B swaps D ? ?")
    assert told(hands(swapped, laid)) == ["A swaps the card back."]
    assert told(hands(later, start))[-1] == "Swap 2 cards back, the newest swap first."
    assert told(hands(laid, later))[0] == "Swap 2 cards again, the oldest swap first."


def test_a_deal_is_taken_back(play: Play) -> None:
    start = rules.new(Setup(variants=frozenset("E")))
    later = play(start, "dealt ? ? ? ?", "A 0,0 ?")
    assert told(hands(later, start)) == ["Collect all cards from table and hands."]
    assert told(hands(start, later)) == [
        "All take the cards again that they were dealt.",
        "A lays a card face down again: 0,0.",
    ]


def test_over_a_rounds_end_its_grid_is_laid_out_again(
    play: Play, lay_out: Callable[[State, Sequence[str]], State], worked_example: tuple[str, ...]
) -> None:
    ended = lay_out(rules.new(Setup(rounds=2)), worked_example)
    later = play(ended, f"{'ABCD'[ended.turn]} 0,0 ?")
    lying = lay_out(rules.new(Setup(rounds=1)), worked_example)
    before_the_end = State(ended.setup, Phase.TURN_OVER, 0, 0, lying.hands, layout=lying.layout)
    grid = "11201, 4,.00. 022104 2003.2 32,243 .402,3"
    assert told(hands(later, before_the_end)) == [
        "Take the cards of round 2 off the table; all take their own in hand.",
        f"Lay round 1 out again: {grid}, top row first, as seat A reads it.",
        "Turn all cards face down again, in place.",
    ]
    assert told(hands(before_the_end, ended))[0].startswith("Take the cards of round 1 off the table")
    assert told(hands(lying, replace(lying, phase=Phase.TURN_OVER, rounds=()))) == [
        "Turn all cards face down again, in place."
    ]


def test_a_part_of_a_grid_is_laid_out_only_if_it_fits_one_place(play: Play) -> None:
    setup = Setup(players=2, variants=frozenset("C"), rounds=2)
    early = play(setup, "A 0,0 1")
    row = play(early, "C 0,1 2", "A 1,0 ?")
    ended = (Round(0, ("31200", "40000", "00000", "00000", "00000")),)
    later = State(setup, Phase.PLACE, 2, 2, early.hands, rounds=ended)
    assert told(hands(later, row))[0] == "Lay round 1 out again: 12 0., top row first, as seat A reads it."
    ended = (Round(0, ("31200", "40120", "00000", "00000", "00000")),)
    assert "A lays a card face up again: 1 on 0,0." in told(hands(replace(later, rounds=ended), row))


@pytest.mark.parametrize("variants", VARIANTS)
@pytest.mark.parametrize("players", [2, 4])
def test_every_state_has_a_prompt(players: int, variants: str) -> None:
    for state in random_play(players, variants, 0):
        asked = prompt(state)
        assert len(event_sentence(SENTENCES, asked, dict.fromkeys(range(4), "Maximiliana"))) < 80
        assert asked.facts.get("seat", state.turn) == state.turn


def test_prompts_say_which_way_up_and_which_cards(play: Play) -> None:
    start = rules.new(Setup(variants=frozenset("C"), rounds=2))
    assert told([prompt(start)]) == ["Round 1: A lays the first card face up."]
    laid = play(start, "A 0,0 1", "B 0,1 1", "C 0,2 1", "D 0,3 1")
    assert told([prompt(laid)]) == ["A lays a digit face down; the comma waits."]


def test_what_lies_face_down_shows_its_back_though_the_program_knows_it(play: Play) -> None:
    state = play(Setup(players=2, variants=frozenset("C")), "A 0,0 1", "C 0,1 2", "A 0,2 3", "C 1,1 ?", "A 1,0 4")
    assert table(state) == {(0, 0): "1", (0, 1): "2", (0, 2): UNKNOWN, (1, 1): UNKNOWN, (1, 0): "4"}
    assert set(table(play(Setup(), "A 0,0 3")).values()) == {UNKNOWN}


def test_cards_that_were_turned_over_lie_open(
    lay_out: Callable[[State, Sequence[str]], State], worked_example: tuple[str, ...]
) -> None:
    over = lay_out(rules.new(Setup()), worked_example)
    assert table(over)[0, 0] == "1"
    assert table(over)[5, 5] == "3"
    assert len(table(over)) == 32
