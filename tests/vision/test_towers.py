"""A photographed play of Casa Grande: the turns as it was taken, turned round, in the dark, with hands, and not at all.

The photographs are rendered with physical light; `golden/play.json` of the game's own tests tells what was played.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.casa_grande import play_json, rules
from companion.games.casa_grande.moves import Built, Floored
from companion.games.casa_grande.play_json import PlayFile
from companion.games.casa_grande.state import State
from companion.sight import Match, Outcome, Proposal, Reading
from vision.recognisers.casa_grande import BoardReader
from vision.towers import pose
from vision.towers.pose import Lens, View

Pixels = NDArray[np.uint8]

PHOTOS = Path(__file__).parent / "towers"
PLAY = json.loads((Path(__file__).parents[1] / "games/casa_grande/golden/play.json").read_text())
NAMES = [PLAY["setup_photo"], *(turn["photo"] for turn in PLAY["turns"])]


def picture(number: int) -> Pixels:
    loaded = cv2.imread(str(PHOTOS / NAMES[number]))
    assert loaded is not None
    return np.asarray(loaded, np.uint8)


def key(moves: Any) -> tuple[Any, ...]:
    """What a turn leaves on the board."""
    blocks = [move.plot for move in moves if isinstance(move, Built)]
    return (*blocks, *(move.squares for move in moves if isinstance(move, Floored)))


@dataclass
class Judged:
    """How the proposals of a play were."""

    turns: int = 0
    clear: int = 0
    wrong: int = 0
    among_three: int = 0


def watched(play: PlayFile, shown: Callable[[int], Pixels], turns: int) -> Judged:
    """Each turn's picture read, then the true turn confirmed."""
    reader, state, found = BoardReader(play.sizes), rules.new(play.setup), Judged()
    reader.read(shown(0), state)
    for number, turn in enumerate(play.turns[:turns], start=1):
        state, _ = rules.apply(state, turn.moves[0])
        proposal = explained(reader.read(shown(number), state))
        true = key(turn.moves)
        right = bool(proposal.options) and key(proposal.options[0].moves) == true
        found.turns += 1
        found.clear += proposal.match is Match.CLEAR and right
        found.wrong += proposal.match is Match.CLEAR and not right
        found.among_three += true in [key(option.moves) for option in proposal.options[:3]]
        for move in turn.moves[1:]:
            state, _ = rules.apply(state, move)
    return found


def explained(reading: Reading) -> Proposal[Any]:
    return reading.explained or Proposal(Match.UNREADABLE)


def dark(image: Pixels) -> Pixels:
    noise = np.random.default_rng(3).normal(0, 4, image.shape)
    return np.clip(image * 0.4 + noise, 0, 255).astype(np.uint8)


def warm(image: Pixels) -> Pixels:
    return np.clip(image * np.array([0.72, 0.92, 1.06]), 0, 255).astype(np.uint8)


