"""The bank's notes: which to hand over for a payment, fewest first, and what change comes back.

The nines lie on the bonus scale and are for the cash-ins: another payment takes them last, unless the house rule says
otherwise.
Source: rule digest, "Board" and "Decided where the source is silent".
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

from companion.games.casa_grande.state import NOTES, Notes

NINE = NOTES.index(9)
NONE: Notes = (0,) * len(NOTES)

FEW = 4
"""Payments of so many notes are found by trying them all, the fewest first."""


def worth(notes: Notes) -> int:
    """What notes are worth together, in lire."""
    return sum(note * count for note, count in zip(NOTES, notes, strict=True))


def plus(one: Notes, other: Notes) -> Notes:
    """Both together."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def minus(one: Notes, other: Notes) -> Notes:
    """One without the other."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


def cash_in(bank: Notes, purse: Notes, owed: int = 0) -> tuple[Notes, Notes]:
    """The notes for nine lire from the bonus scale, (given, change), together with what is `owed` from before."""
    return (_one(NINE), NONE) if bank[NINE] and not owed else payment(bank, purse, NOTES[NINE] + owed)


def payment(bank: Notes, purse: Notes, lire: int, *, nines_last: bool = True) -> tuple[Notes, Notes]:
    """The notes for a payment: (given by the bank, change from the player's purse).

    Fewest notes first; with change only where it must be, and (`nines_last`) with nines only where even that does not
    do. When the bank has too little, it gives what is there and nothing comes back: worth(given) - worth(change) tells.
    """
    without = tuple(0 if number == NINE else count for number, count in enumerate(bank))
    for stock in (without, bank) if nines_last else (bank,):
        if (given := fewest(stock, lire)) is not None:
            return given, NONE
        for back in range(1, NOTES[-1] + 1):
            change, given = fewest(purse, back), fewest(stock, lire + back)
            if change is not None and given is not None:
                return given, change
    return _short(bank, lire), NONE


@lru_cache(maxsize=4096)
def fewest(stock: Notes, lire: int) -> Notes | None:
    """The fewest notes of a stock that are worth exactly so much, or None; of equally many, the smallest."""
    for count in range(FEW + 1):
        for picked in combinations_with_replacement(range(len(NOTES)), count):
            if sum(NOTES[number] for number in picked) == lire:
                notes = tuple(picked.count(number) for number in range(len(NOTES)))
                if all(wanted <= left for wanted, left in zip(notes, stock, strict=True)):
                    return notes
    return _searched(stock, lire)


def _searched(stock: Notes, lire: int) -> Notes | None:
    """The same for many notes: the fewest for each sum, note after note."""
    best: dict[int, Notes] = {0: NONE}
    for number, note in enumerate(NOTES):
        for total, notes in list(best.items()):
            for count in range(1, min(stock[number], (lire - total) // note) + 1):
                more = plus(notes, tuple(count * (other == number) for other in range(len(NOTES))))
                known = best.get(total + count * note)
                if known is None or sum(more) < sum(known):
                    best[total + count * note] = more
    return best.get(lire)


def _short(bank: Notes, lire: int) -> Notes:
    """As much as the bank can give without giving more than is owed."""
    for less in range(lire, 0, -1):
        if (given := fewest(bank, less)) is not None:
            return given
    return NONE


def _one(number: int) -> Notes:
    return tuple(int(other == number) for other in range(len(NOTES)))


def told(notes: Notes) -> str:
    """Notes in words: "25 + 6 + 6", the largest first."""
    return " + ".join(
        str(note) for note, count in reversed(tuple(zip(NOTES, notes, strict=True))) for _ in range(count)
    )
