"""Synthetic photographs of whole layouts with their truth, in the format of the truth files of the fixtures.

Run: python -m vision.training.layouts --seed 1 --count 20 --out DIR
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.artwork import distractor, find_typefaces, random_deck
from vision.training.clutter import THINGS, hand
from vision.training.deals import KINDS, deal, totals
from vision.training.flatscene import THING, FlatScene, Points, Shadow
from vision.training.photolight import lit, photographed
from vision.training.placing import Placing, place
from vision.training.tablecam import TableCamera
from vision.training.tables import Picture, plain_near, random_floor, random_table

SIZES = ((1920, 1440), (1920, 1440), (1920, 1440), (1920, 1280), (1920, 1080), (1440, 1920), (1080, 1920), (1600, 1600))
LABELS = 250


@dataclass(frozen=True, slots=True)
class Scene:
    """One photograph, (H, W, 3) uint8 BGR, and its truth.

    `label` (H, W) uint8 says what is seen at each pixel: 0 the table, k + 1 the card `quads[k]`, THING anything else.
    `quads` (N, 4, 2) px, clockwise: the layout's cards first, then spare cards beside it.
    """

    picture: Picture
    label: NDArray[np.uint8]
    quads: Points
    truth: dict[str, Any]


class Faces(Protocol):
    """The artwork of a deck, as `vision.training.artwork.Deck` gives it."""

    @property
    def corner_radius(self) -> float:
        """As a share of the side."""

    @property
    def drawn_by_hand(self) -> bool:
        """Whether two cards of one value differ."""

    def face(self, value: str, rng: np.random.Generator) -> Picture:
        """A card's face, or its "back": square, uint8 BGR."""


def random_scene(
    rng: np.random.Generator, size: tuple[int, int] | None = None, supersample: float = 1.0, deck: Faces | None = None
) -> Scene:
    """A photograph of any deck, deal, table, lamp and camera; `size` (width, height) px is one of SIZES by default.

    Raises: FileNotFoundError when a deck has to be drawn and the machine has no typefaces.
    """
    width, height = size or SIZES[rng.integers(len(SIZES))]
    kind = str(rng.choice(KINDS, p=[0.4, 0.12, 0.18, 0.15, 0.15]))
    dealt = deal(rng, kind)
    strange = deck is None and rng.random() < 0.7
    if deck is None:
        if not find_typefaces():
            raise FileNotFoundError("This machine has no typefaces to draw cards with: install some fonts.")
        deck = random_deck(rng, find_typefaces())
    placing = place(rng, dealt, (width, height))
    scene, table = _table(rng, placing, deck, supersample)
    _things(rng, scene, placing)
    art = _Art(rng, deck, strange and placing.aspect != 1)
    _lay(rng, scene, placing, art, deck.corner_radius)
    hand_in_view = rng.random() < 0.12
    if hand_in_view:
        _reach_in(rng, scene, placing)
    picture, label = _seen(scene, placing.camera)
    gloss = ((label > 0) & (label < THING)).astype(np.float32) * np.float32(rng.uniform(0, 1))
    picture, light_tags = lit(rng, picture, gloss)
    picture = photographed(rng, picture, 1.2 * max(width, height) / 640)
    tags = sorted({kind, *light_tags, *placing.tags, *(["hand"] if hand_in_view else [])})
    quads = np.stack([placing.camera.project(card.corners_mm) for card in placing.laid])
    return Scene(picture, label, quads, _truth(placing, quads, label, table, tags))


def _table(rng: np.random.Generator, placing: Placing, deck: Faces, supersample: float) -> tuple[FlatScene, str]:
    """An empty canvas that holds all the camera sees of the table."""
    low, high = placing.view_mm
    scale = min(placing.px_per_mm * 1.15 * supersample, 3.0 * placing.camera.width * supersample / max(high - low))
    size = (int((high[1] - low[1]) * scale) + 2, int((high[0] - low[0]) * scale) + 2)
    if rng.random() < 0.18:
        face = deck.face(str(rng.choice(list("01234,"))), rng)
        rim = np.median(face[8:-8, 8:20].reshape(-1, 3), axis=0)
        picture, name = plain_near(rng, size, scale, rim.astype(np.float32)), "plain_near"
    else:
        picture, name = random_table(rng, size, scale)
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 1.2)
    shift = (float(far * np.cos(angle)), float(far * np.sin(angle)))
    shadow = Shadow(shift, rng.uniform(0.25, 1.2), rng.uniform(0.1, 0.7))
    scene = FlatScene(picture, np.zeros(size, np.uint8), scale, (float(low[0]), float(low[1])), shadow)
    if rng.random() < 0.25:
        _table_edge(rng, scene, placing)
    return scene, name


