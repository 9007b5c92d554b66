"""What the table agrees on before the first card: players, variants, house rules, rounds.

Source: rule digest, "Variants", "Tournament" and "Decided where the source is silent".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields

from companion.errors import NotationError, SetupError, brief, quoted
from companion.games.cassa_grande.pieces import (
    FACES,
    FRAMES,
    SEATS,
    read_deck,
    sort_faces,
    standard_deck,
    write_deck,
)
from companion.language import _
from companion.rules import Seat, read_seat, write_seat
from companion.wording import listed

VARIANTS = {
    "A": "cards face up",
    "B": "swap a hidden card after each card",
    "C": "face up and face down by turns",
    "D": "the smaller total wins",
    "E": "all cards shuffled and dealt",
}
"""The variants; any may be combined. With A and C together every card lies face up, for A hides none."""

MOST_ROUNDS = 99

_NUMBER = re.compile(r"-?\d{1,12}", re.ASCII)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the rules leave open, each with the default that holds unless the table agrees otherwise."""

    ties: str = "better"
    """Tied players share the `better` rank's round points (1, 1, 3, 4), or the `worse` one's (2, 2, 3, 4)."""

    tied_start: str = "clockwise"
    """Who starts after a tie for the first rank: the winner next `clockwise` from the last starter, or the `same` seat
    as before."""

    stuck_comma: str = "own"
    """A player has only the comma left before the limits are set: they take back their `own` at once, or `all` do, or
    they `wait`; when nobody has anything else left, the wait is over for all."""

    dealt_commas: str = "after_limits"
    """Variant E: commas may be played `after_limits` are set or at `any_time`. None is laid out at the start."""

    grid_check: str = "deck"
    """What turned-over cards must fit: the `deck` in play and all known cards; `hands`: each player's own cards too;
    `off`: only the frame, for a table that overrules the program."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "ties": ("better", "worse"),
    "tied_start": ("clockwise", "same"),
    "stuck_comma": ("own", "all", "wait"),
    "dealt_commas": ("after_limits", "any_time"),
    "grid_check": ("deck", "hands", "off"),
}

ROUND_POINTS = {2: (2, 1), 4: (4, 3, 2, 1)}
"""House rule `round_points`: what each rank of a round is worth in a tournament, by number of players."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One play: a single round or a tournament. None stands for what is usual with this number of players."""

    players: int = 4
    variants: frozenset[str] = frozenset()
    house: HouseRules = field(default_factory=HouseRules)
    rounds: int = 1
    first: Seat = 0
    deck: str | None = None
    round_points: tuple[int, ...] | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that take part, clockwise."""
        return SEATS[self.players]

    @property
    def frame(self) -> int:
        """How many cards wide and high the layout may grow."""
        return FRAMES[self.players]

    @property
    def cards(self) -> str:
        """All the cards in play."""
        return standard_deck(self.players) if self.deck is None else sort_faces(self.deck)

    @property
    def hand(self) -> str:
        """What each player is dealt when all get the same cards."""
        return "".join(face * (self.cards.count(face) // self.players) for face in FACES)

    @property
    def points_by_rank(self) -> tuple[int, ...]:
        """What each rank of a round is worth, best rank first."""
        return ROUND_POINTS[self.players] if self.round_points is None else self.round_points


def problems(setup: Setup) -> list[tuple[str, str]]:
    """Everything that keeps this setup from being played: (key, sentence) pairs."""
    if setup.players not in SEATS:
        return [
            (
                "players",
                _("Cassa Grande is for 2 or 4 players, not {players}: choose 2 or 4.").format(players=setup.players),
            )
        ]
    found = []
    if wrong := sorted(setup.variants - set(VARIANTS)):
        sentence = _("Variant {variant} is not known: choose among A B C D E.").format(variant=brief(wrong[0]))
        found.append(("variants", sentence))
    for key, allowed in CHOICES.items():
        if getattr(setup.house, key) not in allowed:
            sentence = _("House rule {rule} must be {allowed}.").format(rule=key, allowed=listed(allowed))
            found.append((f"house.{key}", sentence))
    if not 1 <= setup.rounds <= MOST_ROUNDS:
        found.append(("rounds", _("Play 1 to {most} rounds.").format(most=MOST_ROUNDS)))
    if setup.first not in setup.seats:
        names = listed(tuple(map(write_seat, setup.seats)))
        found.append(("first", _("The first player must be {seats}.").format(seats=names)))
    if len(setup.points_by_rank) != setup.players or list(setup.points_by_rank) != sorted(setup.points_by_rank)[::-1]:
        sentence = _("Round points must be {count} whole numbers, the best rank's first.").format(count=setup.players)
        found.append(("round_points", sentence))
    return found + _deck_problems(setup)


def _deck_problems(setup: Setup) -> list[tuple[str, str]]:
    if not set(setup.deck or "") <= set(FACES):
        return [("deck", _("The deck may hold the faces {faces} only.").format(faces=" ".join(FACES)))]
    cards, players, room = setup.cards, setup.players, setup.frame**2
    if not 0 < len(cards) <= room:
        sentence = _("The deck must hold 1 to {room} cards, the cells of the frame; it holds {count}.")
        return [("deck", sentence.format(room=room, count=len(cards)))]
    if "E" in setup.variants:
        if len(cards) % players:
            sentence = _("{count} cards cannot be dealt evenly to {players} players: leave some out.")
            return [("deck", sentence.format(count=len(cards), players=players))]
        return []
    uneven = [face for face in FACES if cards.count(face) % players]
    if uneven:
        sentence = _("The deck ({deck}) gives {players} players unlike hands: play it with variant E.")
        return [("deck", sentence.format(deck=write_deck(cards), players=players))]
    return []


def write_setup(setup: Setup) -> dict[str, str]:
    """The setup as a journal's header lines; what is usual is left out, except the players."""
    lines = {"players": str(setup.players)}
    if setup.variants:
        lines["variants"] = " ".join(sorted(setup.variants))
    if setup.rounds != 1:
        lines["rounds"] = str(setup.rounds)
    if setup.first != 0:
        lines["first"] = write_seat(setup.first)
    if setup.deck is not None:
        lines["deck"] = write_deck(setup.deck)
    if setup.round_points is not None:
        lines["round_points"] = " ".join(map(str, setup.round_points))
    for rule in fields(HouseRules):
        if (value := getattr(setup.house, rule.name)) != rule.default:
            lines[f"house.{rule.name}"] = value
    return lines


