"""What speaks for a face: pips where they belong and nowhere else, an even body between them, and edges around it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.pipfaces import EDGE, PLACES, Face
from vision.pips import Image, Pip, Vector, sample

ONE_EDGE_DIAMETERS = (1.9, 8.0)
"""How long the edge of a one is, in diameters of its pip, which on some dice is large."""

RAYS = 48
MIN_ONE_FILL = 0.83
"""Share of its own box that the outline around a one fills; a disc fills 0.785."""

_GRID = np.stack(np.meshgrid(np.linspace(-1.6, 1.6, 13), np.linspace(-1.6, 1.6, 13)), axis=-1).reshape(-1, 2)
_SIDES = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float64)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Figures from 0 to 1, the larger the better.

    `margin`: how well pips and empty places are told apart; `even`: share of the body in the body's colour;
    `edges`: share of the four sides beyond which another colour begins; `fit`: how near its place each pip is;
    `upright`: how squarely the face is seen; `alone`: falls with every like spot close around, as on a coin.
    """

    margin: float
    even: float
    edges: float
    fit: float
    upright: float
    alone: float


def weigh(image: Image, face: Face, pips: list[Pip]) -> Evidence:
    """Look at the picture where this face lies."""
    own = [pips[index] for index in face.pips]
    body = np.median([pip.body for pip in own], axis=0)
    ink = np.median([pip.colour for pip in own], axis=0) - body
    tolerance = 0.4 * float(np.abs(ink).max()) + 8
    near = np.linalg.norm(_GRID[:, None] - PLACES[None], axis=2).min(axis=1)
    between = sample(image, face.at(_GRID[near > 0.55]).T)
    even = float((np.abs(between - body).max(axis=1) < tolerance).mean())
    return Evidence(
        margin=_margin(image, face, own, body, ink),
        even=even,
        edges=_edges(image, face),
        fit=1 - face.residual / 0.5,
        # The pips of a side face are narrow, even where two of them cannot tell how their face lies.
        upright=min(face.aspect, float(np.mean([pip.aspect for pip in own]))),
        alone=float(0.7 ** _strays(face, pips)),
    )


def _strays(face: Face, pips: list[Pip]) -> int:
    """How many spots like its own lie around the face, where its die has none."""
    local = face.inverse(np.array([pip.centre for pip in pips]))
    near = np.flatnonzero((np.abs(local) < 2.1).all(axis=1))
    size = np.mean([pips[index].diameter for index in face.pips])
    ink = pips[min(face.pips)].colour
    return int(
        sum(
            index not in face.pips
            and 0.75 < pips[index].diameter / size < 1.35
            and pips[index].aspect > 0.75
            and np.abs(pips[index].colour - ink).max() < 60
            for index in near.tolist()
        )
    )


def _margin(image: Image, face: Face, own: list[Pip], body: Vector, ink: Vector) -> float:
    """How far the palest empty place is from holding a pip: 1 for a bare body, 0 for half a pip's colour."""
    seen = face.inverse(np.array([pip.centre for pip in own]))
    empty = PLACES[np.linalg.norm(PLACES[:, None] - seen[None], axis=2).min(axis=1) > 0.5]
    if not len(empty):
        return 1.0
    around = 0.16 * np.concatenate([np.zeros((1, 2)), _SIDES])
    colours = sample(image, face.at((empty[:, None] + around[None]).reshape(-1, 2)).T).reshape(len(empty), -1, 3)
    share = (colours.mean(axis=1) - body) @ ink / float(ink @ ink)
    return float(np.clip(1 - 2 * share.max(), 0, 1))


def _edges(image: Image, face: Face) -> float:
    """Share of the sides beyond which the colour changes for good or an edge is crossed."""
    along, out = np.linspace(-1, 1, 7), np.linspace(1.5, 3.2, 18)
    crossed = 0
    for side in _SIDES:
        across = np.array([-side[1], side[0]])
        points = side * out[:, None, None] + across * along[None, :, None]
        colours = sample(image, face.at(points.reshape(-1, 2)).T).reshape(len(out), len(along), 3)
        line = np.median(colours, axis=1)
        crossed += bool((np.abs(line[3:] - line[:-3]).max(axis=1) > 14).any())
    return crossed / len(_SIDES)


def one(image: Image, pips: list[Pip], index: int) -> Face | None:
    """The face whose only pip this spot is: rays leave it and stop where the body's colour ends."""
    pip = pips[index]
    for tolerance in (0.28 * pip.contrast + 4, 0.14 * pip.contrast + 4, 11.0):
        outline = _outline(image, pip, tolerance)
        box = None if outline is None else _box(outline)
        face = None if box is None else _one_in(box, pip, index)
        if face is not None:
            return face
    return None


def _one_in(box: tuple[Vector, Vector, float], pip: Pip, index: int) -> Face | None:
    """The one's face in the box around its body, when that is a die's."""
    middle, axes, fill = box
    at = np.linalg.solve(axes, pip.centre - middle)
    # A side face of the top's own colour lengthens the box to one side: the pip is the middle of the top alone.
    frame = np.column_stack([axes * (1 - np.abs(at)) / EDGE, pip.centre])
    face = Face(1, frozenset({index}), frame, float(np.linalg.norm(at)))
    low, high = ONE_EDGE_DIAMETERS
    fits = low < face.side / pip.diameter < high and fill > MIN_ONE_FILL
    return face if fits and face.residual < 0.45 else None


def _outline(image: Image, pip: Pip, tolerance: float) -> Vector | None:
    """Points (N, 2) where the body ends, as seen from its pip; None when it ends nowhere."""
    angles = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
    ways = np.stack([np.cos(angles), np.sin(angles)])
    start = np.linalg.norm(pip.shape, 2) * 1.3 + 1.5
    far = 0.75 * ONE_EDGE_DIAMETERS[1] * pip.diameter
    distances = np.linspace(start, far, min(80, max(24, int(far - start))))
    points = pip.centre[:, None, None] + ways[:, None, :] * distances[None, :, None]
    colours = sample(image, points.reshape(2, -1)).reshape(len(distances), RAYS, 3)
    body = np.abs(colours - pip.body).max(axis=2) < tolerance
    gone = ~body
    # A speck of glare or dust is no edge: two steps in a row must be off.
    ended = gone[:-1] & gone[1:]
    stops = np.where(ended.any(axis=0), ended.argmax(axis=0), -1)
    if (stops < 0).mean() > 0.1:
        return None
    kept = stops >= 0
    ends = pip.centre[:, None] + ways[:, kept] * distances[stops[kept]]
    return np.asarray(ends.T)


def _box(outline: Vector) -> tuple[Vector, Vector, float] | None:
    """The rectangle around an outline: its middle (2,), half axes as columns (2, 2), and the share of it filled."""
    points = outline.astype(np.float32)
    hull_area = abs(cv2.contourArea(points))
    (x, y), (width, height), turn = cv2.minAreaRect(points)
    if min(width, height) < 4:
        return None
    angle = np.radians(turn)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * [width / 2, height / 2]
    return np.array([x, y]), axes, float(hull_area / (width * height))
