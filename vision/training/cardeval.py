"""Measure the card finder on photographs with truth files: what it finds, how well, and what else it takes for a card.

Run: python -m vision.training.cardeval DIR [--overlays OUT]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cardmap import MODEL, CardFinder, Quad, decode

NEAR = 0.25
"""A candidate counts as a card's when their middles are nearer than this share of the card's side."""
HIDDEN = 0.33
"""A card of which a thing hides more than this share need not be found."""

Candidates = list[tuple[Quad, float]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One photograph. `corner_errors`: for each found card the mean distance of its corners, a share of its side.

    `missed` are middles (x, y) px of cards not found; `extra` counts candidates within the layout that are no card,
    `beside` those outside it (spare cards, where the truth does not name them, and wrong ones).
    """

    cards: int
    missed: list[tuple[int, int]]
    corner_errors: list[float]
    extra: int
    beside: int


def judge(candidates: Candidates, truth: list[Quad], known: list[Quad]) -> Judged:
    """Match candidates to the cards in the truth; `known` are other cards, which are neither wanted nor wrong."""
    free = list(range(len(candidates)))
    missed, errors = [], []
    for quad in truth:
        best = _take(free, candidates, quad)
        if best is None:
            middle = quad.mean(axis=0)
            missed.append((int(middle[0]), int(middle[1])))
        else:
            errors.append(_corner_error(candidates[best][0], quad))
    for quad in known:
        _take(free, candidates, quad)
    hull = cv2.convexHull(np.concatenate(truth)) if truth else np.zeros((0, 1, 2), np.float32)
    inside = [len(hull) > 0 and cv2.pointPolygonTest(hull, _middle(candidates[k][0]), False) > 0 for k in free]
    return Judged(len(truth), missed, errors, sum(inside), len(free) - sum(inside))


def _middle(quad: Quad) -> tuple[float, float]:
    x, y = quad.mean(axis=0)
    return float(x), float(y)


def _side(quad: Quad) -> float:
    return float(np.sqrt(cv2.contourArea(quad)))


def _take(free: list[int], candidates: Candidates, quad: Quad) -> int | None:
    far = [float(np.linalg.norm(candidates[k][0].mean(axis=0) - quad.mean(axis=0))) for k in free]
    if not far or min(far) > NEAR * _side(quad):
        return None
    return free.pop(int(np.argmin(far)))


def _corner_error(found: Quad, true: Quad) -> float:
    turns = (np.roll(found, k, axis=0) for k in range(4))
    return min(float(np.linalg.norm(turn - true, axis=1).mean()) for turn in turns) / _side(true)


def _drawn(picture: NDArray[np.uint8], candidates: Candidates) -> NDArray[np.uint8]:
    view = picture.copy()
    thick = max(1, max(view.shape) // 500)
    for quad, score in candidates:
        ink = (0, 220, 0) if score > 0.6 else (0, 160, 255) if score > 0.35 else (0, 0, 255)
        cv2.polylines(view, [np.round(quad).astype(np.int32)], True, ink, thick, cv2.LINE_AA)
    return view


def measure(finder: CardFinder, path: Path, overlays: Path | None) -> tuple[Judged, float, float]:
    """Judge the photograph beside a truth file, print its line; also the processor seconds for maps and quads."""
    truth = json.loads(path.read_text())
    picture = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
    start = time.process_time()
    maps = finder.maps(picture)
    middle = time.process_time()
    candidates = decode(maps)
    end = time.process_time()
    cards = [np.array(c["corners_px"], np.float32) for c in truth["cards"] if c["occluded"] < HIDDEN]
    known = [c for c in truth["cards"] if c["occluded"] >= HIDDEN] + truth.get("spares", [])
    result = judge(candidates, cards, [np.array(c["corners_px"], np.float32) for c in known])
    error = np.mean(result.corner_errors) if result.corner_errors else np.nan
    print(
        f"{path.stem}: {result.cards - len(result.missed)}/{result.cards} found, {result.extra} extra, "
        f"{result.beside} beside, corners off {error:.3f}, missed {result.missed} {truth['table']} {truth['tags']}"
    )
    if overlays:
        cv2.imwrite(str(overlays / f"{path.stem}.png"), _drawn(picture, candidates))
    return result, middle - start, end - middle


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each photograph and a summary."""
    parser = argparse.ArgumentParser(description="Measure the card finder on photographs with truth files.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--overlays", type=Path)
    wanted = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    finder = CardFinder(wanted.model)
    if wanted.overlays:
        wanted.overlays.mkdir(parents=True, exist_ok=True)
    measured = [measure(finder, path, wanted.overlays) for path in sorted(wanted.folder.glob("*.json"))]
    results = [result for result, _, _ in measured]
    errors = np.concatenate([r.corner_errors for r in results])
    total, missed = sum(r.cards for r in results), sum(len(r.missed) for r in results)
    maps_ms, decode_ms = (1e3 * np.median([times[k] for times in measured]) for k in (1, 2))
    print(
        f"{len(results)} photographs: recall {1 - missed / total:.4f} ({missed} of {total} missed), all found in "
        f"{sum(not r.missed for r in results)}; extra inside {sum(r.extra for r in results)}, "
        f"beside {sum(r.beside for r in results)}; corner error median {np.median(errors):.3f}, "
        f"95 % {np.percentile(errors, 95):.3f} of a side; maps {maps_ms:.0f} ms, decode {decode_ms:.1f} ms"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
