"""Reading a finished layout, and the points of a tournament.

A line counts up to its first comma or gap; the rest is ignored. Every seat reads the same cards from its own side.
Source: rule digest, "Reading" and "Tournament".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import GridError, quoted
from companion.games.cassa_grande.pieces import COMMA, DIGITS, FACES, FRAMES, SEATS
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import State
from companion.language import _, later
from companion.rules import Seat, write_seat
from companion.score import Facts, ScoreLine, ScoreSheet
from companion.sight import GAP, UNKNOWN, Spot

ROUND = later("Round {number}")
STANDING = later("Standing")
FIRST_ROUND = ROUND.format(number=1)
"""The titles of sheets."""

PRINTED_GAP = "X"
"""How a gap is shown to people, and another way to write one."""


def clean_rows(rows: Sequence[str]) -> tuple[str, ...]:
    """The rows with `GAP` for every way to write a gap.

    Raises: GridError when there is no rectangle of known symbols.
    """
    cleaned = tuple(row.replace(PRINTED_GAP, GAP).replace(PRINTED_GAP.lower(), GAP) for row in rows)
    if not cleaned or not cleaned[0]:
        raise GridError(_("There are no rows: give the layout's rows as seat A reads them."))
    for number, (row, given) in enumerate(zip(cleaned, rows, strict=True), start=1):
        wrong = next((symbol for symbol in row if symbol not in FACES + GAP + UNKNOWN), None)
        if wrong is not None:
            raise GridError(
                _("Row {number}, {row}, holds {wrong}: use 0 1 2 3 4, a comma, X for a gap.").format(
                    number=number, row=quoted(given), wrong=quoted(wrong)
                )
            )
        if len(row) != len(cleaned[0]):
            raise GridError(
                _(
                    "Row {number}, {row}, has {count} symbols and row 1 has {width}: "
                    "write every row to the frame's full width, with X for a gap."
                ).format(number=number, row=quoted(given), count=len(row), width=len(cleaned[0]))
            )
    return cleaned


def players_of(rows: Sequence[str]) -> int:
    """How many players lay out a full frame of this size. Raises: GridError."""
    height, width = len(rows), len(rows[0])
    for players, frame in FRAMES.items():
        if height == width == frame:
            return players
    raise GridError(
        _("This layout is {height} by {width} (rows by columns): four players need 6 by 6, two players 5 by 5.").format(
            height=height, width=width
        )
    )


def turned(rows: Sequence[str]) -> tuple[str, ...]:
    """The same layout as the next seat clockwise reads it."""
    return tuple("".join(column) for column in zip(*rows, strict=True))[::-1]


def seat_spots(height: int, width: int, seat: Seat) -> tuple[tuple[Spot, ...], ...]:
    """The cells of each of a seat's lines, in the order in which it reads them; cells as seat A counts them."""
    lines = [[(row, column) for column in range(width)] for row in range(height)]
    for _turn in range(seat):
        lines = [list(column) for column in zip(*lines, strict=True)][::-1]
    return tuple(map(tuple, lines))


def sheet(
    rows: Sequence[str],
    seats: Sequence[Seat] | None = None,
    title: str = FIRST_ROUND,
    *,
    lower_wins: bool = False,
) -> ScoreSheet:
    """What every seat reads; without `seats`, those that the size of the frame tells.

    Raises: GridError when the rows are no layout, or a line has an unknown card before its first break.
    """
    grid = clean_rows(rows)
    readers = tuple(seats) if seats is not None else SEATS[players_of(grid)]
    lines = tuple(line for seat in readers for line in read_lines(grid, seat))
    return ScoreSheet(title, readers, lines, lower_wins)


def read_lines(rows: Sequence[str], seat: Seat) -> tuple[ScoreLine, ...]:
    """One seat's lines in its own reading order. Facts: number, line, counted, ignored; a gap shows as X.

    Raises: GridError when a line has an unknown card before its first break.
    """
    spots = seat_spots(len(rows), len(rows[0]), seat)
    return tuple(_read_line(rows, seat, number, line) for number, line in enumerate(spots, start=1))


def _read_line(rows: Sequence[str], seat: Seat, number: int, spots: tuple[Spot, ...]) -> ScoreLine:
    symbols = "".join(rows[row][column] for row, column in spots)
    length = next((place for place, symbol in enumerate(symbols) if symbol not in DIGITS), len(symbols))
    counted, ignored = symbols[:length], symbols[length:]
    if ignored.startswith(UNKNOWN):
        row, column = spots[length]
        raise GridError(
            _(
                "Line {number} of {seat} cannot be read: the card in row {row}, column {column} "
                "is not known; say its face first."
            ).format(number=number, seat=write_seat(seat), row=row + 1, column=column + 1)
        )
    facts: Facts = {
        "number": number,
        "line": _printed(symbols),
        "counted": counted,
        "ignored": _printed(ignored),
    }
    return ScoreLine(seat, int(counted or "0"), _line_rule(counted, ignored), facts, spots)


def _printed(symbols: str) -> str:
    return symbols.replace(GAP, PRINTED_GAP)


def _line_rule(counted: str, ignored: str) -> str:
    if not ignored:
        return "whole_line"
    stop = "comma" if ignored[0] == COMMA else "gap"
    return f"stops_at_{stop}" if counted else f"starts_with_{stop}"


def round_sheets(state: State) -> tuple[ScoreSheet, ...]:
    """What was read in each finished round."""
    setup = state.setup
    lower = "D" in setup.variants
    return tuple(
        sheet(finished.rows, setup.seats, ROUND.format(number=number), lower_wins=lower)
        for number, finished in enumerate(state.rounds, start=1)
    )


def standing(setup: Setup, sheets: Sequence[ScoreSheet]) -> ScoreSheet:
    """The tournament so far: a line of round points for each seat and finished round."""
    lines = tuple(line for number, result in enumerate(sheets, start=1) for line in _round_lines(setup, result, number))
    return ScoreSheet(STANDING, setup.seats, lines, by_round=True)


def _round_lines(setup: Setup, result: ScoreSheet, number: int) -> tuple[ScoreLine, ...]:
    ranks = result.ranks()
    lines = []
    for seat, rank in ranks.items():
        sharing = sum(other == rank for other in ranks.values())
        paid_rank = rank if setup.house.ties == "better" else rank + sharing - 1
        facts: Facts = {"number": number, "rank": rank, "total": result.total(seat), "sharing": sharing}
        rule = "round_points" if sharing == 1 else "shared_round_points"
        lines.append(ScoreLine(seat, setup.points_by_rank[paid_rank - 1], rule, facts))
    return tuple(lines)


def next_starter(setup: Setup, starter: Seat, winners: Sequence[Seat]) -> Seat:
    """Who starts the next round: the winner; among tied winners as house rule `tied_start` says."""
    if len(winners) > 1 and setup.house.tied_start == "same":
        return starter
    place = setup.seats.index(starter)
    clockwise = setup.seats[place + 1 :] + setup.seats[: place + 1]
    return next(seat for seat in clockwise if seat in winners)


def rematch(state: State, winners: Sequence[Seat]) -> Setup:
    """The setup of the same play once more: its winner starts."""
    return replace(state.setup, first=next_starter(state.setup, state.starter, winners))
