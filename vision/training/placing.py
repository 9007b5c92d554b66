"""Where the cards of a deal lie on the table, and where the camera stands so that all of them are in the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.training.deals import Deal
from vision.training.tablecam import Points, TableCamera

SEATS = "ADCB"
MOST_SPREAD = 4.0


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the table. `corners_mm` (4, 2): clockwise from the face's own top left, table frame.

    `angle_deg` is its turn against the clock as the bottom seat sees it; `level` orders the cards from the table up;
    `spot` is (row, column) as the bottom seat reads the grid, None for a spare card beside the layout.
    """

    corners_mm: Points
    value: str
    state: str
    seat: str
    angle_deg: float
    level: int
    spot: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Placing:
    """A deal laid out under a camera. `lean_deg` is how far the grid leans in the picture, -45 to 45."""

    deal: Deal
    laid: list[Laid]
    camera: TableCamera
    card_mm: tuple[float, float]
    lean_deg: float
    tags: list[str]

    @property
    def aspect(self) -> float:
        """Width of a card over its height."""
        return self.card_mm[0] / self.card_mm[1]

    @property
    def layout_mm(self) -> Points:
        """The corners of the layout's cards, (N, 2)."""
        return np.concatenate([card.corners_mm for card in self.laid if card.spot is not None])

    @property
    def middle_mm(self) -> NDArray[np.float64]:
        """The middle of the layout, (2,)."""
        return np.asarray((self.layout_mm.min(axis=0) + self.layout_mm.max(axis=0)) / 2)

    @property
    def reach_mm(self) -> float:
        """From the middle of the layout to its farthest corner."""
        return float(np.linalg.norm(self.layout_mm - self.middle_mm, axis=1).max())

    @property
    def view_mm(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The box of the table that is in the picture: its lowest and its highest x and y."""
        return _view(self.camera)

    @property
    def px_per_mm(self) -> float:
        """Picture pixels per millimetre where the layout is nearest to the camera."""
        quads = [self.camera.project(card.corners_mm) for card in self.laid if card.spot is not None]
        return max(float(np.linalg.norm(q[0] - q[2])) for q in quads) / float(np.hypot(*self.card_mm))


def place(rng: np.random.Generator, dealt: Deal, size: tuple[int, int]) -> Placing:
    """Lay a deal by a hand that is more or less careful, and stand a camera over it. `size` is width, height in px."""
    card_mm, pitch_mm, tags = _measures(rng, dealt.kind)
    laid = _laid(rng, dealt, card_mm, pitch_mm)
    camera = _camera(rng, np.concatenate([card.corners_mm for card in laid]), size)
    if camera.tilt_deg > 22:
        tags.append("oblique")
    laid += _spares(rng, laid, card_mm)
    right = camera.project(np.array([[0.0, 0.0], [1.0, 0.0]]))
    lean = float(np.degrees(np.arctan2(right[1, 1] - right[0, 1], right[1, 0] - right[0, 0])))
    quarters = round(lean / 90)
    laid = [_as_seen(card, quarters, (len(dealt.faces), len(dealt.faces[0]))) for card in laid]
    return Placing(dealt.turned(quarters), laid, camera, card_mm, lean - 90 * quarters, tags)


def _measures(rng: np.random.Generator, kind: str) -> tuple[tuple[float, float], tuple[float, float], list[str]]:
    """Card and pitch (x, y) in mm, and tags. Most decks are square; some blocks use oblong cards."""
    side = rng.uniform(40, 75)
    card, tags = (side, side), []
    if kind in ("training", "scatter") and rng.random() < 0.5:
        aspect = rng.uniform(1.2, 1.6)
        card = (side * aspect, side) if rng.random() < 0.5 else (side, side * aspect)
        tags.append("oblong")
    gap = side * (rng.uniform(0, 0.12) if rng.random() < 0.6 else rng.uniform(0.1, 0.35))
    if gap < 0.04 * side:
        tags.append("touching")
    return card, (card[0] + gap, card[1] + gap), tags


def _laid(
    rng: np.random.Generator, dealt: Deal, card_mm: tuple[float, float], pitch_mm: tuple[float, float]
) -> list[Laid]:
    jitter = min(pitch_mm) * rng.uniform(0.0, 0.05)
    turn = rng.uniform(0.5, 4) if dealt.kind != "scatter" or rng.random() < 0.5 else 40.0
    one_way = rng.random() < 0.25
    spots = [(r, c) for r, row in enumerate(dealt.faces) for c, value in enumerate(row) if value is not None]
    levels = rng.permutation(len(spots)) if rng.random() < 0.7 else np.arange(len(spots))
    laid = []
    for level, (row, col) in zip(levels, spots, strict=True):
        state, value = dealt.states[row][col], dealt.faces[row][col]
        quarter = 0 if one_way else int(rng.integers(4))
        off = np.clip(rng.normal(0, jitter, 2), -0.1 * min(pitch_mm), 0.1 * min(pitch_mm))
        lean = rng.normal(0, turn)
        lean = rng.normal(0, 25) if state == "turning" else lean if turn > 12 else np.clip(lean, -12, 12)
        middle = np.array(pitch_mm) * (col - (len(dealt.faces[0]) - 1) / 2, row - (len(dealt.faces) - 1) / 2) + off
        corners = _card(card_mm, middle, float(lean))
        corners = np.roll(corners, quarter, axis=0)
        laid.append(
            Laid(corners, str(value), str(state), SEATS[quarter], float(lean + 90 * quarter), int(level), (row, col))
        )
    return laid


def _card(card_mm: tuple[float, float], middle: Points, degrees: float) -> Points:
    """Corners, clockwise from the top left, of a card turned against the clock."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(card_mm) / 2
    return np.asarray(flat @ np.array([[c, -s], [s, c]]) + middle)


def _spares(rng: np.random.Generator, laid: list[Laid], card_mm: tuple[float, float]) -> list[Laid]:
    """A spare card or a small stack beside the layout, turned any way, mostly face down."""
    if rng.random() < 0.6:
        return []
    corners = np.concatenate([card.corners_mm for card in laid])
    middle, reach = corners.mean(axis=0), np.abs(corners - corners.mean(axis=0)).max()
    spares: list[Laid] = []
    for _ in range(int(rng.integers(1, 4))):
        angle = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle)])
        at = middle + way * (reach / np.abs(way).max() + max(card_mm) * rng.uniform(0.8, 1.6))
        lean, state = rng.uniform(0, 360), "down" if rng.random() < 0.8 else "up"
        for _ in range(int(rng.integers(1, 5))):
            level = len(laid) + len(spares)
            card = _card(card_mm, at + rng.normal(0, 1.0, 2), float(lean + rng.normal(0, 2)))
            spares.append(Laid(card, "0", state, "A", float(lean), level, None))
    return spares


