"""What every game promises, played at random. A game joins by one entry in CONTESTANTS."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import journal_text
from companion.errors import printable
from companion.games import GAMES, Game
from companion.games.casa_grande import moves as casa_moves
from companion.games.casa_grande import setup as casa_setup
from companion.games.casa_grande.pieces import BY_HAND, read_piece
from companion.games.casa_grande.state import Phase as CasaPhase
from companion.games.casa_grande.state import State as CasaState
from companion.games.cassa_grande.moves import Dealt, Placed, Swapped, TurnedOver
from companion.games.cassa_grande.pieces import FACES
from companion.games.cassa_grande.setup import CHOICES, HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State, box
from companion.journal import Adjusted, Amended, Journal, Played, Undone, replay, stand
from companion.rules import IllegalMove
from companion.sight import UNKNOWN
from companion.wording import agreed_sentence, event_sentence, line_sentence, refusal_sentence

LISTED = 60
"""How many of a state's legal moves are looked at; some states have more than can be listed."""


@dataclass(frozen=True)
class Contestant:
    """A game under test: its setups, moves of every kind (mostly against the rules), and one legal move by chance."""

    game: Game
    setups: st.SearchStrategy[Any]
    stray_moves: st.SearchStrategy[Any]
    choose: Callable[[Any, random.Random], Any]


# --- Cassa Grande


def cassa_grande_setup(players: int, variants: frozenset[str], house: HouseRules, rounds: int, first: int) -> Setup:
    return Setup(players, variants, house, rounds, first * (2 if players == 2 else 1))


def cassa_grande_choose(state: State, chance: random.Random) -> Any:
    """Chance moves with faces that nobody can list, and else any legal move."""
    if state.phase == Phase.DEAL:
        cards = "".join(chance.sample(state.setup.cards, len(state.setup.cards)))
        each = len(cards) // state.setup.players
        hands = [cards[start : start + each] for start in range(0, len(cards), each)]
        return Dealt(tuple(UNKNOWN if chance.random() < 0.3 else hand for hand in hands))
    if state.phase == Phase.TURN_OVER:
        return shuffled_grid(state, chance)
    return chance.choice(list(GAMES["cassa-grande"].rules.legal_moves(state)))


def shuffled_grid(state: State, chance: random.Random) -> TurnedOver:
    """The first grid that fits, with each player's face-down cards shuffled."""
    rows = [list(row) for row in next(GAMES["cassa-grande"].rules.legal_moves(state)).rows]
    top, left, _, _ = box(tuple(card.cell for card in state.layout))
    for seat in state.setup.seats:
        spots = [
            (card.cell[0] - top, card.cell[1] - left)
            for card in state.layout
            if card.seat == seat and card.face == UNKNOWN
        ]
        faces = [rows[row][column] for row, column in spots]
        chance.shuffle(faces)
        for (row, column), face in zip(spots, faces, strict=True):
            rows[row][column] = face
    return TurnedOver(tuple(map("".join, rows)))


def cassa_grande_stray_moves() -> st.SearchStrategy[Any]:
    seats, faces = st.integers(0, 3), st.sampled_from(FACES + UNKNOWN)
    cells = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
    row = st.text(FACES + UNKNOWN + ".X", min_size=1, max_size=7)
    return st.one_of(
        st.builds(Placed, seats, cells, faces),
        st.builds(Swapped, seats, seats, faces, faces),
        st.builds(Dealt, st.lists(row, min_size=1, max_size=5).map(tuple)),
        st.builds(TurnedOver, st.lists(row, min_size=1, max_size=7).map(tuple)),
    )


CASSA_GRANDE = Contestant(
    GAMES["cassa-grande"],
    st.builds(
        cassa_grande_setup,
        st.sampled_from([2, 4]),
        st.frozensets(st.sampled_from("ABCDE")),
        st.builds(HouseRules, **{rule: st.sampled_from(choices) for rule, choices in CHOICES.items()}),
        st.integers(1, 3),
        st.integers(0, 1),
    ),
    cassa_grande_stray_moves(),
    cassa_grande_choose,
)

