"""What blocks and platforms of each colour look like from above, learned from those that were confirmed.

A look is a patch of `PLOT_PX` x `PLOT_PX` pixels: a mean colour and a spread for each. Of a colour that has not been
seen yet as a block or a platform no more is known than its piece on the track tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.games.casa_grande.sight import BLOCK, FLOOR, MARKED
from vision.towers.light import Colours
from vision.towers.planes import PLOT_PX, Mask

FLAT_SPREAD = (0.14, 0.07, 0.07)
"""How much the flat parts of tops of one colour differ over the board."""

DETAIL_SPREAD = (0.5, 0.22, 0.22)
"""The same for studs, holes and frames, as long as none has been seen."""

TONE = (0.35, 0.03, 0.03)
"""How much a whole top differs from the others of its colour: it is lit or shaded."""

GUESS_TONE = (0.6, 0.22, 0.22)
"""How much it differs from the piece on the track, as long as no top of the colour has been seen."""

UNKNOWN_TONE = (1.2, 0.6, 0.6)

KINDS = (BLOCK, MARKED, FLOOR)

_PRIOR = 2.0
"""The spread counts like so many tops that were seen."""


def _zones() -> tuple[Mask, Mask, dict[str, Mask]]:
    at = np.abs((np.arange(PLOT_PX) + 0.5) / PLOT_PX - 0.5)
    across, down = np.meshgrid(at, at)
    outer, round_ = np.maximum(across, down), np.hypot(across, down) > 0.25
    plain = (outer < 0.33) & round_
    return outer < 0.44, plain, {BLOCK: (outer < 0.42) & round_, MARKED: plain, FLOOR: (outer < 0.42) & round_}


TOP, PLAIN, EVEN = _zones()
"""Where a patch shows a top; where every top shows its colour alone (no stud, hole or frame); where each kind does."""


@dataclass(eq=False, slots=True)
class _Seen:
    """Sums over the tops that were seen, by pixel."""

    count: NDArray[np.float32] = field(default_factory=lambda: np.zeros((PLOT_PX, PLOT_PX, 1), np.float32))
    total: Colours = field(default_factory=lambda: np.zeros((PLOT_PX, PLOT_PX, 3), np.float32))
    squares: Colours = field(default_factory=lambda: np.zeros((PLOT_PX, PLOT_PX, 3), np.float32))


@dataclass(eq=False, slots=True)
class Looks:
    """The looks of one play; `guesses` are the colours of the pieces on the track, by seat."""

    guesses: dict[int, Colours] = field(default_factory=dict)
    _seen: dict[tuple[str, int], _Seen] = field(default_factory=dict)

    def learn(self, kind: str, seat: int, patch: Colours, visible: Mask) -> None:
        """A top that is known to be what it is; `patch` (P, P, 3), of which the visible pixels count."""
        seen = self._seen.setdefault((kind, seat), _Seen())
        weight = visible[..., None].astype(np.float32)
        seen.count += weight
        seen.total += weight * patch
        seen.squares += weight * np.square(patch)

    def known(self, kind: str, seat: int) -> bool:
        """Whether such a top has been seen."""
        return (kind, seat) in self._seen

    def of(self, kind: str, seat: int) -> tuple[Colours, Colours]:
        """What to expect of such a top: colours and spreads, (P, P, 3) each."""
        base, spread = self._expected(kind, seat)
        seen = self._seen.get((kind, seat))
        if seen is None:
            return np.broadcast_to(base, spread.shape), spread
        known = seen.count > 0.5
        mean = np.where(known, seen.total / np.maximum(seen.count, 1), base)
        off = np.maximum(seen.squares - np.maximum(seen.count, 1) * np.square(mean), 0)
        least = np.array(FLAT_SPREAD, np.float32) * np.where(EVEN[kind], 1.0, 1.6)[..., None]
        variance = (_PRIOR * np.square(least) + off) / (_PRIOR + seen.count)
        # One top tells the mean no better than tops differ.
        wide = np.sqrt(variance * (1 + 1 / np.maximum(seen.count, 1)))
        return np.asarray(mean, np.float32), np.asarray(np.where(known, wide, spread), np.float32)

    def tone(self, seat: int) -> Colours:
        """How much a whole top of a seat may differ from what is expected, (3,)."""
        if any(each == seat for _, each in self._seen):
            return np.array(TONE, np.float32)
        return np.array(GUESS_TONE if seat in self.guesses else UNKNOWN_TONE, np.float32)

    def colour(self, seat: int) -> Colours | None:
        """The plain colour of a seat's blocks and platforms, (3,), or None when none has been seen."""
        found = [
            (seen.total / np.maximum(seen.count, 1))[PLAIN & (seen.count[..., 0] > 0)]
            for (_, each), seen in self._seen.items()
            if each == seat
        ]
        every = np.concatenate(found) if found else np.empty((0, 3))
        return np.asarray(np.median(every, axis=0), np.float32) if len(every) else None

    def _expected(self, kind: str, seat: int) -> tuple[Colours, Colours]:
        """The plain colour and the spreads before a top of this kind was seen."""
        colour = self.colour(seat)
        if colour is None:
            colour = self.guesses.get(seat, np.array([-1.5, 0.3, -0.2], np.float32))
        spread = np.where(EVEN[kind][..., None], np.array(FLAT_SPREAD, np.float32), np.array(DETAIL_SPREAD, np.float32))
        return colour, np.asarray(spread, np.float32)
