"""What the table agrees on before the first roll: players, colours, corners, blocks, platforms, house rules.

Source: rule digest, "Board" and the ambiguities that it marks as likely or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache

from companion.errors import NotationError, SetupError, brief, quoted
from companion.games.casa_grande import box
from companion.games.casa_grande.board import SIDE_SPACES, SPACES
from companion.games.casa_grande.pieces import Piece, read_piece, write_piece
from companion.games.casa_grande.pieces import problems as piece_problems
from companion.language import _
from companion.rules import Seat, read_seat, write_seat
from companion.wording import listed

COLOURS = ("gray", "orange", "purple", "beige")
PLAYERS = (2, 3, 4)
CORNERS = tuple(range(0, SPACES, SIDE_SPACES))

NEAREST_CORNERS = (15, 0, 5, 10)
"""The corner that is clockwise nearest to each seat: A's at the near left."""

_NUMBER = re.compile(r"\d{1,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the rules leave open, each with the default that holds unless the table agrees otherwise."""

    identical_floor: str = "same_squares"
    """A floor one level above another of the same shape is refused on the `same_squares`, on `any_overlap`, or never
    (`off`)."""

    covering: str = "anyone"
    """Unmarked squares may cover blocks and floors of `anyone`, or the player's `own` alone."""

    bridging: str = "allowed"
    """Unmarked squares need no support (`allowed`), or must lie on something of the same height (`off`)."""

    edge: str = "inside"
    """A platform stays `inside` the 8 x 8 plots, or its unmarked squares may stand out `over` the edge."""

    bought_corner: str = "gains"
    """Who stays on a corner that bought steps led to `gains` 3 bonus points as well, or has `nothing` of it."""

    no_plot: str = "skip"
    """No legal plot in the lane: the block is left out (`skip`) and a platform may follow, or the turn `ends`."""

    nines: str = "last"
    """Payments that are no cash-ins take the nines `last`, even after change, or like `any` other note."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "identical_floor": ("same_squares", "any_overlap", "off"),
    "covering": ("anyone", "own"),
    "bridging": ("allowed", "off"),
    "edge": ("inside", "over"),
    "bought_corner": ("gains", "nothing"),
    "no_plot": ("skip", "ends"),
    "nines": ("last", "any"),
}


@cache
def sample_pieces() -> tuple[Piece, ...]:
    """The platforms of the box profile that the program ships."""
    return box.load().pieces


@dataclass(frozen=True, slots=True)
class Setup:
    """One play. None stands for what is usual: the sample's platforms, colours in order, each seat's nearest corner."""

    players: int = 4
    first: Seat = 0
    blocks: int = box.BLOCKS_EACH[0]
    house: HouseRules = field(default_factory=HouseRules)
    colours: tuple[str, ...] | None = None
    start: tuple[int, ...] | None = None
    platforms: tuple[Piece, ...] | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that take part, clockwise."""
        return tuple(range(self.players))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The platforms that each colour has."""
        return sample_pieces() if self.platforms is None else self.platforms

    @property
    def colour_names(self) -> tuple[str, ...]:
        """Each seat's colour."""
        return COLOURS[: self.players] if self.colours is None else self.colours

    @property
    def corners(self) -> tuple[int, ...]:
        """The space on which each seat's piece starts."""
        return NEAREST_CORNERS[: self.players] if self.start is None else self.start

    def piece(self, name: str) -> Piece | None:
        """The platform of that name, or None."""
        return next((piece for piece in self.pieces if piece.name == name), None)


def problems(setup: Setup) -> list[tuple[str, str]]:
    """Everything that keeps this setup from being played: (key, sentence) pairs."""
    if setup.players not in PLAYERS:
        sentence = _("Casa Grande is for 2 to 4 players, not {players}: choose 2, 3 or 4.")
        return [("players", sentence.format(players=setup.players))]
    found = []
    if setup.first not in setup.seats:
        names = listed(tuple(map(write_seat, setup.seats)))
        found.append(("first", _("The first player must be {seats}.").format(seats=names)))
    if not 1 <= setup.blocks <= box.MOST_BLOCKS:
        found.append(
            ("blocks", _("Each player has 1 to {most} blocks; 24, 20 or 18 are usual.").format(most=box.MOST_BLOCKS))
        )
    for key, allowed in CHOICES.items():
        if getattr(setup.house, key) not in allowed:
            sentence = _("House rule {rule} must be {allowed}.").format(rule=key, allowed=listed(allowed))
            found.append((f"house.{key}", sentence))
    if _unlike(setup.colour_names, setup.players) or not set(setup.colour_names) <= set(COLOURS):
        sentence = _("Each of the {players} players needs a colour of their own: {colours}.")
        found.append(("colours", sentence.format(players=setup.players, colours=listed(COLOURS))))
    if _unlike(setup.corners, setup.players) or not set(setup.corners) <= set(CORNERS):
        sentence = _("Each of the {players} pieces starts on a corner of its own: {corners}.")
        corners = listed(tuple(map(str, CORNERS)))
        found.append(("start", sentence.format(players=setup.players, corners=corners)))
    return found + _piece_problems(setup.pieces)


def _unlike(values: tuple[object, ...], players: int) -> bool:
    return len(values) != players or len(set(values)) != players


def _piece_problems(pieces: tuple[Piece, ...]) -> list[tuple[str, str]]:
    names = [piece.name for piece in pieces]
    found = [f"{piece.name} {clause}" for piece in pieces for clause in piece_problems(piece)]
    found += [f"{name} is given twice" for name in sorted(set(names)) if names.count(name) > 1]
    if not 1 <= len(pieces) <= box.MOST_PIECES:
        found.append(f"there must be 1 to {box.MOST_PIECES} kinds")
    return [("pieces", _("Platforms: {problem}.").format(problem=problem)) for problem in found]


def write_setup(setup: Setup) -> dict[str, str]:
    """The setup as a journal's header lines.

    The platforms are always written: a journal must not change its meaning when another box is the usual one.
    """
    lines = {"players": str(setup.players)}
    if setup.first != 0:
        lines["first"] = write_seat(setup.first)
    if setup.blocks != box.BLOCKS_EACH[0]:
        lines["blocks"] = str(setup.blocks)
    if setup.colours is not None:
        lines["colours"] = " ".join(setup.colours)
    if setup.start is not None:
        lines["start"] = " ".join(map(str, setup.start))
    for rule in fields(HouseRules):
        if (value := getattr(setup.house, rule.name)) != rule.default:
            lines[f"house.{rule.name}"] = value
    lines["pieces"] = "; ".join(map(write_piece, setup.pieces))
    return lines


def read_setup(lines: Mapping[str, str]) -> Setup:
    """The inverse of `write_setup`. Raises: SetupError, naming everything that is wrong."""
    known = ("players", "first", "blocks", "colours", "start", "pieces", *(f"house.{key}" for key in CHOICES))
    found = [
        (key, f"{brief(key)} is not a setting of Casa Grande: use {', '.join(known)}.")
        for key in lines
        if key not in known
    ]
    values: dict[str, object] = {}
    readers: dict[str, tuple[str, Callable[[str], object], str]] = {
        "players": ("players", _read_number, "a whole number"),
        "first": ("first", read_seat, "a seat's letter"),
        "blocks": ("blocks", _read_number, "a whole number"),
        "colours": ("colours", lambda text: tuple(text.split()), "colours such as gray orange"),
        "start": ("start", _read_numbers, "spaces such as 15 0 5 10"),
        "pieces": ("platforms", _read_pieces, "platforms such as I3 2x #o#; O4 2x #o/o#"),
    }
    for key, (name, reader, allowed) in readers.items():
        if key in lines:
            try:
                values[name] = reader(lines[key])
            except (ValueError, NotationError):
                found.append((key, f"{key} must be {allowed}, not {quoted(lines[key])}."))
    house = {key: lines[f"house.{key}"] for key in CHOICES if f"house.{key}" in lines}
    if values.get("platforms") == sample_pieces():
        values["platforms"] = None
    setup = Setup(**values, house=HouseRules(**house))  # type: ignore[arg-type]
    found += problems(setup)
    if found:
        raise SetupError(found)
    return setup


def _read_number(text: str) -> int:
    # int() alone takes more than people write: 1_0, and the digits of every script.
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{quoted(text)} is not a whole number")
    return int(text)


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(map(_read_number, text.split()))


def _read_pieces(text: str) -> tuple[Piece, ...]:
    return tuple(map(read_piece, text.split(";")))