# --- Casa Grande

CASA_BOXES = (
    None,
    ("I1 2x #", "I2 3x ##", "I3 3x #o#", "L4 2x #oo/..#", "T5 1x #o#/.o./.#. flips"),
    ("I2 9x #o", "F5 4x .##/oo./.o. flips", "Q4 2x ##/##"),
)
"""Platforms of several boxes; small ones fit often."""


def casa_grande_setup(
    players: int,
    first: int,
    blocks: int,
    house: casa_setup.HouseRules,
    colours: list[str] | None,
    start: list[int] | None,
    drawn: tuple[str, ...] | None,
) -> casa_setup.Setup:
    return casa_setup.Setup(
        players,
        first % players,
        blocks,
        house,
        None if colours is None else tuple(colours[:players]),
        None if start is None else tuple(start[:players]),
        None if drawn is None else tuple(map(read_piece, drawn)),
    )


def casa_grande_choose(state: CasaState, chance: random.Random) -> Any:
    """Any legal move; blocks mostly where one of the seat's own lies already or is near, for platforms need them."""
    listed = list(GAMES["casa-grande"].rules.legal_moves(state))
    if state.phase is not CasaPhase.BLOCK or chance.random() < 0.2:
        return chance.choice(listed)
    own = [plot for plot in casa_plots() if (top := state.top(plot)) is not None and top.seat == state.turn]
    near = [m for m in listed if any(abs(m.plot[0] - r) + abs(m.plot[1] - c) <= 2 for r, c in own)]
    return chance.choice(near or listed)


def casa_plots() -> list[tuple[int, int]]:
    return [(row, column) for row in range(8) for column in range(8)]


def casa_grande_stray_moves() -> st.SearchStrategy[Any]:
    seats, spots = st.integers(0, 4), st.tuples(st.integers(-2, 9), st.integers(-2, 9))
    names = st.sampled_from([BY_HAND, "I1", "I2", "I3", "O4", "none"])

    def floored(seat: int, piece: str, squares: frozenset[tuple[int, int]], marks: int) -> Any:
        in_order = tuple(sorted(squares))
        return casa_moves.Floored(seat, piece, in_order, in_order[:marks])

    areas = st.frozensets(spots, min_size=1, max_size=5)
    pairs = spots.map(lambda spot: frozenset({spot, (spot[0], spot[1] + 1)}))
    return st.one_of(
        st.builds(casa_moves.Rolled, seats, st.integers(0, 9)),
        st.builds(casa_moves.Stepped, seats, st.integers(0, 12)),
        st.builds(casa_moves.Built, seats, spots),
        st.builds(floored, seats, names, st.one_of(areas, pairs), st.integers(0, 5)),
        st.builds(casa_moves.Done, seats),
    )


CASA_GRANDE = Contestant(
    GAMES["casa-grande"],
    st.builds(
        casa_grande_setup,
        st.sampled_from(casa_setup.PLAYERS),
        st.integers(0, 3),
        st.integers(1, 24),
        st.builds(
            casa_setup.HouseRules,
            **{rule: st.sampled_from(choices) for rule, choices in casa_setup.CHOICES.items()},
        ),
        st.none() | st.permutations(casa_setup.COLOURS),
        st.none() | st.permutations(casa_setup.CORNERS),
        st.sampled_from(CASA_BOXES),
    ),
    casa_grande_stray_moves(),
    casa_grande_choose,
)

CONTESTANTS = [CASSA_GRANDE, CASA_GRANDE]


# --- The contract

every_game = pytest.mark.parametrize("contestant", CONTESTANTS, ids=lambda contestant: contestant.game.name)
lengths = st.integers(0, 110)
seeds = st.integers(0, 2**32)
names = st.text(min_size=1, max_size=12)


