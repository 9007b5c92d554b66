"""What the companion says: the sentence that matters now, large; what has just happened, small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ui import theme as look
from ui.theme import theme
from ui.widgets import load_rules
from ui.widgets.panel import Scroll
from ui.widgets.text import Paragraph


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence. `tone`: `loud`, `now`, `beside`, `told` or `refused`."""

    sentence: str
    tone: str


class Line(Paragraph):
    """One sentence on the screen."""


class Speech(Scroll):
    """Sentences, the most important first. One that is refused has a mark as well as a colour."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self._said: tuple[Said, ...] = ()
        theme.fbind("body", self._draw)

    @property
    def said(self) -> tuple[Said, ...]:
        """What stands there."""
        return self._said

    def say(self, said: Sequence[Said]) -> None:
        """Say this instead."""
        if tuple(said) != self._said:
            self._said = tuple(said)
            self._draw()
            self.scroll_y = 1

    def _draw(self, *_: Any) -> None:
        lines = self.ids.lines
        lines.clear_widgets()
        for said in self._said:
            mark = "! " if said.tone == "refused" else ""
            line = Line(text=mark + said.sentence)
            line.base = theme.small if said.tone == "beside" else theme.body
            line.color = {"beside": look.MUTED, "refused": look.WARNING, "loud": look.ACCENT}.get(said.tone, look.INK)
            line.bold = said.tone == "loud"
            lines.add_widget(line)


load_rules(__file__)
