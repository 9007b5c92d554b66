"""The cards of Cassa Grande. A handful of cards is a text of faces, sorted in the order of `FACES`.

Source: rule digest, "Material and deal".
"""

from __future__ import annotations

COMMA = ","
DIGITS = "01234"
FACES = DIGITS + COMMA

SEATS = {2: (0, 2), 4: (0, 1, 2, 3)}
"""The seats by number of players. Two players sit opposite each other, so their seats are A and C."""

FRAMES = {2: 5, 4: 6}
"""How many cards wide and high the layout may grow, by number of players."""

HANDS = {2: "00011222334,", 4: "0012234,"}
"""What each player of the standard copy is dealt, by number of players."""


def sort_faces(faces: str) -> str:
    """The same cards in the order of `FACES`."""
    return "".join(sorted(faces, key=FACES.index))


def standard_deck(players: int) -> str:
    """All the cards in play in the standard copy."""
    return sort_faces(HANDS[players] * players)


def without(faces: str, taken: str) -> str:
    """The cards that are left; `taken` must be among them."""
    for face in taken:
        if face not in faces:
            raise ValueError(f"no {face} among {faces}")
        faces = faces.replace(face, "", 1)
    return faces


def write_deck(faces: str) -> str:
    """A deck as counts: "8x0 4x1 8x2 4x3 4x4 4x,"."""
    return " ".join(f"{faces.count(face)}x{face}" for face in FACES if face in faces)


def read_deck(text: str) -> str:
    """The inverse of `write_deck`. Raises: ValueError."""
    faces = ""
    for word in text.split():
        count, _, face = word.partition("x")
        if face not in FACES or len(face) != 1 or not (count.isascii() and count.isdigit() and len(count) < 3):
            raise ValueError(f"{word!r} is not a count and a face, such as 8x0")
        faces += face * int(count)
    return sort_faces(faces)
