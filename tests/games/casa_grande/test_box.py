"""Box profiles: the sample, an owner's own, and all that may be wrong with one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.box import read
from companion.errors import BoxError, NotationError
from companion.games.casa_grande import box
from companion.games.casa_grande.pieces import Piece, fits, places, problems, read_piece, ways, write_piece

SAMPLE = Path(box.__file__).with_name("sample.toml").read_text(encoding="utf-8")

MINE = """
game = "casa-grande"
name = "Zoë's copy"
blocks_each = 20

[sizes]
pitch_mm = 20
layer_mm = 18.5

[[piece]]
name = "T5"
shape = ["#o#", ".o.", ".#."]
confidence = "sure"

[[piece]]
name = "F5"
count = 3
shape = [".##", "oo.", ".o."]
flippable = true
"""


def keys(text: str) -> list[str]:
    with pytest.raises(BoxError) as caught:
        read(text, box.check, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    return [key for key, _ in caught.value.problems]


def test_the_sample_has_seventeen_platforms_and_says_that_they_are_ours() -> None:
    sample = box.load()
    assert sum(piece.count for piece in sample.pieces) == 17
    assert {known.confidence for known in sample.known} == {"ours"}
    assert {len(piece.squares) for piece in sample.pieces} == {3, 4, 5, 6, 9}
    shapes = {piece.name: piece for piece in sample.pieces}
    assert (len(shapes["T5"].squares), len(shapes["T5"].marked)) == (5, 3)
    assert "OURS" in SAMPLE
    assert not [problem for piece in sample.pieces for problem in problems(piece)]
    assert not any(piece.flippable for piece in sample.pieces)


def test_an_owners_copy(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    mine = box.load(path)
    assert (mine.name, mine.blocks_each) == ("Zoë's copy", 20)
    assert (mine.sizes.pitch_mm, mine.sizes.layer_mm, mine.sizes.block_mm) == (20.0, 18.5, 15.6)
    assert [(piece.name, piece.count, piece.flippable) for piece in mine.pieces] == [("T5", 1, False), ("F5", 3, True)]
    assert [known.confidence for known in mine.known] == ["sure", "reported"]
    assert mine.pieces[0].marked == ((0, 0), (0, 2), (2, 1))


@pytest.mark.parametrize("text", [SAMPLE, MINE])
def test_a_profile_is_written_as_it_was_read(text: str) -> None:
    profile = read(text, box.check)
    assert read(box.write(profile), box.check) == profile
    quoted = replace(profile, name='a "copy" \\ of mine')
    assert read(box.write(quoted), box.check) == quoted


def test_all_errors_are_named_at_once() -> None:
    text = """
        game = "cassa-grande"
        colour = "red"
        blocks_each = 0
        [sizes]
        pitch_mm = "17"
        layer_mm = 0
        depth_mm = 4
        [[piece]]
        name = "I3"
        count = 0
        shape = ["#o#"]
        [[piece]]
        name = "I3"
        shape = ["ooo"]
        flippable = "no"
        confidence = "certain"
        [[piece]]
        name = "3x"
        shape = ["#.#"]
        [[piece]]
        name = "W"
        shape = ["#a"]
        [[piece]]
        shape = []
    """
    assert sorted(keys(text)) == sorted(
        [
            "game", "colour", "name", "blocks_each", "sizes.pitch_mm", "sizes.layer_mm", "sizes.depth_mm",
            "piece.1.count", "piece.2", "piece.2.flippable", "piece.2.confidence", "piece.3", "piece.3",
            "piece.4.shape", "piece.5.name", "piece.5.shape", "piece",
        ]
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "game = 1", MINE.split("[[piece]]", maxsplit=1)[0], "piece = 3", "[[piece]]\n" * 41]
)
def test_a_profile_without_what_it_needs(text: str) -> None:
    assert "piece" in keys(text)


def test_a_file_that_is_not_there_or_no_toml(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(BoxError, match="cannot be read"):
            box.load(path)
    bad = tmp_path / "bad.toml"
    bad.write_text("game = ", encoding="utf-8")
    with pytest.raises(BoxError, match="not TOML"):
        box.load(bad)


@pytest.mark.parametrize(
    ("piece", "clause"),
    [
        (Piece("I2", ((0, 0), (0, 2)), ((0, 0),)), "in one piece"),
        (Piece("I2", ((0, 0), (1, 1)), ((0, 0),)), "in one piece"),
        (Piece("I2", ((0, 0), (0, 1)), ()), "marked square"),
        (Piece("I2", ((0, 0), (0, 1)), ((1, 0),)), "none of its squares"),
        (Piece("I2", ((0, 0), (0, 0)), ((0, 0),)), "twice"),
        (Piece("I2", (), ()), "1 to 16 squares"),
        (Piece("I2", tuple((0, column) for column in range(17)), ((0, 0),)), "1 to 16 squares"),
        (Piece("2", ((0, 0),), ((0, 0),)), "name"),
        (Piece("I1", ((0, 0),), ((0, 0),), 0), "1 to 17 times"),
        (Piece("I1", ((0, 0),), ((0, 0),), 18), "1 to 17 times"),
    ],
)
def test_what_is_wrong_with_a_piece(piece: Piece, clause: str) -> None:
    assert any(clause in problem for problem in problems(piece))


@pytest.mark.parametrize(
    ("drawn", "turns", "on_board"),
    [
        ("Q4 1x ##/##", 1, 49),
        ("I3 1x #o#", 2, 96),
        ("O4 1x #o/o#", 2, 98),
        ("L3 1x ##/#.", 4, 196),
        ("L4 1x ##/#./#.", 4, 168),
        ("L4 1x ##/#./#. flips", 8, 336),
        ("T5 1x #o#/.o./.#.", 4, 144),
        ("T5 1x #o#/.o./.#. flips", 4, 144),
        ("I9 1x #########", 2, 0),
    ],
)
def test_how_often_a_piece_fits_the_empty_board(drawn: str, turns: int, on_board: int) -> None:
    piece = read_piece(drawn)
    assert len(ways(piece)) == turns
    assert len(places(piece)) == on_board
    assert all(fits(piece, place.footprint) for place in places(piece))


shapes = st.lists(st.text("#o.", min_size=1, max_size=4), min_size=1, max_size=4).filter(
    lambda rows: "#" in "".join(rows)
)


@given(shapes, st.integers(0, 99), st.booleans())
def test_a_piece_has_a_line_of_text_and_back(rows: list[str], count: int, flips: bool) -> None:
    piece = read_piece(f"P {count}x {'/'.join(rows)}{' flips' * flips}")
    assert read_piece(write_piece(piece)) == piece


@pytest.mark.parametrize(
    "text", ["", "I3", "I3 2x", "I3 2x ab", "I3 2 #o#", "3I 2x #", "I3 2x ...", "I3 100x #", "I3 -1x #"]
)
def test_what_is_no_piece(text: str) -> None:
    with pytest.raises(NotationError):
        read_piece(text)