def course(contestant: Contestant, setup: Any, length: int, seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """A random play: (state before, move, state after) for each move, until it ends or is long enough."""
    chance = random.Random(seed)
    state = contestant.game.rules.new(setup)
    for _ in range(length):
        if next(contestant.game.rules.legal_moves(state), None) is None:
            return
        move = contestant.choose(state, chance)
        after, _ = contestant.game.rules.apply(state, move)
        yield state, move, after
        state = after


def last_state(contestant: Contestant, setup: Any, length: int, seed: int) -> Any:
    state = contestant.game.rules.new(setup)
    for _, _, after in course(contestant, setup, length, seed):
        state = after
    return state


def played(contestant: Contestant, setup: Any, length: int, seed: int) -> Journal[Any, Any]:
    entries = tuple(Played(move) for _, move, _ in course(contestant, setup, length, seed))
    return Journal(contestant.game.name, setup, {}, entries)


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_no_function_changes_its_arguments(contestant: Contestant, data: st.DataObject, length: int, seed: int) -> None:
    rules, setup = contestant.game.rules, data.draw(contestant.setups)
    state = last_state(contestant, setup, length, seed)
    before = copy.deepcopy((setup, state))
    for move in islice(rules.legal_moves(state), 3):
        kept = copy.deepcopy(move)
        rules.refusal(state, move)
        rules.apply(state, move)
        assert move == kept
    rules.to_act(state)
    rules.score(state)
    assert (setup, state) == before


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_a_replay_ends_where_the_play_ended(
    contestant: Contestant, data: st.DataObject, length: int, seed: int
) -> None:
    setup = data.draw(contestant.setups)
    result = replay(contestant.game.rules, played(contestant, setup, length, seed))
    assert result.refused is None
    assert result.state == last_state(contestant, setup, length, seed)
    assert result.sheets == contestant.game.rules.score(result.state)


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds, back=st.integers(0, 110))
def test_undo_leads_back_step_by_step(
    contestant: Contestant, data: st.DataObject, length: int, seed: int, back: int
) -> None:
    setup, rules = data.draw(contestant.setups), contestant.game.rules
    journal = played(contestant, setup, length, seed)
    back = min(back, journal.revision)
    undone = Journal(journal.game, setup, {}, journal.entries + (Undone(),) * back)
    kept = Journal(journal.game, setup, {}, journal.entries[: journal.revision - back])
    assert replay(rules, undone) == replay(rules, kept)
    home = Journal(journal.game, setup, {}, journal.entries + (Undone(),) * journal.revision)
    assert replay(rules, home).state == rules.new(setup)
    too_far = Journal(journal.game, setup, {}, (*home.entries, Undone()))
    refused = replay(rules, too_far).refused
    assert refused is not None
    assert (refused.entry, refused.refusal.rule) == (too_far.revision - 1, "nothing_to_undo")


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_every_move_has_a_line_of_text_and_back(
    contestant: Contestant, data: st.DataObject, length: int, seed: int
) -> None:
    rules = contestant.game.rules
    for _, move, _ in course(contestant, data.draw(contestant.setups), length, seed):
        text = rules.write(move)
        assert "\n" not in text
        assert text == text.strip()
        assert rules.read(text) == move
    stray = data.draw(contestant.stray_moves)
    assert rules.read(rules.write(stray)) == stray


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_every_listed_move_is_accepted(contestant: Contestant, data: st.DataObject, length: int, seed: int) -> None:
    rules, setup = contestant.game.rules, data.draw(contestant.setups)
    state = last_state(contestant, setup, length, seed)
    listed = list(islice(rules.legal_moves(state), LISTED))
    assert len(set(map(rules.write, listed))) == len(listed)
    for move in listed:
        assert rules.refusal(state, move) is None
        after, events = rules.apply(state, move)
        assert after != state
        assert events
        for event in events:
            assert event_sentence(contestant.game.sentences, event).endswith(".")
    assert set(rules.to_act(state)) <= set(rules.seats(setup))
    if not listed:
        assert rules.to_act(state) == ()