def read_setup(lines: Mapping[str, str]) -> Setup:
    """The inverse of `write_setup`. Raises: SetupError, naming everything that is wrong."""
    known = ("players", "variants", "rounds", "first", "deck", "round_points", *(f"house.{key}" for key in CHOICES))
    found = [
        (key, f"{brief(key)} is not a setting of Cassa Grande: use {', '.join(known)}.")
        for key in lines
        if key not in known
    ]
    values: dict[str, object] = {}
    readers: dict[str, tuple[Callable[[str], object], str]] = {
        "players": (_read_number, "a whole number"),
        "variants": (_read_variants, "letters such as A C"),
        "rounds": (_read_number, "a whole number"),
        "first": (read_seat, "a seat's letter"),
        "deck": (read_deck, "counts and faces, such as 8x0 4x1"),
        "round_points": (_read_numbers, "whole numbers, such as 4 3 2 1"),
    }
    for key, (reader, allowed) in readers.items():
        if key in lines:
            try:
                values[key] = reader(lines[key])
            except (ValueError, NotationError):
                found.append((key, f"{key} must be {allowed}, not {quoted(lines[key])}."))
    house = {key: lines[f"house.{key}"] for key in CHOICES if f"house.{key}" in lines}
    setup = Setup(**values, house=HouseRules(**house))  # type: ignore[arg-type]
    found += problems(setup)
    if found:
        raise SetupError(found)
    return setup


def _read_variants(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _read_number(text: str) -> int:
    # int() alone takes more than people write: 1_0, and the digits of every script.
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{quoted(text)} is not a whole number")
    return int(text)


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(map(_read_number, text.split()))
