"""Where cards may lie in a photograph of any table: the card finder's maps, and quads made from them.

The network sees the whole picture at 640 x 480 and gives two maps at a quarter of that: the inside of every card, left
out an even share at each edge so that touching cards stay apart, and a small hill at every card's middle.
Spare cards beside a layout are found too: which cards form a layout is for the lattice to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike
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
BEYOND_PX = 1e6
"""Where no outline has points."""

Map = NDArray[np.float32]
Mask = NDArray[np.uint8]
Quad = NDArray[np.float32]

_WHOLE = np.array([[[0, 0], [1, 0], [1, 1], [0, 1]]], np.float32)
_INNER = EROSION + (1 - 2 * EROSION) * _WHOLE[0]


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


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """A part of the interior: its pixels as a small picture of 0 and 1, and where that begins, (x, y).

    `middles` (N, 2): the hills of the centre map on it, from there.
    """

    mask: Mask
    corner: NDArray[np.float32]
    middles: NDArray[np.float32]

    def split(self) -> Iterator[_Region]:
        """Every pixel to the nearest of the middles."""
        rows, cols = np.nonzero(self.mask)
        x, y = self.middles.T
        nearest = ((cols[:, None] - x) ** 2 + (rows[:, None] - y) ** 2).argmin(axis=1)
        for k in range(len(self.middles)):
            piece = np.zeros_like(self.mask)
            piece[rows[nearest == k], cols[nearest == k]] = 1
            if piece.sum() >= SMALLEST_AREA_PX:
                yield _Region(piece, self.corner, self.middles[k : k + 1])

    def mean(self, interior: Map) -> float:
        """The mean over its pixels."""
        (x, y), (height, width) = self.corner.astype(int), self.mask.shape
        return float(cv2.mean(interior[y : y + height, x : x + width], self.mask)[0])


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A region's four corners, clockwise, and how fully it fills them (0..1)."""

    region: _Region
    quad: Quad
    fill: float

    def is_one_card(self) -> bool:
        """Whether it looks like a card, though it may have several middles."""
        if len(self.region.middles) < 2:
            return True
        q = self.quad
        along, across = (float(np.linalg.norm(q[k] + q[k + 1] - q[k - 1] - q[k - 2])) for k in (0, 1))
        return self.fill > ONE_CARD_FILL and max(along, across) / min(along, across) < LONGEST_CARD


def decode(maps: CardMaps) -> list[tuple[Quad, float]]:
    """Quads and scores from maps: one for each region of the interior, more where a region is several cards."""
    size = (maps.interior.shape[1] * STRIDE, maps.interior.shape[0] * STRIDE)
    interior = np.asarray(cv2.resize(maps.interior, size, interpolation=cv2.INTER_LINEAR), np.float32)
    peaks = _peaks(maps.centre)
    regions = list(_regions(interior, peaks))
    fits = [fit for fit in _fitted(regions) if fit.is_one_card()]
    single = {fit.region for fit in fits}
    crowded = [region for region in regions if len(region.middles) > 1 and region not in single]
    fits += _fitted([piece for region in crowded for piece in region.split()])
    found = []
    for fit in fits:
        quad = _grown(fit.quad + fit.region.corner)
        score = fit.region.mean(interior) * fit.fill * (0.5 + 0.5 * _peak_near(peaks, quad))
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
    x, y = (peaks[:, :2] - quad.mean(axis=0)).T
    far = np.hypot(x, y)
    nearest = int(far.argmin())
    return float(peaks[nearest, 2]) if far[nearest] < np.sqrt(cv2.contourArea(quad)) / 3 else 0.0


def _regions(interior: Map, peaks: NDArray[np.float32]) -> Iterator[_Region]:
    """The insides of cards that do not touch, in pixels of the network's picture."""
    count, label, stats, _ = cv2.connectedComponentsWithStats(np.asarray(interior > INSIDE, np.uint8), connectivity=4)
    at = np.round(peaks[:, :2]).astype(int).clip(0, np.array(label.shape[::-1]) - 1)
    owner = label[at[:, 1], at[:, 0]]
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        if area >= SMALLEST_AREA_PX:
            corner = np.array([x, y], np.float32)
            mask = (label[y : y + h, x : x + w] == k).astype(np.uint8)
            yield _Region(mask, corner, peaks[owner == k, :2] - corner)