def _table_edge(rng: np.random.Generator, scene: FlatScene, placing: Placing) -> None:
    """Let the table end somewhere beside the layout; the floor shows beyond."""
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-way[1], way[0]])
    edge = max((card.corners_mm @ way).max() for card in placing.laid) + rng.uniform(8, 150)
    corners = [way * edge + across * 3e3, way * 4e3 + across * 3e3, way * 4e3 - across * 3e3, way * edge - across * 3e3]
    size = (scene.label.shape[0], scene.label.shape[1])
    mask = np.zeros(size, np.uint8)
    cv2.fillPoly(mask, [np.round(scene.px(np.array(corners))).astype(np.int32)], 255)
    floor = random_floor(rng, size, scene.scale)
    scene.picture[mask > 0] = floor[mask > 0]


def _lay(rng: np.random.Generator, scene: FlatScene, placing: Placing, art: _Art, corner_radius: float) -> None:
    """Lay all cards in their order from the table up."""
    alpha = _outline(corner_radius, placing.aspect)
    thick = rng.uniform(0.5, 2.0)
    for k in np.argsort([card.level for card in placing.laid]):
        card = placing.laid[k]
        face = art.face(card.value if card.state == "up" else "back")
        if placing.aspect != 1:
            face = np.asarray(cv2.resize(face, alpha.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
        face = np.clip(face * rng.normal(1, 0.025), 0, 255).astype(np.uint8)
        scene.lay_card(face, alpha, card.corners_mm, int(k) + 1, thick * (12 if card.state == "turning" else 1))


class _Art:
    """The faces of one deck, each painted once (twice when drawn by hand); a strange deck has other faces."""

    def __init__(self, rng: np.random.Generator, deck: Faces, strange: bool) -> None:
        self._rng = rng
        self._deck = deck
        self._strange = strange
        self._painted: dict[tuple[str, int], Picture] = {}

    def face(self, value: str) -> Picture:
        key = (value, int(self._rng.integers(2)) if self._deck.drawn_by_hand or self._strange else 0)
        if key not in self._painted:
            odd = self._strange and value != "back"
            self._painted[key] = distractor(self._rng) if odd else self._deck.face(value, self._rng)
        return self._painted[key]


def _outline(corner_radius: float, aspect: float) -> Picture:
    """The alpha of a card with its rounded corners, (h, w) uint8."""
    side = 192
    w, h = (round(side * aspect), side) if aspect >= 1 else (side, round(side / aspect))
    alpha = np.zeros((h, w), np.uint8)
    r = round(corner_radius * side)
    cv2.rectangle(alpha, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1)
    return alpha


def _things(rng: np.random.Generator, scene: FlatScene, placing: Placing) -> None:
    """Lay clutter around the layout."""
    if rng.random() < 0.3:
        return
    middle, reach = placing.middle_mm, placing.reach_mm
    for _ in range(int(rng.integers(1, 7))):
        angle = rng.uniform(0, 2 * np.pi)
        far = reach * rng.uniform(0.75, 1.6) + 40
        at = middle + far * np.array([np.cos(angle), np.sin(angle)])
        THINGS[rng.integers(len(THINGS))](rng, scene, at)


def _reach_in(rng: np.random.Generator, scene: FlatScene, placing: Placing) -> None:
    card = placing.laid[rng.integers(len(placing.laid))]
    tip = card.corners_mm.mean(axis=0) + rng.normal(0, 15, 2)
    way = tip - placing.middle_mm + rng.normal(0, 40, 2)
    hand(rng, scene, tip, np.asarray(way / (np.linalg.norm(way) + 1e-9)))


def _seen(scene: FlatScene, camera: TableCamera) -> tuple[Picture, NDArray[np.uint8]]:
    """What the camera makes of the canvas: the picture, and the label at each of its pixels."""
    step = 8
    xs, ys = np.arange(0, camera.width + step, step), np.arange(0, camera.height + step, step)
    knots = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(float)
    at = scene.px(camera.unproject(knots)).reshape(len(ys), len(xs), 2).astype(np.float32)
    x, y = np.meshgrid(np.arange(camera.width) / step, np.arange(camera.height) / step)
    fine = cv2.remap(at, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    map_x, map_y = np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])
    source = scene.picture
    picture = cv2.remap(source, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    label = cv2.remap(scene.label, map_x, map_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(picture, np.uint8), np.asarray(label, np.uint8)


def _truth(placing: Placing, quads: Points, label: NDArray[np.uint8], table: str, tags: list[str]) -> dict[str, Any]:
    dealt, camera = placing.deal, placing.camera
    finished = dealt.kind in ("full6", "full5")
    square = placing.aspect == 1
    cards, spares = [], []
    for k, (card, quad) in enumerate(zip(placing.laid, quads, strict=True)):
        occluded, covered = hidden_shares(label, quad, k + 1)
        seen = {"corners_px": quad.round(1).tolist(), "occluded": round(occluded, 3), "covered": round(covered, 3)}
        if card.spot is None:
            spares.append(seen)
            continue
        cards.append({"row": card.spot[0], "col": card.spot[1], "value": card.value, "state": card.state,
                      "seat": card.seat, "angle_deg": round(card.angle_deg, 2), "level": card.level,
                      "visible_side": "face" if card.state == "up" else "back", **seen})  # fmt: skip
    return {
        "scene": "cards", "width": camera.width, "height": camera.height,
        "kind": dealt.kind if square or not finished else "training",
        "rows": len(dealt.faces), "cols": len(dealt.faces[0]),
        "grid": dealt.seen, "true_values": dealt.faces, "state": dealt.states, "finished": finished and square,
        "totals": totals(dealt.faces) if dealt.kind not in ("progress6", "scatter") else None,
        "card_mm": placing.card_mm, "table": table, "tags": tags,
        "camera": {"tilt_deg": round(camera.tilt_deg, 1), "azimuth_deg": round(camera.azimuth_deg, 1),
                   "roll_deg": round(placing.lean_deg, 1), "f_px": round(camera.focal_px, 1),
                   "k1": round(camera.k1, 4), "k2": round(camera.k2, 4)},
        "cards": cards, "spares": spares,
    }  # fmt: skip


def hidden_shares(label: NDArray[np.uint8], quad: Points, own: int) -> tuple[float, float]:
    """The shares (0..1) of a card's outline that a thing and that other cards hide; (1, 0) when out of the picture."""
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    high = np.ceil(quad.max(axis=0)).astype(int) + 1
    part = label[low[1] : high[1], low[0] : high[0]]
    if part.size == 0:
        return 1.0, 0.0
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad - low).astype(np.int32), 1)
    seen = part[inside > 0]
    if seen.size == 0:
        return 1.0, 0.0
    return float((seen == THING).mean()), float(((seen > 0) & (seen < THING) & (seen != own)).mean())


def write(scene: Scene, folder: Path, name: str) -> None:
    """Write NAME.jpg and NAME.json."""
    cv2.imwrite(str(folder / f"{name}.jpg"), scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    truth = {"image": f"{name}.jpg", **scene.truth}
    (folder / f"{name}.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a folder of photographs with truth files."""
    parser = argparse.ArgumentParser(description="Make synthetic photographs of layouts, with truth files.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args(arguments)
    wanted.out.mkdir(parents=True, exist_ok=True)
    for index in range(wanted.count):
        rng = np.random.default_rng([wanted.seed, index])
        write(random_scene(rng, supersample=1.2), wanted.out, f"layout_{wanted.seed}_{index:03d}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
