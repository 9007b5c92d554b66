"""Crops of cards as the geometry hands them over, made from painted decks: 64 x 64 BGR, corners at 6 and 58.

A small scene is composed around one card (table, neighbours, shadow, light, things in the way), seen by a simulated
camera at the card's own resolution, and cut out again with an imprecise quad in any quarter turn.

Run `python -m vision.training.crops --out DIR --count N` to write `crops.npy`, `labels.npy` and `decks.npy`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognise import CORNERS_PX, FACES
from vision.rectify import CROP_PX
from vision.training import camera
from vision.training.artwork import SIDE, VALUES, Deck, distractor, find_typefaces, random_deck
from vision.training.distractors import NUMBERS
from vision.training.patterns import Picture
from vision.training.scene import UNIT, Card, Scene, empty_scene, painted, rotation
from vision.training.tables import random_table
from vision.training.typefaces import Typeface

BACK, OTHER = FACES.index("?"), FACES.index("*")
SHARES = (0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.08, 0.22)
"""Of each face: more of the comma, which is small and of many shapes, and of what is no face at all."""
CROPS_PER_DECK = 50
HELD_OUT_SHARE = 0.15
LEAST_DIGIT_PX = 8.0


def cards_of(deck: Deck, rng: np.random.Generator) -> list[Card]:
    """All faces of a deck, its back, and a few strangers cut to the deck's shape."""
    digit = max(placing.height for placing in deck.placings)
    spread = len([p for p in deck.placings if p.height > 0.14])
    cards = []
    for _ in range(2 if deck.drawn_by_hand else 1):
        for label, value in enumerate((*VALUES, "back")):
            picture, ink = deck.face_and_ink(value, rng)
            cards.append(painted(picture, ink, label, deck.corner_radius, spread, digit))
    nothing = np.zeros((SIDE, SIDE), np.uint8)
    strangers = [deck.face(str(rng.choice(NUMBERS)), rng) for _ in range(2)] + [distractor(rng) for _ in range(3)]
    return cards + [painted(stranger, nothing, OTHER, deck.corner_radius) for stranger in strangers]