def _fitted(regions: Sequence[_Region]) -> list[_Fit]:
    """The regions that are nearly quads; not those that are too thin."""
    thick, outlines, boxes = [], [], []
    for region in regions:
        contours = cv2.findContours(region.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
        outline = max(contours, key=len).reshape(-1, 2)
        box = cv2.minAreaRect(outline)
        if min(box[1]) >= THINNEST_PX:
            thick.append(region)
            outlines.append(outline[:: 1 + len(outline) // OUTLINE_POINTS])
            boxes.append(cv2.boxPoints(box))
    if not thick:
        return []
    quads = _sides_fitted(outlines, np.array(boxes, np.float32))
    # An outline runs through its pixels' middles; the region's edge is half a pixel farther out.
    middle = quads.mean(axis=1, keepdims=True)
    reach = np.linalg.norm(quads[:, :1] - middle, axis=2, keepdims=True)
    quads = middle + (quads - middle) * (1 + np.float32(0.7) / reach)
    return [_Fit(region, quad, _fill(region.mask, quad)) for region, quad in zip(thick, quads, strict=True)]


def _fill(mask: Mask, quad: Quad) -> float:
    """The intersection of a region and a quad over their union."""
    filled = np.zeros_like(mask)
    cv2.fillConvexPoly(filled, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return int(np.count_nonzero(filled & mask)) / max(1, int(np.count_nonzero(filled | mask)))


def _sides_fitted(outlines: Sequence[MatLike], boxes: Quad) -> Quad:
    """The boxes, (N, 4, 2), each with its sides moved to the lines through its outline's points, (P, 2), along them.

    A box stays as it is when that fails. All at once, because each is small.
    """
    points = np.full((len(boxes), max(map(len, outlines)), 2), BEYOND_PX, np.float32)
    for row, outline in zip(points, outlines, strict=True):
        row[: len(outline)] = outline
    edges = boxes[:, NEXT] - boxes
    lengths = np.hypot(edges[..., 0], edges[..., 1])
    along = edges / lengths[..., None]
    offset = points[:, :, None] - boxes[:, None]
    s = (offset * along[:, None]).sum(axis=3) / lengths[:, None]
    t = offset[..., 1] * along[:, None, :, 0] - offset[..., 0] * along[:, None, :, 1]
    near = (s > 0.18) & (s < 0.82) & (np.abs(t) < 0.25 * lengths[:, None, NEXT])
    count = near.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Each side is t = level + slope * s, by least squares over the points along it.
        mean_s, mean_t = (s * near).sum(axis=1) / count, (t * near).sum(axis=1) / count
        off_s = (s - mean_s[:, None]) * near
        slope = (off_s * t).sum(axis=1) / (off_s**2).sum(axis=1)
        level = mean_t - slope * mean_s
        across = along @ QUARTER_TURN
        starts, ways = boxes + level[..., None] * across, edges + slope[..., None] * across
        back, back_ways = starts[:, BACK], ways[:, BACK]
        cross = back_ways[..., 0] * ways[..., 1] - back_ways[..., 1] * ways[..., 0]
        gap = starts - back
        share = (gap[..., 0] * ways[..., 1] - gap[..., 1] * ways[..., 0]) / cross
        fitted = back + share[..., None] * back_ways
        moved = np.linalg.norm(fitted - boxes, axis=2).max(axis=1)
        diagonal = np.linalg.norm(boxes[:, 0] - boxes[:, 2], axis=1)
        # What is not finite compares as false.
        good = (count.min(axis=1) >= 4) & (np.abs(cross).min(axis=1) >= 1e-3) & (moved <= 0.35 * diagonal)
    return np.where(good[:, None, None], fitted, boxes).astype(np.float32)


def _grown(inner: Quad) -> Quad:
    """The card's outline from the quad of its inside."""
    return np.asarray(cv2.perspectiveTransform(_WHOLE, cv2.getPerspectiveTransform(_INNER, inner))[0], np.float32)
