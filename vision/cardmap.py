"""Where cards may lie in a photograph of any table: the card finder's maps, and quads made from them.

The network sees the whole picture at 640 x 480 and gives two maps at a quarter of that: the inside of every card, left
out an even share at each edge so that touching cards stay apart, and a small hill at every card's middle.
Spare cards beside a layout are found too: which cards form a layout is for the lattice to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import MODELS, Network

MODEL = MODELS / "cards.onnx"
SHA256 = "2d8b90a1875caa1f82dea731883c2b816bce36a27a0dcc9f3b0cfd349c2799b7"
WIDTH, HEIGHT, STRIDE = 640, 480, 4
EROSION = 0.12
"""The share of a card's side that the interior map leaves out at each edge."""
INSIDE = 0.7
PEAK = 0.3
SMALLEST_AREA_PX, THINNEST_PX = 60.0, 4.0
"""The least a region must measure, in pixels of the network's picture (a card of 10 px a side, less its edges)."""
ONE_CARD_FILL, LONGEST_CARD = 0.86, 1.8
"""A region with several middles is still one card when it fits its quad this well and is no longer than this."""
OUTLINE_POINTS = 80
NEXT, BACK = [1, 2, 3, 0], [3, 0, 1, 2]
QUARTER_TURN = np.array([[0, 1], [-1, 0]], np.float32)

Map = NDArray[np.float32]
Mask = NDArray[np.uint8]
Quad = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CardMaps:
    """Probabilities (h, w) that a card's inside, or its middle, is there; `scale` is picture px per map px.

    The map's pixel (column, row) lies at picture x = (column + 0.5) * scale - 0.5, and so for y.
    """

    interior: Map
    centre: Map
    scale: float


