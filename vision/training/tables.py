"""Procedural table tops: what a layout may lie on, seen from straight above.

Every surface is a function of a generator, a size and a resolution, and is drawn anew each time: no picture files.
All pictures are (H, W, 3) uint8, BGR; lengths are in millimetres, turned into pixels by `scale` (pixels per mm).
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]
Size = tuple[int, int]
Range = tuple[float, float]
Surface = Callable[[np.random.Generator, Size, float], Picture]


def noise(rng: np.random.Generator, size: Size, cell: float | tuple[float, float], octaves: int = 3) -> Field:
    """Smooth noise around 0 with a spread of about 1, shape `size`; `cell` is the coarsest grain in px (x, y)."""
    h, w = size
    cell_x, cell_y = cell if isinstance(cell, tuple) else (cell, cell)
    total = np.zeros(size, np.float32)
    for octave in range(octaves):
        grid = (max(2, int(h * 2**octave / cell_y)) + 1, max(2, int(w * 2**octave / cell_x)) + 1)
        if grid[0] > 2 * h or grid[1] > 2 * w:
            break
        grain = rng.standard_normal(grid).astype(np.float32)
        total += cv2.resize(grain, (w, h), interpolation=cv2.INTER_LINEAR) / 2**octave
    return total


def colour(rng: np.random.Generator, hue: Range, sat: Range, val: Range) -> Field:
    """A BGR colour, shape (3,), drawn from ranges of hue (degrees, may pass 360), saturation and value (0..1)."""
    hsv = np.array([[[rng.uniform(*hue) % 360, rng.uniform(*sat), rng.uniform(*val)]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] * 255, np.float32)


def any_colour(rng: np.random.Generator) -> Field:
    """Any cloth or print colour, shape (3,)."""
    return colour(rng, (0, 360), (0.05, 0.9), (0.1, 0.95))


def shaded(base: Field, shade: Field) -> Picture:
    """A colour (3,) or picture (H, W, 3) times 1 + shade (H, W)."""
    return np.asarray(np.clip(base * (1 + shade)[..., None], 0, 255), np.uint8)


def mixed(first: Field | Picture, second: Field | Picture, share: Field) -> Picture:
    """From the first colour or picture to the second by share (H, W), 0..1."""
    s = np.clip(share, 0, 1)[..., None]
    return np.clip(first * (1 - s) + second * s, 0, 255).astype(np.uint8)


def grid_px(size: Size) -> tuple[Field, Field]:
    """The x and y of each pixel, each shape `size`."""
    y, x = np.mgrid[: size[0], : size[1]].astype(np.float32)
    return x, y


def _wood_colour(rng: np.random.Generator) -> Field:
    return colour(rng, (8, 38), (0.12, 0.72), (0.18, 0.92))


def wood(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """One wide board with long grain and year rings."""
    rings = noise(rng, size, (400 * scale, 30 * scale), 3)
    grain = noise(rng, size, (120 * scale, 1.2 * scale), 2)
    waves = np.sin(rings * rng.uniform(4, 16)).astype(np.float32)
    strength = rng.uniform(0.02, 0.12)
    return shaded(_wood_colour(rng), strength * waves + rng.uniform(0.02, 0.08) * grain)


def planks(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Boards side by side, each a little different, with dark or light joints."""
    board = wood(rng, size, scale).astype(np.float32)
    width = rng.uniform(35, 160) * scale
    length = rng.uniform(300, 1200) * scale
    joint = rng.uniform(0.4, 2.5) * scale
    spread, joint_shade = rng.uniform(0.02, 0.15), rng.uniform(-0.6, 0.1)
    for top in np.arange(-rng.uniform(0, width), size[0], width):
        rows = slice(max(0, int(top)), max(0, int(top + width)))
        for left in np.arange(-rng.uniform(0, length), size[1], length):
            columns = slice(max(0, int(left)), max(0, int(left + length)))
            board[rows, columns] *= 1 + spread * rng.standard_normal()
            board[rows, columns][:, : max(1, int(joint))] *= 1 + joint_shade
        board[rows][: max(1, int(joint))] *= 1 + joint_shade
    return np.clip(board, 0, 255).astype(np.uint8)


