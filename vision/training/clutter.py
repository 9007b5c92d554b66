"""Things that lie on a table beside and over the cards: coins, dice, cups, phones, pencils, notebooks, hands."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.flatscene import THING, FlatScene, Points
from vision.training.tables import Field, any_colour, colour, noise, shaded

Thing = Callable[[np.random.Generator, FlatScene, Points], None]


class _Sheet:
    """A small transparent sheet in millimetres around (0, 0), to draw one thing on and stamp it."""

    def __init__(self, scene: FlatScene, half_mm: float) -> None:
        self.scene = scene
        self.half = half_mm
        n = max(4, int(2 * half_mm * scene.scale))
        self.colour = np.zeros((n, n, 3), np.uint8)
        self.alpha = np.zeros((n, n), np.uint8)

    def _px(self, points_mm: Points) -> Points:
        return np.asarray((np.atleast_2d(points_mm) + self.half) * self.scene.scale)

    def polygon(self, points_mm: Points, ink: Field) -> None:
        points = np.round(self._px(points_mm)).astype(np.int32)
        cv2.fillPoly(self.alpha, [points], 255, cv2.LINE_AA)
        cv2.fillPoly(self.colour, [points], ink.tolist(), cv2.LINE_AA)

    def disc(self, centre_mm: Points, radius_mm: float, ink: Field) -> None:
        at = np.round(self._px(centre_mm)[0]).astype(int)
        radius = max(1, round(radius_mm * self.scene.scale))
        cv2.circle(self.alpha, (at[0], at[1]), radius, 255, -1, cv2.LINE_AA)
        cv2.circle(self.colour, (at[0], at[1]), radius, ink.tolist(), -1, cv2.LINE_AA)

    def limb(self, ends_mm: Points, width_mm: float, ink: Field) -> None:
        ends = np.round(self._px(ends_mm)).astype(int)
        thick = max(1, round(width_mm * self.scene.scale))
        for canvas, value in ((self.alpha, 255.0), (self.colour, ink.tolist())):
            cv2.line(canvas, (ends[0][0], ends[0][1]), (ends[-1][0], ends[-1][1]), value, thick, cv2.LINE_AA)

    def rounded(self, depth_mm: float) -> None:
        """Darken towards the outline, as a round body does."""
        inside = cv2.distanceTransform((self.alpha > 127).astype(np.uint8), cv2.DIST_L2, 3)
        rise = np.clip(inside / (depth_mm * self.scene.scale), 0, 1)
        self.colour = shaded(self.colour.astype(np.float32), (0.45 * rise - 0.4).astype(np.float32))

    def put(self, at_mm: Points, height: float) -> None:
        left, top, w, h = cv2.boundingRect(self.alpha)
        drawn = (slice(top, top + h), slice(left, left + w))
        corner = np.round(self.scene.px(at_mm[None] - self.half)[0]).astype(int)
        at = (int(corner[0]) + left, int(corner[1]) + top)
        self.scene.stamp(self.colour[drawn], self.alpha[drawn], at, THING, height)


def _box(w: float, h: float, degrees: float) -> Points:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ np.array([[c, s], [-s, c]]))


def coin(rng: np.random.Generator, scene: FlatScene, at: Points) -> None:
    """One to four coins, metal of any kind."""
    for _ in range(int(rng.integers(1, 5))):
        radius = rng.uniform(7, 14)
        metal = colour(rng, (15, 55), (0.05, 0.6), (0.35, 0.85))
        sheet = _Sheet(scene, radius + 2)
        sheet.disc(np.zeros(2), radius, metal * 0.75)
        sheet.disc(np.zeros(2), radius * 0.86, metal)
        sheet.disc(rng.normal(0, 1, 2), radius * 0.4, metal * rng.uniform(0.7, 1.2))
        sheet.put(at + rng.normal(0, radius, 2), 3)


def die(rng: np.random.Generator, scene: FlatScene, at: Points) -> None:
    """A six-sided die, seen from above, with its pips."""
    side, turn = rng.uniform(10, 18), rng.uniform(0, 90)
    body, pip = any_colour(rng), any_colour(rng)
    if rng.random() < 0.5:
        body, pip = colour(rng, (0, 60), (0, 0.1), (0.85, 1)), colour(rng, (0, 360), (0, 0.9), (0, 0.3))
    sheet = _Sheet(scene, side)
    sheet.polygon(_box(side, side, turn), body)
    corners = _box(side * 0.5, side * 0.5, turn)
    for spot in corners[: rng.integers(0, 5)]:
        sheet.disc(spot, side * 0.1, pip)
    if rng.random() < 0.5:
        sheet.disc(np.zeros(2), side * 0.1, pip)
    sheet.put(at, 8)


def cup(rng: np.random.Generator, scene: FlatScene, at: Points) -> None:
    """A mug, bowl or glass from above: rim, drink, and a handle or none."""
    radius, body = rng.uniform(30, 50), any_colour(rng)
    sheet = _Sheet(scene, radius * 2)
    if rng.random() < 0.7:
        turn = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(turn), np.sin(turn)])
        sheet.limb(np.array([way * radius * 0.8, way * radius * 1.5]), rng.uniform(7, 12), body * 0.8)
    sheet.disc(np.zeros(2), radius, body)
    sheet.disc(np.zeros(2), radius * 0.9, np.asarray(body * 0.6, np.float32))
    sheet.disc(rng.normal(0, 2, 2), radius * rng.uniform(0.6, 0.85), any_colour(rng) * np.float32(rng.uniform(0.2, 1)))
    sheet.put(at, 25)


def phone(rng: np.random.Generator, scene: FlatScene, at: Points) -> None:
    """A phone lying on the table, its screen dark or showing something."""
    turn = rng.uniform(0, 180)
    sheet = _Sheet(scene, 90)
    sheet.polygon(_box(70, 146, turn), colour(rng, (0, 360), (0, 0.3), (0.02, 0.4)))
    sheet.polygon(_box(64, 138, turn), any_colour(rng) * np.float32(rng.choice([0.15, 1.0])))
    sheet.put(at, 8)


def pencil(rng: np.random.Generator, scene: FlatScene, at: Points) -> None:
    """A pencil or marker of any colour."""
    length, width, turn = rng.uniform(110, 190), rng.uniform(6, 14), rng.uniform(0, 180)
    sheet = _Sheet(scene, length / 2 + 3)
    way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * length / 2
    sheet.limb(np.array([-way, way]), width * 0.5, colour(rng, (20, 50), (0.2, 0.5), (0.5, 0.9)))
    sheet.limb(np.array([-way, way * 0.85]), width, any_colour(rng))
    sheet.rounded(width / 2)
    sheet.put(at, 7)


def notebook(rng: np.random.Generator, scene: FlatScene, at: Points) -> None:
    """A score pad or sheet, ruled or written on, larger than a card."""
    w, h, turn = rng.uniform(90, 160), rng.uniform(110, 220), rng.uniform(0, 180)
    sheet = _Sheet(scene, 140)
    paper = colour(rng, (30, 60), (0, 0.3), (0.75, 1))
    sheet.polygon(_box(w, h, turn), paper)
    ink = colour(rng, (180, 260), (0, 0.7), (0.3, 0.8))
    pitch, words = rng.uniform(5, 11), rng.random() < 0.6
    back = _box(1, 0, turn)[1] * 2, _box(0, 1, turn)[2] * 2
    for line in np.arange(-h / 2 + 12, h / 2 - 4, pitch):
        ends = np.array([back[0] * -w / 2, back[0] * w / 2]) + back[1] * line
        sheet.limb(ends, 0.4, ink)
        for _ in range(int(rng.integers(0, 5)) * words):
            x, length = rng.uniform(-w / 2 + 4, w / 2 - 12), rng.uniform(3, 9)
            word = np.array([back[0] * x, back[0] * (x + length)]) + back[1] * (line - 2)
            sheet.limb(word, 1.8, ink * 0.4)
    sheet.put(at, rng.uniform(1, 15))


def box(rng: np.random.Generator, scene: FlatScene, at: Points) -> None:
    """A book, game box or tray: a large board of one colour with a smaller one on it."""
    w, h, turn = rng.uniform(100, 260), rng.uniform(120, 260), rng.uniform(0, 180)
    sheet = _Sheet(scene, 190)
    sheet.polygon(_box(w, h, turn), any_colour(rng))
    sheet.polygon(_box(w * rng.uniform(0.4, 0.95), h * rng.uniform(0.1, 0.95), turn), any_colour(rng))
    sheet.put(at, rng.uniform(5, 40))


THINGS: tuple[Thing, ...] = (coin, coin, die, die, cup, cup, phone, pencil, pencil, notebook, notebook, box)


def hand(rng: np.random.Generator, scene: FlatScene, at: Points, away: Points) -> None:
    """A hand whose finger tips are near `at`, its arm leaving along the direction `away` (2,)."""
    skin = colour(rng, (8, 28), (0.25, 0.65), (0.25, 0.95))
    size = rng.uniform(0.8, 1.1)
    side = np.array([-away[1], away[0]]) * rng.choice([-1.0, 1.0])
    sheet = _Sheet(scene, 330)
    palm = away * 85 * size
    for finger in range(4):
        root = palm + side * (finger - 1.5) * 20 * size - away * 30 * size
        bend = rng.uniform(0.3, 1.0)
        tip = root - away * 62 * size * bend + side * (finger - 1.5) * rng.uniform(0, 9)
        sheet.limb(np.array([root, tip]), rng.uniform(14, 18) * size, skin)
    thumb = palm + side * 40 * size
    sheet.limb(np.array([thumb, thumb - away * 45 * size + side * rng.uniform(-20, 15)]), 20 * size, skin)
    sheet.limb(np.array([palm - away * 10, palm + away * 25 * size]), 80 * size, skin)
    sleeve = skin if rng.random() < 0.4 else any_colour(rng)
    sheet.limb(np.array([palm + away * 60 * size, palm + away * 230]), rng.uniform(55, 85) * size, sleeve)
    sheet.rounded(14)
    sheet.colour = shaded(sheet.colour.astype(np.float32), 0.03 * noise(rng, sheet.alpha.shape, 5 * scene.scale, 2))
    sheet.put(at, rng.uniform(8, 35))