class CardFinder:
    """The card finder's network, loaded once and used for many pictures (not from two threads at a time)."""

    def __init__(self, model: Path = MODEL) -> None:
        """Raises: ModelError when the model's file is missing or damaged."""
        self._network = Network(model, SHA256 if model == MODEL else None)

    def maps(self, image: NDArray[np.uint8]) -> CardMaps:
        """The maps of a picture (H, W, 3) uint8 BGR; an upright picture is seen lying, as the network learnt it."""
        upright = image.shape[0] > image.shape[1]
        lying = np.rot90(image) if upright else image
        h, w = lying.shape[:2]
        shrink = min(WIDTH / w, HEIGHT / h)
        small_w, small_h = max(1, round(w * shrink)), max(1, round(h * shrink))
        small = cv2.resize(np.ascontiguousarray(lying), (small_w, small_h), interpolation=cv2.INTER_AREA)
        framed = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        framed[:small_h, :small_w] = small
        pixels = np.ascontiguousarray(framed.transpose(2, 0, 1)[None], np.float32)
        both = self._network.run(pixels)[0].reshape(2, HEIGHT // STRIDE, WIDTH // STRIDE)
        both = both[:, : -(-small_h // STRIDE), : -(-small_w // STRIDE)]
        if upright:
            both = np.rot90(both, -1, axes=(1, 2))
        interior, centre = (np.ascontiguousarray(part, np.float32) for part in both)
        return CardMaps(interior, centre, STRIDE / shrink)

    def candidates(self, image: NDArray[np.uint8]) -> list[tuple[Quad, float]]:
        """Quads of cards in a picture, (4, 2) float32 px clockwise, each with a score 0..1; the best first."""
        return decode(self.maps(image))


def decode(maps: CardMaps) -> list[tuple[Quad, float]]:
    """Quads and scores from maps: one for each region of the interior, more where a region is several cards."""
    size = (maps.interior.shape[1] * STRIDE, maps.interior.shape[0] * STRIDE)
    interior = np.asarray(cv2.resize(maps.interior, size, interpolation=cv2.INTER_LINEAR), np.float32)
    peaks = _peaks(maps.centre)
    found = []
    for inner, fill, inside in _regions(interior, peaks):
        quad = _grown(inner)
        score = inside * fill * (0.5 + 0.5 * _peak_near(peaks, quad))
        found.append((((quad + 0.5) * (maps.scale / STRIDE) - 0.5).astype(np.float32), score))
    return sorted(found, key=lambda pair: -pair[1])


def _peaks(centre: Map) -> NDArray[np.float32]:
    """The hills of the centre map: (N, 3), x and y in pixels of the network's picture, and the height."""
    smooth = cv2.GaussianBlur(centre, (3, 3), 0)
    top = (smooth >= cv2.dilate(smooth, np.ones((5, 5), np.uint8))) & (smooth > PEAK)
    rows, cols = np.nonzero(top)
    x, y = (cols + 0.5) * STRIDE - 0.5, (rows + 0.5) * STRIDE - 0.5
    return np.column_stack([x, y, smooth[rows, cols]]).astype(np.float32)


def _peak_near(peaks: NDArray[np.float32], quad: Quad) -> float:
    """The height of the hill nearest to a quad's middle, 0 when none is within a third of its size."""
    if not len(peaks):
        return 0.0
    far = np.linalg.norm(peaks[:, :2] - quad.mean(axis=0), axis=1)
    nearest = int(far.argmin())
    return float(peaks[nearest, 2]) if far[nearest] < np.sqrt(cv2.contourArea(quad)) / 3 else 0.0


def _regions(interior: Map, peaks: NDArray[np.float32]) -> Iterator[tuple[Quad, float, float]]:
    """For each card's inside: its quad in pixels of the network's picture, how well it fits, and its mean certainty."""
    count, label, stats, _ = cv2.connectedComponentsWithStats(np.asarray(interior > INSIDE, np.uint8), connectivity=4)
    at = np.round(peaks[:, :2]).astype(int).clip(0, np.array(label.shape[::-1]) - 1)
    owner = label[at[:, 1], at[:, 0]]
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        if area < SMALLEST_AREA_PX:
            continue
        corner = np.array([x, y], np.float32)
        part = (label[y : y + h, x : x + w] == k).astype(np.uint8)
        for piece, quad, fill in _pieces(part, peaks[owner == k, :2] - corner):
            yield quad + corner, fill, float(interior[y : y + h, x : x + w][piece > 0].mean())


def _pieces(part: Mask, middles: NDArray[np.float32]) -> list[tuple[Mask, Quad, float]]:
    """The region as one card if it looks like one, else a piece for each of its middles (N, 2)."""
    whole = _fitted([part])
    if len(middles) < 2 or (whole and whole[0][2] > ONE_CARD_FILL and _length(whole[0][1]) < LONGEST_CARD):
        return whole
    return _fitted(_split(part, middles))


def _fitted(pieces: list[Mask]) -> list[tuple[Mask, Quad, float]]:
    fits = ((piece, _fit(piece)) for piece in pieces)
    return [(piece, *fit) for piece, fit in fits if fit is not None]


def _length(quad: Quad) -> float:
    """A quad's longer middle line over its shorter one."""
    along, across = (np.linalg.norm(quad[k] + quad[k + 1] - quad[k - 1] - quad[k - 2]) for k in (0, 1))
    return float(max(along, across) / min(along, across))


def _split(part: Mask, middles: NDArray[np.float32]) -> list[Mask]:
    """Every pixel of a region to the nearest of its middles, (N, 2) px."""
    rows, cols = np.nonzero(part)
    nearest = ((cols[:, None] - middles[:, 0]) ** 2 + (rows[:, None] - middles[:, 1]) ** 2).argmin(axis=1)
    pieces = []
    for k in range(len(middles)):
        piece = np.zeros_like(part)
        piece[rows[nearest == k], cols[nearest == k]] = 1
        if piece.sum() >= SMALLEST_AREA_PX:
            pieces.append(piece)
    return pieces


def _fit(region: Mask) -> tuple[Quad, float] | None:
    """Four corners, clockwise, of a region that is nearly a quad, and how fully it fills them (0..1)."""
    outlines = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    outline = max(outlines, key=len).reshape(-1, 2).astype(np.float32)
    box = cv2.boxPoints(cv2.minAreaRect(outline)).astype(np.float32)
    if min(cv2.norm(box[0], box[1]), cv2.norm(box[1], box[2])) < THINNEST_PX:
        return None
    quad = _sides_fitted(outline[:: 1 + len(outline) // OUTLINE_POINTS], box)
    # An outline runs through its pixels' middles; the region's edge is half a pixel farther out.
    middle = quad.mean(axis=0)
    quad = middle + (quad - middle) * np.float32(1 + 0.7 / cv2.norm(quad[0], middle))
    filled = np.zeros(region.shape, np.uint8)
    cv2.fillConvexPoly(filled, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    union = np.count_nonzero(filled | region)
    fill = float(np.count_nonzero(filled & region)) / max(1, int(union))
    return quad.astype(np.float32), fill


def _sides_fitted(outline: NDArray[np.float32], box: Quad) -> Quad:
    """The box with each side moved to the line through the outline's points along it; the box when that fails."""
    edges = box[NEXT] - box
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    along = edges / lengths[:, None]
    offset = outline[:, None] - box
    s = (offset * along).sum(axis=2) / lengths
    t = offset[..., 1] * along[:, 0] - offset[..., 0] * along[:, 1]
    near = (s > 0.18) & (s < 0.82) & (np.abs(t) < 0.25 * lengths[NEXT])
    count = near.sum(axis=0)
    if count.min() < 4:
        return box
    # Each side is t = level + slope * s, by least squares over the points along it.
    mean_s, mean_t = (s * near).sum(axis=0) / count, (t * near).sum(axis=0) / count
    off_s = (s - mean_s) * near
    spread = (off_s**2).sum(axis=0)
    if spread.min() <= 0:
        return box
    slope = (off_s * t).sum(axis=0) / spread
    level = mean_t - slope * mean_s
    across = along @ QUARTER_TURN
    starts, ways = box + level[:, None] * across, edges + slope[:, None] * across
    back, back_ways = starts[BACK], ways[BACK]
    cross = back_ways[:, 0] * ways[:, 1] - back_ways[:, 1] * ways[:, 0]
    if np.abs(cross).min() < 1e-3:
        return box
    gap = starts - back
    share = (gap[:, 0] * ways[:, 1] - gap[:, 1] * ways[:, 0]) / cross
    quad = back + share[:, None] * back_ways
    far = np.hypot(*(quad - box).T).max() > 0.35 * np.hypot(*(box[0] - box[2]))
    return box if far or not np.isfinite(quad).all() else quad.astype(np.float32)


def _grown(inner: Quad) -> Quad:
    """The card's outline from the quad of its inside."""
    low, high = EROSION, 1 - EROSION
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    warp = cv2.getPerspectiveTransform(square, inner)
    whole = warp @ np.array([[0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 1, 1]], np.float64)
    return np.asarray((whole[:2] / whole[2]).T, np.float32)
