"""Sentences for people. Each game hands in its own templates; nothing here knows a game.

A template is filled with `str.format` from the facts. Facts named `seat` or `other` hold a seat's number and are
shown as the player's name, or as the seat's letter where no name was given. Names and texts may hold anything; a
sentence shows them on one line. Templates stand here in English and are translated when they are filled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import printable
from companion.language import _, told
from companion.rules import Event, Refusal, Seat, write_seat
from companion.score import Facts, ScoreLine

SEAT_FACTS = ("seat", "other")

COMMON_REFUSALS = {
    "no_such_seat": "Seat {letter} does not play: name one of {seats}.",
    "too_many_points": "No result changes by more than {most} points: give a smaller number.",
    "nothing_to_undo": "There is nothing left to undo.",
    "nothing_to_redo": "There is nothing to put in again.",
    "nothing_to_amend": "This entry was taken back: choose one that still holds.",
    "no_such_pips": "A die shows 1 to 6: give the number again.",
    "not_your_button": "Turn order: it is {seat}'s turn; press {seat}'s button.",
}
COMMON_LINES = {"adjusted": "{points:+d} by agreement: {reason}"}
COMMON_EVENTS = {"agreed": "Played this way by agreement. {rule}"}
TOLD = {
    "nothing_to_confirm": "There is nothing to confirm yet: make the move, or tap it.",
    "choose_one": "More than one move fits: tap the right one.",
    "unsure": "It is not sure that this move was made: tap it if it was.",
    "unexplained": "No move explains what lies there: put it right, or tap the move that was made.",
    "time_is_up": "{seat}, the time for this turn is up: please finish it.",
}
"""What is told about buttons that were pressed in vain, and about a turn that takes as long as it may."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """A game's templates, by the names of its refusals, events and score rules."""

    refusals: Mapping[str, str]
    events: Mapping[str, str]
    lines: Mapping[str, str]


def refusal_sentence(sentences: Sentences, refusal: Refusal, names: Mapping[Seat, str] | None = None) -> str:
    """Why a move is refused, and what to do instead."""
    template = COMMON_REFUSALS.get(refusal.rule) or sentences.refusals[refusal.rule]
    return _filled(template, refusal.facts, names)


def event_sentence(sentences: Sentences, event: Event, names: Mapping[Seat, str] | None = None) -> str:
    """What a move meant at the table."""
    return _filled(sentences.events[event.name], event.facts, names)


def line_sentence(sentences: Sentences, line: ScoreLine, names: Mapping[Seat, str] | None = None) -> str:
    """How a score line comes about."""
    template = COMMON_LINES.get(line.rule) or sentences.lines[line.rule]
    return _filled(template, {**line.facts, "points": line.points, "seat": line.seat}, names)


def agreed_sentence(sentences: Sentences, waived: Refusal, names: Mapping[Seat, str] | None = None) -> str:
    """That a move holds by agreement, and which rule was waived."""
    return _(COMMON_EVENTS["agreed"]).format(rule=refusal_sentence(sentences, waived, names))


def time_is_up(seat: Seat, names: Mapping[Seat, str] | None = None) -> str:
    """That a seat's turn has taken as long as it may."""
    return _filled(TOLD["time_is_up"], {"seat": seat}, names)


def adjusted_sentence(seat: Seat, points: int, reason: str, names: Mapping[Seat, str] | None = None) -> str:
    """How the table has overruled the program."""
    filled = _filled(COMMON_LINES["adjusted"], {"points": points, "reason": reason}, names)
    return _("{name}: {sentence}").format(name=seat_name(seat, names), sentence=filled)


def told_in_vain(name: str) -> str:
    """What is told about a button that was pressed in vain, by its name in `TOLD`."""
    return _(TOLD[name])


def sheet_title(title: str) -> str:
    """A sheet's title in the language that is used. Titles are kept in English, the number of a round at their end."""
    words, _space, number = title.rpartition(" ")
    return told(f"{words} {{number}}", {"number": number}) if number.isdecimal() else _(title)


def seat_name(seat: Seat, names: Mapping[Seat, str] | None = None) -> str:
    """The player's name, or the seat's letter."""
    return printable((names or {}).get(seat, "")).strip() or write_seat(seat)


def listed(words: tuple[str, ...], *, all_of: bool = False) -> str:
    """Words in a row: "A", "A or B", "A, B or C"; with `all_of` "A, B and C"."""
    if len(words) < 2:
        return "".join(words)
    template = _("{words} and {last}") if all_of else _("{words} or {last}")
    return template.format(words=", ".join(words[:-1]), last=words[-1])


def _filled(template: str, facts: Facts, names: Mapping[Seat, str] | None) -> str:
    shown = {key: printable(fact) if isinstance(fact, str) else fact for key, fact in facts.items()}
    for key in SEAT_FACTS:
        if key in facts:
            shown[key] = seat_name(int(facts[key]), names)
    return told(template, shown)
