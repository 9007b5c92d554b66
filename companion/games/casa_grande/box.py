"""The box profile of Casa Grande: which platforms one owner's copy holds, and how large everything is.

Source: rule digest, "The platforms: data of the owner's box, not code".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from companion import box
from companion.errors import NotationError
from companion.games.casa_grande.pieces import CONFIDENCES, MOST_COUNT, Piece, problems, read_piece, write_piece

BLOCKS_EACH = (24, 20, 18)
"""Blocks of each colour, as agreed at the start; the first is all there are."""

MOST_BLOCKS = 60
MOST_PIECES = 40


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the owner's copy is, in millimetres.

    `pitch_mm`: from one plot's middle to the next; `block_mm`: a block's side; `layer_mm`: a block's height without its
    studs, which is how far a tower grows; `platform_mm`: how thick a platform is; `track_width_mm`: the track round the
    plots; `margin_mm`: the board's rim outside the track; `bonus_strip_mm`: the strip with the bonus scale beside it;
    `board_mm`: the whole board's side without that strip.
    """

    pitch_mm: float = 17.2
    block_mm: float = 15.6
    layer_mm: float = 17.0
    platform_mm: float = 2.0
    track_width_mm: float = 30.0
    board_mm: float = 211.6
    margin_mm: float = 7.0
    bonus_strip_mm: float = 26.0


LIMITS_MM = {
    "pitch_mm": (5, 60),
    "block_mm": (4, 60),
    "layer_mm": (3, 60),
    "platform_mm": (0, 10),
    "track_width_mm": (5, 100),
    "board_mm": (60, 800),
    "margin_mm": (0, 100),
    "bonus_strip_mm": (0, 200),
}
"""The least and the most of each size."""


@dataclass(frozen=True, slots=True)
class Known:
    """A piece of the profile, and how well it is known: one of `CONFIDENCES`."""

    piece: Piece
    confidence: str


@dataclass(frozen=True, slots=True)
class Box:
    """One owner's copy."""

    name: str
    known: tuple[Known, ...]
    sizes: Sizes = Sizes()
    blocks_each: int = BLOCKS_EACH[0]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The platforms of each colour."""
        return tuple(known.piece for known in self.known)


def load(path: Path | None = None) -> Box:
    """The profile from an owner's file, or our sample. Raises: BoxError, naming everything that is wrong."""
    return box.sample(__package__, check) if path is None else box.load(path, check)


def check(top: box.Table) -> Box:
    """The profile's values; what is wrong is noted in the table."""
    top.only(("game", "name", "blocks_each", "sizes", "piece"))
    top.text("game", ["casa-grande"])
    name = top.text("name")
    blocks = top.integer("blocks_each", 1, MOST_BLOCKS) if top.has("blocks_each") else BLOCKS_EACH[0]
    known = tuple(_known(table) for table in top.tables("piece", MOST_PIECES))
    names = [each.piece.name for each in known]
    for twice in sorted({name for name in names if names.count(name) > 1 and name}):
        top.note_on("piece", f"must have a name of its own each ({twice} is given twice)")
    return Box(name, known, _sizes(top), blocks)


def _sizes(top: box.Table) -> Sizes:
    if not top.has("sizes"):
        return Sizes()
    table = top.table("sizes")
    table.only([field.name for field in fields(Sizes)])
    given = {key: table.number(key, low, high) for key, (low, high) in LIMITS_MM.items() if table.has(key)}
    return Sizes(**given)


def _known(table: box.Table) -> Known:
    table.only(("name", "shape", "count", "flippable", "confidence"))
    name, drawn = table.text("name"), table.lines("shape")
    count = table.integer("count", 1, MOST_COUNT) if table.has("count") else 1
    flippable = table.flag("flippable") if table.has("flippable") else False
    confidence = table.text("confidence", CONFIDENCES) if table.has("confidence") else "reported"
    try:
        drawn_piece = read_piece(f"x 1x {'/'.join(drawn)}")
    except NotationError:
        if drawn:
            table.note_on("shape", "must be rows of # (marked), o (a square) and . (nothing)")
        return Known(Piece(name, ((0, 0),), ((0, 0),)), confidence)
    piece = Piece(name, drawn_piece.squares, drawn_piece.marked, count, flippable)
    for clause in problems(piece) if name else ():
        table.note(clause)
    return Known(piece, confidence)


def write(profile: Box) -> str:
    """The profile as a TOML file that `load` takes."""
    lines = ['game = "casa-grande"', f"name = {_quoted(profile.name)}", f"blocks_each = {profile.blocks_each}", ""]
    lines += ["[sizes]  # millimetres"]
    lines += [f"{field.name} = {getattr(profile.sizes, field.name)}" for field in fields(Sizes)]
    for known in profile.known:
        rows: Sequence[str] = write_piece(known.piece).split()[2].split("/")
        lines += ["", "[[piece]]", f"name = {_quoted(known.piece.name)}", f"count = {known.piece.count}"]
        lines += [f"shape = [{', '.join(map(_quoted, rows))}]", f"flippable = {str(known.piece.flippable).lower()}"]
        lines += [f"confidence = {_quoted(known.confidence)}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