def _camera(rng: np.random.Generator, corners_mm: Points, size: tuple[int, int]) -> TableCamera:
    """A camera that has all corners in its picture, from anywhere a standing or sitting person would hold it."""
    fill = rng.uniform(0.4, 0.95)
    oblique = 1.0
    while True:
        tilt = oblique * (rng.uniform(0, 45) if rng.random() < 0.6 else abs(rng.normal(0, 6)))
        camera = TableCamera(
            size[0], size[1], max(size) * rng.uniform(0.8, 1.3), 500.0, min(tilt, 45.0), rng.uniform(-180, 180),
            rng.normal(0, 8), (0.0, 0.0), rng.uniform(-0.09, 0.02), rng.uniform(0, 0.01),
        )  # fmt: skip
        if rng.random() < 0.6:
            camera = replace(camera, azimuth_deg=90.0 * rng.integers(4) + rng.normal(0, 6))
        aimed = _aimed(camera, corners_mm, fill, rng.uniform(-0.5, 0.5, 2))
        if aimed is not None:
            return aimed
        oblique *= 0.9


def _aimed(camera: TableCamera, corners_mm: Points, fill: float, shift: Points) -> TableCamera | None:
    """Move the camera until the corners fill that share of the picture; None when it would see past the table."""
    size = np.array([camera.width, camera.height])
    reach = np.linalg.norm(corners_mm - corners_mm.mean(axis=0), axis=1).max()
    camera = replace(camera, distance_mm=float(3 * reach))
    for _ in range(8):
        seen = camera.project(corners_mm)
        low, high = seen.min(axis=0), seen.max(axis=0)
        grow = float(((high - low) / size).max()) / fill
        room = (size - (high - low)) * 0.9
        want = camera.middle + np.clip(shift, -0.5, 0.5) * np.maximum(room, 0)
        at = camera.unproject(np.stack([(low + high) / 2 - want + camera.middle]))[0]
        camera = replace(camera, distance_mm=camera.distance_mm * grow, target=(float(at[0]), float(at[1])))
        if camera.distance_mm < 1.2 * reach:
            return None
    seen = camera.project(corners_mm)
    if (seen < 2).any() or (seen > size - 3).any():
        return None
    low, high = _view(camera)
    frame = camera.unproject(_frame(camera))
    depth = np.column_stack([frame, np.ones(len(frame))]) @ camera.homography[2]
    inside = (depth > 0).all() and (high - low).max() < MOST_SPREAD * 2 * reach
    return camera if inside else None


def _frame(camera: TableCamera) -> Points:
    w, h = camera.width, camera.height
    return np.array([[0, 0], [w / 2, 0], [w, 0], [w, h / 2], [w, h], [w / 2, h], [0, h], [0, h / 2]], float)


def _view(camera: TableCamera) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seen = camera.unproject(_frame(camera))
    return seen.min(axis=0) - 5, seen.max(axis=0) + 5


def _as_seen(card: Laid, quarters: int, shape: tuple[int, int]) -> Laid:
    """The card as named from the seat at the picture's bottom, the grid having turned clockwise by quarters."""
    if card.spot is None:
        return card
    (row, col), (rows, cols) = card.spot, shape
    spot = ((row, col), (col, rows - 1 - row), (rows - 1 - row, cols - 1 - col), (cols - 1 - col, row))[quarters % 4]
    seat = SEATS[(SEATS.index(card.seat) - quarters) % 4]
    return replace(card, spot=spot, seat=seat, angle_deg=(card.angle_deg - 90 * quarters + 180) % 360 - 180)