@every_game
@settings(max_examples=50, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_apply_raises_exactly_when_there_is_a_refusal(
    contestant: Contestant, data: st.DataObject, length: int, seed: int
) -> None:
    rules = contestant.game.rules
    state = last_state(contestant, data.draw(contestant.setups), length, seed)
    before = copy.deepcopy(state)
    for move in data.draw(st.lists(contestant.stray_moves, min_size=1, max_size=8)):
        refusal = rules.refusal(state, move)
        if refusal is None:
            rules.apply(state, move)
        else:
            assert refusal_sentence(contestant.game.sentences, refusal).endswith(".")
            with pytest.raises(IllegalMove) as caught:
                rules.apply(state, move)
            assert caught.value.refusal == refusal
        assert state == before


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_a_total_is_the_sum_of_its_explained_lines(
    contestant: Contestant, data: st.DataObject, length: int, seed: int
) -> None:
    rules, setup = contestant.game.rules, data.draw(contestant.setups)
    sheets = rules.score(last_state(contestant, setup, length, seed))
    assert sheets
    for sheet in sheets:
        assert sheet.seats == rules.seats(setup)
        for seat in sheet.seats:
            assert sheet.total(seat) == sum(line.points for line in sheet.lines if line.seat == seat)
        for line in sheet.lines:
            assert str(line.points) in line_sentence(contestant.game.sentences, line)


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds, points=st.integers(-(10**9), 10**9), reason=st.text())
def test_an_adjustment_is_a_line_of_the_result(
    contestant: Contestant, data: st.DataObject, length: int, seed: int, points: int, reason: str
) -> None:
    rules, setup = contestant.game.rules, data.draw(contestant.setups)
    journal = played(contestant, setup, length, seed)
    seat = data.draw(st.sampled_from(rules.seats(setup)))
    adjusted = Journal(journal.game, setup, {}, (*journal.entries, Adjusted(seat, points, reason)))
    plain, changed = replay(rules, journal), replay(rules, adjusted)
    assert changed.state == plain.state
    assert changed.sheets[-1].total(seat) == plain.sheets[-1].total(seat) + points
    line = changed.sheets[-1].lines_of(seat)[-1]
    sentence = line_sentence(contestant.game.sentences, line)
    assert line.facts["reason"] == reason
    assert printable(reason) in sentence
    assert len(sentence.splitlines()) == 1
    undone = Journal(journal.game, setup, {}, (*adjusted.entries, Undone()))
    assert replay(rules, undone) == plain


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_a_journal_survives_its_text(contestant: Contestant, data: st.DataObject, length: int, seed: int) -> None:
    rules, setup = contestant.game.rules, data.draw(contestant.setups)
    seats = st.sampled_from(rules.seats(setup))
    more = st.lists(st.one_of(st.just(Undone()), st.builds(Adjusted, seats, st.integers(-999, 999), st.text())))
    journal = Journal(
        contestant.game.name,
        setup,
        data.draw(st.dictionaries(seats, names)),
        (*played(contestant, setup, length, seed).entries, *data.draw(more)),
    )
    text = journal_text.write(rules, journal)
    assert journal_text.read(text, {contestant.game.name: rules}) == journal
    assert rules.read_setup(rules.write_setup(setup)) == setup
    for entry in range(journal.revision):
        line = text.split("\n")[journal_text.line_of_entry(text, entry) - 1]
        assert line == journal_text.write_entry(rules, journal.entries[entry])


def agreed_play(contestant: Contestant, setup: Any, strays: list[Any], length: int, seed: int) -> Journal[Any, Any]:
    """A random play in which moves against the rules are made too, wherever the table may agree to them."""
    rules, chance = contestant.game.rules, random.Random(seed)
    state, entries = rules.new(setup), []
    for _ in range(length):
        if next(rules.legal_moves(state), None) is None:
            break
        wanted = chance.choice([*strays, contestant.choose(state, chance)])
        agreed = rules.refusal(state, wanted, agreed=True) is None
        move = wanted if agreed else contestant.choose(state, chance)
        entries.append(Played(move, agreed))
        state, _ = rules.apply(state, move, agreed)
    return Journal(contestant.game.name, setup, {}, tuple(entries))