def _neighbours(rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Corners of the cards around, in card units, for a layout laid by hand."""
    pitch, jitter = rng.uniform(0.99, 1.22), rng.uniform(0.0, 0.045)
    present = rng.uniform(0.3, 1.0)
    around = []
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            if (row, column) != (0, 0) and rng.random() < present:
                centre = np.array([column, row]) * pitch + rng.normal(0, jitter, 2)
                around.append(UNIT @ rotation(rng.normal(0, 0.05) + rng.integers(4) * np.pi / 2).T + centre)
    rng.shuffle(around)
    return around


def _quad(rng: np.random.Generator, shift: NDArray[np.float64]) -> NDArray[np.float64]:
    """The geometry's imprecise idea of the card's corners, in card units, in any quarter turn."""
    spread = rng.choice([0.005, 0.012, 0.02, 0.03])
    noise = rng.normal(0, spread, (4, 2)) + rng.normal(0, spread, 2)
    turn = np.clip(rng.normal(0, spread * 1.6), -0.14, 0.14)
    quad = UNIT @ rotation(turn).T * (1 + rng.normal(0, spread)) + np.clip(noise, -0.1, 0.1)
    return np.roll(quad, int(rng.integers(4)), axis=0) + shift


@dataclass(frozen=True)
class Plan:
    """What a crop is meant to show: a card, or none, looked at from `shift` beside it, `hidden` by something or not."""

    label: int
    card: Card | None
    shift: tuple[float, float] = (0.0, 0.0)
    hidden: bool = False


BESIDE = ((0.55, 0.0), (-0.55, 0.0), (0.0, 0.55), (0.55, 0.55), (-0.55, 0.55))


def _plan(rng: np.random.Generator, cards: list[Card], label: int) -> Plan:
    kind = rng.random()
    if label == OTHER and kind < 0.1:
        return Plan(label, None)
    if label == OTHER and kind < 0.28:
        x, y = np.array(BESIDE[int(rng.integers(len(BESIDE)))]) + rng.normal(0, 0.04, 2)
        return Plan(label, cards[int(rng.integers(len(cards)))], (float(x), float(y)))
    hidden = label == OTHER and kind > 0.87
    choice = [card for card in cards if (card.label < BACK if hidden else card.label == label)]
    return Plan(label, choice[int(rng.integers(len(choice)))], hidden=hidden)


def compose(
    rng: np.random.Generator, cards: list[Card], label: int | None, tables: list[Picture], mild: bool = False
) -> tuple[Picture, int] | None:
    """One crop and its label; None when chance made a card that a person could not decide either.

    Without a label, the crop shows a place between the cards where none lies.
    """
    scene = empty_scene(rng, tables, 45 if mild else 28)
    plan, label = (Plan(OTHER, None), OTHER) if label is None else (_plan(rng, cards, label), label)
    if plan.card is not None and scene.side * plan.card.digit < LEAST_DIGIT_PX:
        return None
    seen, covered, ink = _lay(rng, scene, plan, cards)
    lit = camera.light(rng, scene.canvas.astype(np.float32), mild)
    judged = plan.card if plan.shift == (0.0, 0.0) else None
    if judged is not None:
        decided = _decide(judged, min(seen, _unwashed(lit, ink, scene.side)), covered)
        if decided != label and not (decided == OTHER and label < BACK):
            return None
        label = decided
    crop = _cut(rng, scene, camera.photograph(rng, lit, scene.side, mild), np.array(plan.shift))
    if label < BACK and float(cv2.blur(crop, (3, 3))[12:52, 12:52].std(axis=(0, 1)).max()) < 5:
        return None
    return crop, label


def _unwashed(lit: NDArray[np.float32], ink: NDArray[np.float32], side: float) -> float:
    """The share of the ink that glare leaves to be seen: washed out is what is white with all that is near it."""
    if not ink.any():
        return 1.0
    white = (lit.min(2) > 246).astype(np.uint8)
    washed = cv2.erode(white, np.ones((3, 3), np.uint8), iterations=1 + int(side / 40))
    return float((ink * (1 - washed)).sum() / ink.sum())


def _cut(rng: np.random.Generator, scene: Scene, photograph: Picture, shift: NDArray[np.float64]) -> Picture:
    """The crop as the geometry would cut it."""
    warp = cv2.getPerspectiveTransform(
        scene.pixels(_quad(rng, shift)).astype(np.float32), np.array(CORNERS_PX, np.float32)
    )
    if scene.side > 80 and rng.random() < 0.5:
        photograph = np.asarray(cv2.GaussianBlur(photograph, (0, 0), scene.side / 52 * 0.4), np.uint8)
    flags = int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
    size = (CROP_PX, CROP_PX)
    return np.asarray(
        cv2.warpPerspective(photograph, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _lay(
    rng: np.random.Generator, scene: Scene, plan: Plan, cards: list[Card]
) -> tuple[float, float, NDArray[np.float32]]:
    """Lays the card, its neighbours and things in the way; the shares of ink seen and of card covered, and the ink."""
    around = _neighbours(rng)
    under = int(rng.integers(len(around) + 1))
    order = [*around[:under], None, *around[under:]]
    shadows = rng.random() < 0.6
    shape = scene.canvas.shape[:2]
    free, ink, body = np.ones(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for where in order:
        corners = UNIT if where is None else where
        laid = plan.card if where is None else cards[int(rng.integers(len(cards)))]
        if laid is None:
            continue
        if shadows:
            scene.shade(corners, rng)
        window, alpha = scene.place(laid, corners)
        if where is None:
            body[window] = alpha
            warp = scene.warp(SIDE, scene.pixels(UNIT), (0, 0))
            ink = np.asarray(cv2.warpPerspective(laid.ink, warp, (shape[1], shape[0])), np.float32)
        else:
            free[window] *= 1 - alpha
    if plan.hidden or rng.random() < 0.13:
        free *= 1 - camera.obstruct(rng, scene.canvas, scene.side, plan.hidden)
    seen = float((ink * free).sum() / ink.sum()) if ink.any() else 1.0
    covered = 1 - float((body * free).sum() / max(body.sum(), 1))
    return seen, covered, ink


def _decide(card: Card, seen: float, covered: float) -> int | None:
    """What a card that is partly hidden should be called; None when it could be argued about."""
    if card.label in (BACK, OTHER):
        return card.label if covered < 0.3 else OTHER if covered > 0.6 else None
    needed = 0.88 if card.spread == 1 else 0.6 if card.spread == 2 else 0.45
    if seen >= needed and covered < 0.4:
        return card.label
    return OTHER if seen < 0.2 or covered > 0.6 else None


def generate(
    seed: int,
    count: int,
    held_out: bool | None = False,
    held_out_layouts: bool | None = False,
    mild: bool = False,
    gaps: float = 0.0,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]:
    """`count` crops (N, 64, 64, 3), their labels (N,) as indices of `FACES`, and the seed of each one's deck (N,).

    `held_out` typefaces and layouts are those kept for validation; None takes both kinds. `mild`: pale cards, plainly
    printed, in a good light. `gaps`: the share of crops that show no card, over and above those that do so anyway.
    """
    fonts: list[Typeface] = [face for face in find_typefaces() if held_out in (None, face.held_out)]
    rng = np.random.default_rng([seed, held_out is not False, held_out_layouts is not False, mild])
    tables = [random_table(rng, (256, 256), rng.uniform(1.5, 4))[0] for _ in range(120)]
    crops = np.empty((count, CROP_PX, CROP_PX, 3), np.uint8)
    labels, decks = np.empty(count, np.uint8), np.empty(count, np.int64)
    done = 0
    while done < count:
        kept = rng.random() < HELD_OUT_SHARE if held_out_layouts is None else held_out_layouts
        deck = random_deck(rng, fonts, kept, mild)
        cards = cards_of(deck, rng)
        for _ in range(CROPS_PER_DECK):
            label = None if gaps and rng.random() < gaps else int(rng.choice(8, p=SHARES))
            made = compose(rng, cards, label, tables, mild)
            if made is not None and done < count:
                crops[done], labels[done] = made
                decks[done] = deck.seed
                done += 1
        if rng.random() < 0.1:
            tables[int(rng.integers(len(tables)))] = random_table(rng, (256, 256), rng.uniform(1.5, 4))[0]
    return crops, labels, decks


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="typefaces that training never sees")
    parser.add_argument("--held-out-layouts", action="store_true", help="layouts that training never sees")
    parser.add_argument("--everything", action="store_true", help="all typefaces and layouts, for the last training")
    parser.add_argument("--mild", action="store_true", help="pale cards, plainly printed, in a good light")
    parser.add_argument("--gaps", type=float, default=0.0, help="share of further crops that show no card")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    faces, layouts = arguments.held_out, arguments.held_out_layouts
    if arguments.everything:
        faces = layouts = None
    made = generate(arguments.seed, arguments.count, faces, layouts, arguments.mild, arguments.gaps)
    np.save(arguments.out / "crops.npy", made[0])
    np.save(arguments.out / "labels.npy", made[1])
    np.save(arguments.out / "decks.npy", made[2])


if __name__ == "__main__":
    main()
