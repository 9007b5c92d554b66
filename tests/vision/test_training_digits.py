"""The generator of training crops, with pen and paper only: no typeface of this machine is needed."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ImageFont

from vision.rectify import CROP_PX
from vision.training import artwork, crops, distractors, handwriting, patterns, scene, typefaces
from vision.training.tables import random_table


@pytest.fixture
def no_typefaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distractors, "_typefaces", lambda: ())


@pytest.fixture
def one_typeface(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> typefaces.Typeface:
    """Pillow's own typeface as the only one of a machine."""
    font = ImageFont.load_default(20)
    assert isinstance(font, ImageFont.FreeTypeFont)
    (tmp_path / "Own-Regular.ttf").write_bytes(font.font_bytes)
    (tmp_path / "Broken-Regular.ttf").write_bytes(b"no font at all")
    monkeypatch.setattr(typefaces, "FONT_FOLDERS", (str(tmp_path),))
    typefaces.find_typefaces.cache_clear()
    (face,) = typefaces.find_typefaces()
    typefaces.find_typefaces.cache_clear()
    return face


def test_only_usable_typefaces_are_found(one_typeface: typefaces.Typeface) -> None:
    assert one_typeface.path.stem == "Own-Regular"
    digit, comma = one_typeface.mask("4", 60), one_typeface.mask(",", 60)
    assert digit.shape[0] == pytest.approx(60, abs=4)
    assert comma.shape[0] < 0.6 * digit.shape[0]


def test_a_seed_fixes_a_deck_and_its_faces(one_typeface: typefaces.Typeface) -> None:
    pictures = []
    for _ in range(2):
        rng = np.random.default_rng(4)
        deck = artwork.random_deck(rng, [one_typeface])
        pictures.append([deck.face(value, rng) for value in (*artwork.VALUES, "back")])
    for first, second in zip(*pictures, strict=True):
        assert first.shape == (patterns.SIDE, patterns.SIDE, 3)
        assert np.array_equal(first, second)


def test_the_faces_of_a_printed_deck_stay_alike_and_apart(one_typeface: typefaces.Typeface) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        deck = artwork.random_deck(rng, [one_typeface])
        faces = [deck.face(value, rng) for value in artwork.VALUES]
        again = [deck.face(value, rng) for value in artwork.VALUES]
        for place, face in enumerate(faces):
            assert deck.drawn_by_hand or np.array_equal(face, again[place])
            assert all(not np.array_equal(face, other) for other in faces[:place])


def test_every_face_carries_ink_and_the_back_none() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        deck = artwork.random_deck(rng, ())
        assert deck.drawn_by_hand
        for value in artwork.VALUES:
            assert deck.face_and_ink(value, rng)[1].mean() > 0.3
        assert not deck.face_and_ink("back", rng)[1].any()


def test_no_two_cards_drawn_by_hand_are_alike() -> None:
    rng = np.random.default_rng(2)
    deck = artwork.random_deck(rng, ())
    assert not np.array_equal(deck.face("3", rng), deck.face("3", rng))


def test_strokes_reach_over_the_whole_digit() -> None:
    rng = np.random.default_rng(0)
    for value in "0123456789":
        mask = handwriting.draw(value, 100, handwriting.random_pen(rng), rng)
        assert 90 < mask.shape[0] < 150
        assert mask.max() > 200
    wide = handwriting.draw("12", 100, handwriting.random_pen(rng), rng)
    assert wide.shape[1] > 60


def test_ink_stands_out_from_its_ground() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        ground = patterns.paper(rng)
        assert abs(patterns.luminance(patterns.against(rng, ground)) - patterns.luminance(ground)) >= 70


@pytest.mark.usefixtures("no_typefaces")
def test_crops_have_the_labels_that_were_asked_for() -> None:
    rng = np.random.default_rng(0)
    cards = crops.cards_of(artwork.random_deck(rng, ()), rng)
    tables = [random_table(rng, (128, 128), 2.0)[0]]
    for label in range(8):
        made = [crops.compose(rng, cards, label, tables) for _ in range(12)]
        kept = [one for one in made if one is not None]
        assert len(kept) >= 3
        for crop, given in kept:
            assert crop.shape == (CROP_PX, CROP_PX, 3)
            assert given in (label, crops.OTHER)


def test_the_card_lies_where_the_convention_says() -> None:
    """A white card on a black table: white inside the corners, black outside, whatever turn the quad has."""
    rng = np.random.default_rng(3)
    flat = scene.Scene(np.zeros((200, 200, 3), np.uint8), np.array([[80.0, 0, 100], [0, 80, 100], [0, 0, 1]]), 80.0)
    white = np.full((patterns.SIDE, patterns.SIDE, 3), 255, np.uint8)
    flat.place(scene.painted(white, np.zeros((patterns.SIDE, patterns.SIDE), np.uint8), 6, 0.0), scene.UNIT)
    for _ in range(20):
        crop = crops._cut(rng, flat, flat.canvas, np.zeros(2))
        assert crop[18:46, 18:46].min() > 200
        assert crop[[0, 0, -1, -1], [0, -1, 0, -1]].max() < 60


def test_half_hidden_cards_are_left_out_and_hidden_ones_refused() -> None:
    nothing = np.zeros((patterns.SIDE, patterns.SIDE), np.uint8)
    face = scene.painted(np.zeros((patterns.SIDE, patterns.SIDE, 3), np.uint8), nothing, 2, 0.0)
    assert crops._decide(face, seen=1.0, covered=0.2) == 2
    assert crops._decide(face, seen=0.5, covered=0.4) is None
    assert crops._decide(face, seen=0.1, covered=0.5) == crops.OTHER


def test_glare_washes_ink_out_only_where_all_is_white() -> None:
    lit = np.full((40, 40, 3), 255, np.float32)
    ink = np.zeros((40, 40), np.float32)
    ink[10:30, 18:22] = 255
    assert crops._unwashed(lit, ink, 40) == pytest.approx(0)
    lit[10:30, 18:22] = 30
    assert crops._unwashed(lit, ink, 40) == pytest.approx(1)


@pytest.mark.usefixtures("no_typefaces")
def test_strangers_are_painted_without_typefaces() -> None:
    rng = np.random.default_rng(1)
    pictures = [distractors.distractor(rng) for _ in range(40)]
    assert all(picture.shape == (patterns.SIDE, patterns.SIDE, 3) for picture in pictures)
    assert sum(float(cv2.meanStdDev(picture)[1].max()) > 5 for picture in pictures) > 35