@every_game
@settings(max_examples=40, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_what_is_agreed_is_played_and_undone_like_any_other_move(
    contestant: Contestant, data: st.DataObject, length: int, seed: int
) -> None:
    setup, rules = data.draw(contestant.setups), contestant.game.rules
    strays = data.draw(st.lists(contestant.stray_moves, min_size=1, max_size=30))
    journal = agreed_play(contestant, setup, strays, length, seed)
    standing, refused = stand(rules, journal)
    assert refused is None
    text = journal_text.write(rules, journal)
    assert journal_text.read(text, {contestant.game.name: rules}) == journal
    for before, step in pairwise(standing.steps):
        assert isinstance(step.entry, Played)
        assert step.waived == rules.refusal(before.state, step.entry.move)
        assert (step.state, step.events) == rules.apply(before.state, step.entry.move, agreed=step.waived is not None)
        for event in (*step.events, *contestant.game.hands(step.state, before.state)):
            assert event_sentence(contestant.game.sentences, event).endswith(".")
        if step.waived is not None:
            assert agreed_sentence(contestant.game.sentences, step.waived).endswith(".")
    for move in islice(rules.legal_moves(standing.state), LISTED):
        assert rules.refusal(standing.state, move) is None
    assert rules.score(standing.state)
    home = replace(journal, entries=journal.entries + (Undone(),) * journal.revision)
    assert replay(rules, home).state == rules.new(setup)


@every_game
@settings(max_examples=50, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_an_agreement_waives_rules_and_makes_none(
    contestant: Contestant, data: st.DataObject, length: int, seed: int
) -> None:
    rules = contestant.game.rules
    state = last_state(contestant, data.draw(contestant.setups), length, seed)
    for move in islice(rules.legal_moves(state), 5):
        assert rules.refusal(state, move, agreed=True) is None
        assert rules.apply(state, move, agreed=True) == rules.apply(state, move)
    for move in data.draw(st.lists(contestant.stray_moves, min_size=1, max_size=8)):
        refusal = rules.refusal(state, move, agreed=True)
        if refusal is not None:
            assert rules.refusal(state, move) is not None
            with pytest.raises(IllegalMove) as caught:
                rules.apply(state, move, agreed=True)
            assert caught.value.refusal == refusal


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_no_move_begins_like_another_entry(contestant: Contestant, data: st.DataObject, length: int, seed: int) -> None:
    rules = contestant.game.rules
    moves = [move for _, move, _ in course(contestant, data.draw(contestant.setups), length, seed)]
    for move in [*moves, data.draw(contestant.stray_moves)]:
        assert not rules.write(move).startswith(("undo", "adjust ", "agreed ", "amend "))


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), length=lengths, seed=seeds)
def test_an_amendment_is_the_play_with_the_other_move(
    contestant: Contestant, data: st.DataObject, length: int, seed: int
) -> None:
    setup, rules = data.draw(contestant.setups), contestant.game.rules
    journal = played(contestant, setup, length, seed)
    if not journal.revision:
        return
    position = data.draw(st.integers(0, journal.revision - 1))
    before = replay(rules, replace(journal, entries=journal.entries[:position])).state
    other = contestant.choose(before, random.Random(seed + 1))
    amended = replace(journal, entries=(*journal.entries, Amended(position, other)))
    result = replay(rules, amended)
    if result.refused is None:
        entries = list(journal.entries)
        entries[position] = Played(other)
        turns_aside = [Played(e.move, agreed=True) if isinstance(e, Played) else e for e in entries[position + 1 :]]
        assert result == replay(rules, replace(journal, entries=(*entries[: position + 1], *turns_aside)))
    undone = replace(amended, entries=(*amended.entries, Undone()))
    if result.refused is None:
        assert replay(rules, undone) == replay(rules, journal)
    text = journal_text.write(rules, amended)
    assert journal_text.read(text, {contestant.game.name: rules}) == amended


def test_every_game_is_under_contract() -> None:
    assert {contestant.game.name for contestant in CONTESTANTS} == set(GAMES)