def bamboo(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """A mat of thin sticks, sewn across."""
    x, y = grid_px(size)
    pitch, seam = rng.uniform(2, 12) * scale, rng.uniform(30, 120) * scale
    stick = np.abs(np.sin(np.pi * y / pitch)) ** 0.4 - 0.8
    tone = cv2.resize(
        rng.standard_normal((int(size[0] / pitch) + 2, 1)).astype(np.float32),
        (size[1], size[0]),
        interpolation=cv2.INTER_NEAREST,
    )
    shade = rng.uniform(0.2, 0.6) * stick + 0.06 * tone + 0.04 * noise(rng, size, (60 * scale, 2 * scale), 2)
    shade -= 0.3 * (x % seam < 1.5 * scale)
    return shaded(_wood_colour(rng), shade.astype(np.float32))


def felt(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Felt, baize or suede: one colour with a short fluff."""
    base = colour(rng, (80, 280) if rng.random() < 0.7 else (330, 390), (0.3, 0.9), (0.1, 0.6))
    fluff = noise(rng, size, 2.5 * scale, 2) * rng.uniform(0.02, 0.1)
    return shaded(base, fluff + noise(rng, size, 150 * scale, 2) * rng.uniform(0, 0.05))


def plain(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """A desk top of one colour: white, grey, black or painted."""
    grey = colour(rng, (0, 360), (0, 0.1), (0.05, 0.98))
    white = colour(rng, (20, 260), (0, 0.08), (0.72, 1.0))
    base = (grey, white, white, any_colour(rng))[rng.integers(4)]
    marks = noise(rng, size, rng.uniform(1, 40) * scale, 2) * rng.uniform(0, 0.015)
    return shaded(base, marks)


def carpet(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Carpet: strong grain of two near colours."""
    first = any_colour(rng)
    second = np.clip(first * rng.uniform(0.5, 1.4) + rng.normal(0, 12, 3), 0, 255).astype(np.float32)
    return mixed(first, second, 0.5 + 0.5 * noise(rng, size, rng.uniform(2, 6) * scale, 2))


def cork(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Cork: brown crumbs with dark specks."""
    base = colour(rng, (18, 36), (0.35, 0.65), (0.45, 0.8))
    crumbs = noise(rng, size, rng.uniform(4, 9) * scale, 3)
    return shaded(base, 0.09 * crumbs - 0.35 * (crumbs > 1.9))


def weave(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Denim, linen or canvas: a fine twill."""
    x, y = grid_px(size)
    pitch = max(2.5, rng.uniform(0.6, 3) * scale)
    twill = np.sin(2 * np.pi * (x + rng.choice([-1.0, 0.0, 1.0]) * y) / pitch) * np.sin(np.pi * y / pitch)
    base = colour(rng, (200, 235), (0.3, 0.7), (0.2, 0.6)) if rng.random() < 0.5 else any_colour(rng)
    return shaded(base, (rng.uniform(0.03, 0.15) * twill).astype(np.float32) + 0.06 * noise(rng, size, 3 * scale, 2))


def checked(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Gingham or plaid: bands of colour crossing bands of colour."""
    x, y = grid_px(size)
    ground, band = any_colour(rng), any_colour(rng)
    if rng.random() < 0.6:
        ground = colour(rng, (0, 60), (0, 0.15), (0.8, 1.0))
    pitch, duty = rng.uniform(8, 90) * scale, rng.uniform(0.3, 0.6)
    across, down = ((x / pitch) % 1 < duty).astype(np.float32), ((y / pitch) % 1 < duty).astype(np.float32)
    cloth = mixed(ground, band, np.asarray((across + down) / 2, np.float32))
    if rng.random() < 0.5:
        thin = (((x / pitch + 0.3) % 1 < 0.08) | ((y / pitch + 0.3) % 1 < 0.08)).astype(np.float32)
        cloth = mixed(cloth, any_colour(rng), (thin * rng.uniform(0.3, 1)).astype(np.float32))
    return shaded(cloth.astype(np.float32), 0.05 * noise(rng, size, 2 * scale, 2))


def striped(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Stripes of two to five colours."""
    x, _ = grid_px(size)
    colours = np.stack([any_colour(rng) for _ in range(rng.integers(2, 6))])
    edges = np.cumsum(rng.uniform(3, 60, len(colours))) * scale
    band = np.searchsorted(edges, np.ravel(x[0] % edges[-1]))
    row = colours[np.minimum(band, len(colours) - 1)].astype(np.float32)
    return shaded(np.broadcast_to(row, (*size, 3)), 0.04 * noise(rng, size, 2 * scale, 2))


def scattered(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Dots, flowers, leaves or big blots on cloth or a rug."""
    ground = shaded(any_colour(rng), 0.05 * noise(rng, size, 2.5 * scale, 2))
    radius, kind = rng.uniform(2, 40) * scale, rng.integers(4)
    pitch, inks = radius * rng.uniform(2.2, 5), [any_colour(rng) for _ in range(3)]
    regular = rng.random() < 0.4
    for cy in np.arange(0, size[0] + pitch, pitch):
        for cx in np.arange(0, size[1] + pitch, pitch):
            px, py = (cx, cy) if regular else rng.uniform(-0.5, 0.5, 2) * pitch + (cx, cy)
            ink = inks[0] if regular else inks[rng.integers(3)]
            if kind == 0:
                cv2.circle(ground, (int(px), int(py)), int(radius), ink.tolist(), -1, cv2.LINE_AA)
                continue
            for petal in range((1, 5, 2)[kind - 1]):
                turn = petal * 72 + rng.uniform(0, 360) * (petal == 0)
                shift = radius * 0.7 * np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * (kind > 1)
                axes = (max(1, int(radius * (1 if kind != 2 else 0.7))), max(1, int(radius * rng.uniform(0.3, 0.6))))
                cv2.ellipse(
                    ground, (int(px + shift[0]), int(py + shift[1])), axes, turn, 0, 360, ink.tolist(), -1, cv2.LINE_AA
                )
    return ground


def stone(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Marble or granite: clouds, veins, and sometimes grains."""
    base = colour(rng, (0, 260), (0, 0.2), (0.15, 0.98))
    clouds = noise(rng, size, rng.uniform(60, 250) * scale, 5)
    veins = np.exp(-np.abs(clouds) * rng.uniform(4, 30)) * rng.uniform(-0.5, 0.4)
    grains = noise(rng, size, rng.uniform(2, 6) * scale, 2) * (rng.random() < 0.4) * rng.uniform(0.05, 0.2)
    return shaded(base, (0.06 * clouds + veins + grains).astype(np.float32))


def terrazzo(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Chips of several colours in a plain ground."""
    ground = shaded(colour(rng, (0, 360), (0, 0.2), (0.5, 0.98)), 0.02 * noise(rng, size, 3 * scale, 2))
    inks, reach = [any_colour(rng) for _ in range(4)], rng.uniform(2, 12) * scale
    for _ in range(min(2500, int(size[0] * size[1] / reach**2 * 0.06))):
        centre = rng.uniform(0, 1, 2) * (size[1], size[0])
        chip = (centre + rng.normal(0, reach * 0.5, (5, 2))).astype(np.int32)
        cv2.fillConvexPoly(ground, cv2.convexHull(chip), inks[rng.integers(4)].tolist(), cv2.LINE_AA)
    return ground


def tiles(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """Tiles with joints; some are just as big as a card."""
    surface = (plain, stone, wood)[rng.integers(3)](rng, size, scale).astype(np.float32)
    pitch, joint = rng.uniform(25, 220) * scale, rng.uniform(0.8, 6) * scale
    h, w = size
    cells = (int(h / pitch) + 2, int(w / pitch) + 2)
    tone = cv2.resize(rng.normal(0, rng.uniform(0, 0.08), cells).astype(np.float32), None, fx=1, fy=1)
    x, y = grid_px(size)
    surface *= 1 + tone[(y / pitch).astype(np.intp), (x / pitch).astype(np.intp)][..., None]
    lines = ((x % pitch < joint) | (y % pitch < joint)).astype(np.float32)
    return mixed(surface, colour(rng, (0, 60), (0, 0.2), (0.2, 0.95)), lines)


def space(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """A printed play mat: dark clouds of colour with bright specks."""
    dark = colour(rng, (0, 360), (0.2, 0.9), (0.02, 0.25))
    mat = mixed(dark, any_colour(rng), 0.3 * noise(rng, size, rng.uniform(60, 250) * scale, 5))
    mat = mixed(mat, any_colour(rng), 0.25 * noise(rng, size, rng.uniform(60, 250) * scale, 4))
    for _ in range(int(rng.integers(0, 600))):
        at = (int(rng.uniform(0, size[1])), int(rng.uniform(0, size[0])))
        cv2.circle(mat, at, int(rng.exponential(0.5 * scale)), (255, 255, 255), -1, cv2.LINE_AA)
    return mat


def print_blocks(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """A printed mat of boxes and lines in all sizes: a city plan, a comic page, a game board."""
    mat = shaded(any_colour(rng), 0.03 * noise(rng, size, 4 * scale, 2))
    inks = [any_colour(rng) for _ in range(5)]
    for _ in range(int(rng.integers(20, 140))):
        x, y = rng.uniform(-0.1, 1, 2) * (size[1], size[0])
        w, h = rng.uniform(4, 90, 2) * scale
        box = cv2.boxPoints(((x, y), (w, h), rng.choice([0.0, 0.0, 0.0, rng.uniform(0, 90)]))).astype(np.int32)
        ink = inks[rng.integers(5)].tolist()
        if rng.random() < 0.5:
            cv2.fillConvexPoly(mat, box, ink, cv2.LINE_AA)
        else:
            cv2.polylines(mat, [box], True, ink, max(1, int(rng.uniform(0.5, 2) * scale)), cv2.LINE_AA)
    return mat


SURFACES: dict[str, Surface] = {
    "wood": wood, "planks": planks, "bamboo": bamboo, "felt": felt, "plain": plain, "carpet": carpet, "cork": cork,
    "weave": weave, "checked": checked, "striped": striped, "scattered": scattered, "stone": stone,
    "terrazzo": terrazzo, "tiles": tiles, "space": space, "print_blocks": print_blocks,
}  # fmt: skip
_WEIGHTS = {"wood": 2.0, "planks": 2.5, "plain": 3.0, "checked": 1.5, "felt": 1.5}


def random_table(rng: np.random.Generator, size: Size, scale: float) -> tuple[Picture, str]:
    """A table top and its name: one surface turned by any angle, sometimes ending at an edge with another below."""
    weights = np.array([_WEIGHTS.get(name, 1.0) for name in SURFACES])
    names = rng.choice(list(SURFACES), 2, p=weights / weights.sum())
    table = _turned(rng, SURFACES[names[0]], size, scale)
    return table, str(names[0])


def random_floor(rng: np.random.Generator, size: Size, scale: float) -> Picture:
    """What may be seen beside the table: any surface, mostly in shade."""
    name = rng.choice(list(SURFACES))
    floor = _turned(rng, SURFACES[name], size, scale * 0.5)
    return shaded(floor.astype(np.float32), np.full(size, rng.uniform(-0.7, 0.1), np.float32))


def _turned(rng: np.random.Generator, surface: Surface, size: Size, scale: float) -> Picture:
    """The surface drawn larger and cut out at an angle, half the time a right one."""
    h, w = size
    if rng.random() < 0.5:
        flat = surface(rng, (w, h), scale)
        return np.ascontiguousarray(np.rot90(flat)) if rng.random() < 0.5 else surface(rng, size, scale)
    angle = rng.uniform(0, 180)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1.0)
    flat = surface(rng, size, scale)
    return np.asarray(cv2.warpAffine(flat, turn, (w, h), borderMode=cv2.BORDER_REFLECT_101), np.uint8)


def plain_near(rng: np.random.Generator, size: Size, scale: float, tone: Field) -> Picture:
    """A desk of almost the colour `tone` (3,), where a card of that colour hardly shows."""
    near = np.clip(tone * np.float32(rng.normal(0.97, 0.06)) + rng.normal(0, 5, 3), 4, 251).astype(np.float32)
    marks = noise(rng, size, rng.uniform(1, 60) * scale, 2) * rng.uniform(0, 0.012)
    return shaded(near, marks)
