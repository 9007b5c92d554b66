"""A drawn table: a photograph made from what lies on it, where no camera is.

Tests and the simulation on a laptop look at a table through this. It is a simple renderer: a pinhole camera, flat
cards laid by hand, soft shadows, an arm, a patch of glare, vignetting and the sensor's noise.

Table frame: millimetres, origin in the middle of spot (0, 0), x to the right and y towards the seat at the picture's
bottom edge. Picture frame: pixels, x to the right, y down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sight import Spot
from vision import drawncards
from vision.drawncards import Pixels, Surface

Laid = Mapping[Spot, str]
"""What lies on each spot: a face, or `UNKNOWN` for a card that lies face down. Spots may be negative."""

CARD_MM = 56.0
PITCH_MM = 59.0

SKIN: drawncards.Colour = (128, 158, 208)
CLOTH: drawncards.Colour = (112, 72, 52)

_Limb = tuple[tuple[float, float], tuple[float, float], float]
"""From where to where (mm from the palm's middle, the arm coming from +y), and how thick, mm."""

_LIMBS: tuple[_Limb, ...] = (
    ((0, 40), (10, 1500), 64),
    ((0, -8), (2, 30), 80),
    ((-27, -10), (-38, -72), 17),
    ((-9, -10), (-13, -92), 17),
    ((10, -10), (14, -86), 17),
    ((28, -10), (39, -66), 17),
    ((-36, 26), (-74, -18), 20),
)
_SLEEVE: _Limb = ((3, 190), (10, 1500), 96)

SURFACE_PX = 1024
SURFACE_MM = 1400.0
NOISE_STEPS = 64
"""So far each way the same noise is shifted from shot to shot: to draw it anew takes longer than all else."""

_HALF = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm that reaches from a side of the table (0: the bottom edge, then clockwise) with its palm on `spot`."""

    spot: Spot
    side: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A table and the camera above it.

    `seed` fixes how each card lies (a card that lies stays where it is while others come), the table's grain and the
    light; `shot` the sensor's noise alone. The camera hangs `height_mm` away, leans `tilt_deg` towards the bottom edge
    from straight above and is turned by `roll_deg`; its zoom is such that every spot up to `reach` from spot (0, 0) is
    in view. `jitter` is how untidily the cards lie (1: a few per cent of the pitch, a few degrees). `glare` is the
    spot under a lamp's reflection. `knocked_mm` is how far the camera was knocked out of its place. `size` is the
    picture's (width, height) in px.
    """

    laid: Laid = field(default_factory=dict)
    seed: int = 0
    tilt_deg: float = 12.0
    roll_deg: float = 0.0
    height_mm: float = 900.0
    size: tuple[int, int] = (1280, 960)
    reach: int = 5
    surface: Surface = "wood"
    jitter: float = 1.0
    arm: Arm | None = None
    glare: Spot | None = None
    knocked_mm: float = 0.0
    shot: int = 0


def draw(scene: Scene) -> Pixels:
    """The photograph, (H, W, 3) uint8, BGR."""
    view = _homography(scene)
    canvas = _table(scene.surface, scene.seed, scene.size, view.tobytes()).copy()
    places = {spot: _corners(view, place(scene, spot)) for spot in scene.laid}
    _cast_shadows(canvas, view, list(places.values()), scene.seed)
    for spot, corners in places.items():
        _lay(canvas, drawncards.card(scene.laid[spot]), corners)
    if scene.glare is not None:
        _shine(canvas, view, np.array(scene.glare[::-1]) * PITCH_MM)
    if scene.arm is not None:
        _reach_in(canvas, view, scene.arm)
    return _exposed(canvas, scene.shot)


def place(scene: Scene, spot: Spot) -> NDArray[np.float64]:
    """The corners (4, 2), table mm, of the card on a spot, clockwise from its face's own top left."""
    rng = np.random.default_rng((scene.seed, spot[0] % 1000, spot[1] % 1000))
    shift = np.clip(rng.normal(0, 0.02, 2), -0.04, 0.04) * PITCH_MM * scene.jitter
    lean = np.clip(rng.normal(0, 1.5), -3, 3) * scene.jitter
    angle = np.radians(lean + 90 * rng.integers(4))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(np.array(spot[::-1]) * PITCH_MM + shift + CARD_MM * _HALF @ turn)


def _homography(scene: Scene) -> NDArray[np.float64]:
    """(3, 3): table mm to picture px. The zoom is that of the camera in its own place, before it was knocked."""
    width, height = scene.size
    edge = (scene.reach + 0.75) * PITCH_MM
    spread = _corners(_pose(scene, 0.0), 2 * edge * _HALF)
    low, high = spread.min(axis=0), spread.max(axis=0)
    zoom = min((width - 1) / (high[0] - low[0]), (height - 1) / (high[1] - low[1]))
    middle = np.array([width - 1, height - 1]) / 2 - zoom * (low + high) / 2
    lens = np.array([[zoom, 0, middle[0]], [0, zoom, middle[1]], [0, 0, 1]])
    return np.asarray(lens @ _pose(scene, scene.knocked_mm))


def _pose(scene: Scene, knocked_mm: float) -> NDArray[np.float64]:
    """(3, 3): table mm to the normalised picture of a camera above spot (0, 0)."""
    rng = np.random.default_rng((scene.seed, 1))
    way = rng.uniform(0, 2 * np.pi)
    tilt, roll = np.radians(scene.tilt_deg), np.radians(scene.roll_deg + 0.1 * knocked_mm * rng.choice([-1, 1]))
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    turn = about_z @ about_x
    shift = np.array([knocked_mm * np.cos(way), knocked_mm * np.sin(way), scene.height_mm])
    return np.column_stack([turn[:, 0], turn[:, 1], shift])


def _corners(view: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Table points (N, 2) mm as picture points (N, 2) px."""
    return np.asarray(cv2.perspectiveTransform(points[None], view)[0])


@lru_cache(maxsize=4)
def _table(kind: Surface, seed: int, size: tuple[int, int], view: bytes) -> Pixels:
    """The bare table as the camera sees it."""
    flat = drawncards.surface(kind, SURFACE_PX, np.random.default_rng((seed, 2)))
    to_mm = np.diag([SURFACE_MM / SURFACE_PX, SURFACE_MM / SURFACE_PX, 1.0])
    to_mm[:2, 2] = -SURFACE_MM / 2
    move = np.frombuffer(view).reshape(3, 3) @ to_mm
    return np.asarray(cv2.warpPerspective(flat, move, size, borderMode=cv2.BORDER_REFLECT), np.uint8)


def _cast_shadows(canvas: Pixels, view: NDArray[np.float64], places: list[NDArray[np.float64]], seed: int) -> None:
    """Darken the table softly beside the cards, all from one lamp."""
    first = _corners(view, CARD_MM * _HALF)
    side = float(np.linalg.norm(first[1] - first[0]))
    way = np.random.default_rng((seed, 3)).uniform(0, 2 * np.pi)
    shift = 0.03 * side * np.array([np.cos(way), np.sin(way)])
    dark = np.zeros(canvas.shape[:2], np.uint8)
    for quad in places:
        cv2.fillConvexPoly(dark, np.round((quad + shift) * 16).astype(np.int32), 130, cv2.LINE_AA, shift=4)
    _darken(canvas, cv2.GaussianBlur(dark, (0, 0), max(0.8, 0.025 * side)), 1.0)


def _darken(canvas: Pixels, shadow: cv2.typing.MatLike, share: float) -> None:
    """Take away up to this share of the light where the shadow (H, W) uint8 is 255."""
    keep = cv2.convertScaleAbs(shadow, alpha=-share, beta=255)
    cv2.multiply(canvas, cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), canvas, 1 / 255)


def _lay(canvas: Pixels, card: Pixels, corners: NDArray[np.float64]) -> None:
    """Lay a painted card so that its corners come to lie at `corners` (4, 2) px."""
    window, origin = _window(canvas, corners)
    if not window.size:
        return
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max())
    while side < 0.55 * len(card):
        card = np.asarray(cv2.resize(card, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    source = len(card) * (_HALF + 0.5) - 0.5
    move = cv2.getPerspectiveTransform(source.astype(np.float32), (corners - origin).astype(np.float32))
    layer = cv2.warpPerspective(card, move, window.shape[1::-1])
    share = layer[..., 3:].astype(np.float32) / 255
    window[:] = (window + (layer[..., :3].astype(np.float32) - window) * share + 0.5).astype(np.uint8)


def _window(canvas: Pixels, points: NDArray[np.float64], room: float = 1.0) -> tuple[Pixels, NDArray[np.int64]]:
    """The part of the canvas around the points (N, 2) px, `room` px wider, and where it starts (x, y)."""
    limit = np.array(canvas.shape[1::-1])
    low = np.clip(np.floor(points.min(axis=0) - room), 0, limit).astype(np.int64)
    high = np.clip(np.ceil(points.max(axis=0) + room) + 1, low, limit).astype(np.int64)
    return canvas[low[1] : high[1], low[0] : high[0]], low


def _shine(canvas: Pixels, view: NDArray[np.float64], middle: NDArray[np.float64]) -> None:
    """A lamp's reflection about as large as a card, its heart burnt out, around `middle` (2,) mm."""
    reach = 1.6 * CARD_MM
    window, origin = _window(canvas, _corners(view, middle + 2 * reach * _HALF))
    if not window.size:
        return
    y, x = np.mgrid[: window.shape[0], : window.shape[1]]
    pixels = np.column_stack([x.ravel() + origin[0], y.ravel() + origin[1]]).astype(np.float64)
    to_table = np.asarray(np.linalg.inv(view), np.float64)
    away = np.linalg.norm(_corners(to_table, pixels) - middle, axis=1) / reach
    share = np.clip(1.6 * np.exp(-((away / 0.4) ** 2)) * np.clip(4 - 4 * away, 0, 1), 0, 1)
    share = share.reshape(window.shape[:2])[..., None]
    window[:] = (window + (255.0 - window) * share).astype(np.uint8)


def _reach_in(canvas: Pixels, view: NDArray[np.float64], arm: Arm) -> None:
    """Draw a sleeve, a forearm and a hand with five fingers over the cards."""
    skin, sleeve = np.zeros(canvas.shape[:2], np.uint8), np.zeros(canvas.shape[:2], np.uint8)
    for limb in _LIMBS:
        _draw_limb(skin, view, arm, limb)
    _draw_limb(sleeve, view, arm, _SLEEVE)
    soft = canvas.shape[1] // 80 * 2 + 1
    _darken(canvas, cv2.boxFilter(cv2.bitwise_or(skin, sleeve), -1, (2 * soft, 2 * soft)), 0.45)
    lit = cv2.boxFilter(skin, -1, (soft, soft))
    _cover(canvas, skin, SKIN, lit)
    _cover(canvas, sleeve, CLOTH, sleeve)


def _draw_limb(onto: Pixels, view: NDArray[np.float64], arm: Arm, limb: _Limb) -> None:
    start, end, thick_mm = limb
    angle = np.pi / 2 * arm.side
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    points = np.array([start, end, (start[0] + thick_mm, start[1])]) @ turn + np.array(arm.spot[::-1]) * PITCH_MM
    (x, y), (far_x, far_y), beside = _corners(view, np.asarray(points, np.float64))
    thick = max(1, round(float(np.hypot(beside[0] - x, beside[1] - y))))
    cv2.line(onto, (round(x), round(y)), (round(far_x), round(far_y)), 255, thick, cv2.LINE_AA)


def _cover(canvas: Pixels, mask: Pixels, colour: drawncards.Colour, lit: cv2.typing.MatLike) -> None:
    """Paint `colour` where the mask (H, W) says so, darker where `lit` (H, W, 0..255) is low."""
    left, top, width, height = cv2.boundingRect(mask)
    part = np.s_[top : top + height, left : left + width]
    share = mask[part][..., None].astype(np.float32) / 255
    tint = np.array(colour, np.float32) * (0.4 + 0.6 * lit[part].astype(np.float32) / 255)[..., None]
    canvas[part] = (canvas[part] + (tint - canvas[part]) * share).astype(np.uint8)


def _exposed(canvas: Pixels, shot: int) -> Pixels:
    """What the sensor makes of the light: darker corners, and noise."""
    height, width = canvas.shape[:2]
    lit = cv2.multiply(canvas, _vignette(width, height), dtype=cv2.CV_8U, scale=1 / 255)
    across, down = (int(step) for step in np.random.default_rng(shot).integers(0, NOISE_STEPS, 2))
    noise = _noise(width + NOISE_STEPS, height + NOISE_STEPS)[down : down + height, across : across + width]
    return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=2)
def _vignette(width: int, height: int) -> Pixels:
    y, x = np.mgrid[:height, :width].astype(np.float32)
    r2 = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2
    gain = 255 * (1 - 0.22 * r2)
    return np.asarray(np.repeat(gain[..., None], 3, axis=2), np.uint8)


@lru_cache(maxsize=2)
def _noise(width: int, height: int) -> NDArray[np.int8]:
    rng = np.random.default_rng(4)
    return np.asarray(np.round(rng.standard_normal((height, width, 3), np.float32) * np.float32(2.5)), np.int8)
