"""What several readings of one still table say together.

Pure. One reading may be wrong; readings that contradict each other are a question, never an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.language import _, later
from companion.sight import UNKNOWN, Outcome, Reading, Sighting, Spot

DISAGREE = later(
    "The pictures do not agree where the cards lie: take the hands away, and leave the camera where it is."
)


def vote(readings: Sequence[Reading]) -> Reading:
    """One reading for several, in the order in which they were taken.

    It is clear only when most are clear and alike, and no other contradicts them. Beliefs are averaged. A spot that
    readings see differently is doubtful.

    Raises:
        ValueError: there is nothing to vote about.
    """
    if not readings:
        raise ValueError("a vote needs at least one reading")
    seen = [reading for reading in readings if reading.rows]
    if 2 * len(seen) <= len(readings):
        return [reading for reading in readings if not reading.rows][-1]
    shape, count = Counter(map(_shape, seen)).most_common(1)[0]
    if 2 * count <= len(readings):
        return Reading(Outcome.UNREADABLE, (), (), (), _(DISAGREE))
    alike = [reading for reading in seen if _shape(reading) == shape]
    same_shape = len(alike) == len(seen)
    return _together(alike, len(readings), undisputed=same_shape)


def _together(readings: Sequence[Reading], voters: int, *, undisputed: bool) -> Reading:
    """Readings of one shape, out of so many voters; `undisputed`: nobody saw another shape."""
    disputed = _disputed(readings)
    clear = [reading for reading in readings if reading.outcome is Outcome.CLEAR]
    sightings = _averaged(readings)
    alike = len({reading.finished for reading in clear}) == 1
    if 2 * len(clear) > voters and undisputed and alike and not disputed:
        return replace(clear[-1], sightings=sightings)
    asking = [reading for reading in readings if reading.outcome is not Outcome.CLEAR] or list(readings)
    doubts = Counter(spot for reading in readings for spot in reading.doubtful)
    doubtful = (*disputed, *(spot for spot, _count in doubts.most_common() if spot not in disputed))
    last = asking[-1]
    unreadable = sum(reading.outcome is Outcome.UNREADABLE for reading in readings)
    outcome = Outcome.UNREADABLE if 2 * unreadable > len(readings) else Outcome.ASK
    reason = _differ(disputed) if disputed else last.reason or _(DISAGREE)
    return Reading(outcome, _rows(readings), doubtful, sightings, reason, _most_are_finished(readings))


def _shape(reading: Reading) -> tuple[int, ...]:
    return tuple(map(len, reading.rows))


def _disputed(readings: Sequence[Reading]) -> tuple[Spot, ...]:
    """Spots that readings see differently. A card that one of them could not tell is no contradiction."""
    spots = [(row, column) for row, cells in enumerate(readings[0].rows) for column in range(len(cells))]
    return tuple(spot for spot in spots if len({_seen(reading, spot) for reading in readings} - {None}) > 1)


def _seen(reading: Reading, spot: Spot) -> str | None:
    shown = reading.rows[spot[0]][spot[1]]
    return None if shown == UNKNOWN and spot in reading.doubtful else shown


def _rows(readings: Sequence[Reading]) -> tuple[str, ...]:
    return tuple(
        "".join(map(_most_seen, zip(*cells, strict=True))) for cells in zip(*(r.rows for r in readings), strict=True)
    )


def _most_seen(cells: tuple[str, ...]) -> str:
    """What more than half of the readings see in one spot."""
    symbol, count = Counter(cells).most_common(1)[0]
    return symbol if 2 * count > len(cells) else UNKNOWN


def _most_are_finished(readings: Sequence[Reading]) -> bool:
    return 2 * sum(reading.finished for reading in readings) > len(readings)


def _averaged(readings: Sequence[Reading]) -> tuple[Sighting, ...]:
    """Each card that was seen, where it was seen last, with the mean of the beliefs of those who saw it."""
    by_spot: dict[Spot, list[Sighting]] = {}
    for reading in readings:
        for sighting in reading.sightings:
            by_spot.setdefault(sighting.spot, []).append(sighting)
    return tuple(replace(by_spot[spot][-1], belief=_mean(by_spot[spot])) for spot in sorted(by_spot))


def _mean(sightings: Sequence[Sighting]) -> dict[str, float]:
    faces = dict.fromkeys(face for sighting in sightings for face in sighting.belief)
    return {face: sum(s.belief.get(face, 0.0) for s in sightings) / len(sightings) for face in faces}


def _differ(spots: Sequence[Spot]) -> str:
    row, column = spots[0]
    if len(spots) == 1:
        sentence = _("The pictures differ in row {row}, column {column}: look there, and say what it is.")
    else:
        sentence = _(
            "The pictures differ in row {row}, column {column} and {count} more: look there, and say what it is."
        )
    return sentence.format(row=row + 1, column=column + 1, count=len(spots) - 1)