def bumped(image: Pixels, number: int) -> Pixels:
    """The board or the camera was knocked by about a centimetre, and turned a little."""
    height, width = image.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), 2.0 * np.sin(number * 2.1), 0.94)
    move[:, 2] += (16 * np.sin(number * 1.3), 12 * np.cos(number * 2.2))
    return np.asarray(cv2.warpAffine(image, move, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)


def turned_round() -> PlayFile:
    """The same play as the far side sees it."""
    play = copy.deepcopy(PLAY)
    play["start"] = {colour: (space + 10) % 20 for colour, space in play["start"].items()}
    for turn in play["turns"]:
        block, platform = turn["move"]["block"], turn["move"]["platform"]
        if block:
            block["plot"] = [7 - at for at in block["plot"]]
        for squares in ("squares", "marked") if platform else ():
            platform[squares] = [[7 - at for at in spot] for spot in platform[squares]]
    return play_json.read(json.dumps(play))


@pytest.fixture(scope="module")
def play() -> PlayFile:
    return play_json.read(json.dumps(PLAY))


def test_a_play_is_followed_turn_by_turn(play: PlayFile) -> None:
    found = watched(play, picture, 25)
    assert (found.turns, found.wrong, found.among_three) == (25, 0, 25)
    assert found.clear >= 22


@pytest.mark.parametrize(
    ("shown", "turns", "least"),
    [
        pytest.param(lambda number: dark(picture(number)), 16, 10, id="dark"),
        pytest.param(lambda number: warm(picture(number)), 10, 8, id="warm"),
        pytest.param(lambda number: bumped(picture(number), number), 10, 8, id="bumped"),
    ],
)
def test_nothing_wrong_is_clear_under_other_light_and_after_a_knock(
    play: PlayFile, shown: Callable[[int], Pixels], turns: int, least: int
) -> None:
    found = watched(play, shown, turns)
    assert found.wrong == 0
    assert found.clear >= least


def test_from_the_other_side_of_the_table(play: PlayFile) -> None:
    found = watched(turned_round(), lambda number: np.ascontiguousarray(picture(number)[::-1, ::-1]), 10)
    assert found.wrong == 0
    assert found.clear >= 8
    assert play.turns[0].moves != turned_round().turns[0].moves


def after(play: PlayFile, turns: int) -> tuple[BoardReader, State]:
    """A reader that has seen so many turns confirmed, and the state with the next roll."""
    reader, state = BoardReader(play.sizes), rules.new(play.setup)
    reader.read(picture(0), state)
    for number, turn in enumerate(play.turns[:turns], start=1):
        state, _ = rules.apply(state, turn.moves[0])
        reader.read(picture(number), state)
        for move in turn.moves[1:]:
            state, _ = rules.apply(state, move)
    return reader, rules.apply(state, play.turns[turns].moves[0])[0]


def test_while_nothing_has_changed_nothing_is_proposed(play: PlayFile) -> None:
    reader, state = after(play, 3)
    assert explained(reader.read(picture(3), state)).match is Match.SETTLED


def test_a_hand_over_the_board_is_asked_away(play: PlayFile) -> None:
    reader, state = after(play, 3)
    covered = picture(4)
    height, width = covered.shape[:2]
    cv2.line(covered, (width // 3, height), (width // 2, height // 2), (122, 152, 205), 280)
    reading = reader.read(covered, state)
    assert reading.outcome is Outcome.UNREADABLE
    assert reading.reason is not None
    assert "take hands away" in reading.reason
    assert explained(reader.read(picture(4), state)).options


@pytest.mark.parametrize("part", [(0.0, 0.62), (0.38, 1.0)], ids=["left", "right"])
def test_a_board_that_is_not_whole_in_view_is_not_read(play: PlayFile, part: tuple[float, float]) -> None:
    reader, state = after(play, 1)
    whole = picture(2)
    low, high = (int(share * whole.shape[1]) for share in part)
    assert reader.read(np.ascontiguousarray(whole[:, low:high]), state).outcome is Outcome.UNREADABLE


def test_a_picture_of_no_board_is_not_taken_for_the_start(play: PlayFile) -> None:
    table = np.random.default_rng(1).integers(90, 130, (825, 1100, 3)).astype(np.uint8)
    reading = BoardReader(play.sizes).read(table, rules.new(play.setup))
    assert reading.outcome is Outcome.UNREADABLE
    assert reading.reason is not None


def test_a_level_4_top_lies_off_its_plot_by_more_than_a_plot_at_the_edge(play: PlayFile) -> None:
    lens = Lens(1200.0, 0.0, (800.0, 600.0))
    pitch, rise = play.sizes.pitch_mm, 4 * play.sizes.layer_mm
    view = View(lens, np.array([np.radians(25.0), 0.0, 0.0]), np.array([-4 * pitch, -4 * pitch, 420.0]))
    foot, top, next_plot = view.project(
        np.array([(pitch / 2, pitch / 2, 0.0), (pitch / 2, pitch / 2, rise), (pitch / 2, 1.5 * pitch, 0.0)])
    )
    assert np.linalg.norm(top - foot) > np.linalg.norm(next_plot - foot)


def test_tops_are_where_the_towers_memory_puts_them_in_the_picture(play: PlayFile) -> None:
    """The truth file has the pixel of every plot's top; the pose is learned from the empty board alone."""
    reader, state = after(play, 24)
    reader.read(picture(25), state)
    scene = reader._last
    assert scene is not None
    truth = json.loads((PHOTOS / "casa_7010_25.tops.json").read_text())
    scale = max(scene.after.image.shape) / max(picture(25).shape)
    off = []
    for row, column in np.ndindex(8, 8):
        top = truth[row][column]
        height = top["level"] * play.sizes.layer_mm
        at = np.array([[(column + 0.5) * play.sizes.pitch_mm, (row + 0.5) * play.sizes.pitch_mm, height]])
        off.append(np.linalg.norm(scene.after.view.project(at)[0] / scale - top["px"]))
    assert np.median(off) < 4.0
    assert max(off) < 10.0


def test_the_corners_may_be_given_where_no_plots_stand_out(play: PlayFile) -> None:
    found = BoardReader(play.sizes)
    found.read(picture(0), rules.new(play.setup))
    assert found._first is not None
    view = pose.scaled(found._first.view, 1100 / max(found._first.image.shape))
    end = 8 * play.sizes.pitch_mm
    corners = view.project(np.array([(0, 0, 0), (end, 0, 0), (end, end, 0), (0, end, 0)], float))
    given = BoardReader(play.sizes, corners)
    assert given.read(picture(0), rules.new(play.setup)).outcome is Outcome.CLEAR
    state, _ = rules.apply(rules.new(play.setup), play.turns[0].moves[0])
    assert key(explained(given.read(picture(1), state)).options[0].moves) == key(play.turns[0].moves)


def test_the_full_check_finds_what_the_play_does_not_know(play: PlayFile) -> None:
    reader, state = after(play, 4)
    told = reader.check(picture(4), replace(state, pips=0))
    assert told is not None
    assert len(told) > 60
    assert [each.plot for each in told if each.confidence > 0.9 and not each.fits] == []
    (row, column), layer = (3, 3), state.top((3, 3))
    assert layer is not None
    columns = list(state.columns)
    columns[row * 8 + column] = ()
    forgotten = reader.check(picture(4), replace(state, columns=tuple(columns)))
    assert forgotten is not None
    assert [each.plot for each in forgotten if each.confidence > 0.9 and not each.fits] == [(3, 3)]
