"""The photographed grid: what each card was read as, the doubtful ones first, to be put right before it is added up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty

from companion.intents import Control, Make, Notice, Pressed
from companion.language import _, counted
from companion.parts import Part
from companion.review import Choice, Review
from companion.sight import GAP, Spot
from companion.view import Tone, View
from companion.wording import refusal_sentence, seat_name
from ui.desk import now
from ui.pump import Draft, Seen
from ui.screens import wrong
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.dialog import ask, choose, tell
from ui.widgets.panel import Row
from ui.widgets.scores import grouped
from ui.widgets.speech import Said
from vision.straighten import Plane, plane, seen_from_above

UNIT_PX = 96
"""So many pixels a card has in the picture of the whole grid."""

CLOSE_PX = 224
"""And in the one of a single card, which shows a part of its neighbours too."""

CLOSE_UNITS = 1.3

ROOMY = 230
"""From this width on, px, the side column has room for all buttons."""


class Face(Tap):
    """What the marked spot may show, to be tapped; one that cannot be is quiet, and says why."""

    choice = ObjectProperty(None)


class Total(Row):
    """A seat's badge and total; the name too, where there is room."""

    seat = NumericProperty(0)
    named = StringProperty("")
    figure = StringProperty("")
    letter = NumericProperty(12)
    compact = BooleanProperty(False)


class ReviewPage(Page):
    """The newest look at the turned cards. It stays with its picture from the first tap on."""

    choosing = BooleanProperty(False)

    def __init__(self, nav: Any, **rest: Any) -> None:
        super().__init__(nav, **rest)
        self.ids.grid.tapped = self._tap
        self.ids.side.fbind("width", self._refit)
        self._seen: Seen | None = None
        self._review: Review | None = None
        self._plane: Plane | None = None
        self._spot: Spot | None = None
        self._stands_at = ("", -1)
        self._begun = False
        self._refused = ""
        self._drafted: Draft | None = None
        self._faces: list[Face] = []
        self._ways_shown: tuple[bool, ...] = ()

    def opened(self, **_details: Any) -> None:
        """What was said before is still there, while the play stands where it stood."""
        self._drafted, self._ways_shown = None, ()

    @property
    def _roomy(self) -> bool:
        return bool(self.ids.side.width >= ROOMY)

    def _refit(self, *_: Any) -> None:
        if self._seen is not None and self.manager is not None and self.manager.current_screen is self:
            self._draw()

    def on_leave(self) -> None:
        """Another page shows."""
        self.ids.grid.rest()
        self.desk.draft(None)

    def show(self, view: View[Any, Any] | None, _parts: tuple[Part, ...]) -> None:
        """Draw the newest look; without one there is nothing to go over."""
        seen = self.desk.seen
        if view is None or seen is None:
            self.nav.open("table" if view is not None else "home")
            return
        self._view = view
        if self._stands_at != (view.play, view.revision):
            self._stands_at = view.play, view.revision
            self._review, self._begun = None, False
        if seen is not self._seen and not self._begun:
            self._take(seen)
        self._draw()

    def _take(self, seen: Seen) -> None:
        """Go over this look. A later one in which no grid is seen does not take the place of one that shows it."""
        if seen.review is None and self._review is not None:
            return
        self._seen, self._review, self._refused = seen, seen.review, ""
        self._plane = plane(seen.look.reading.sightings)
        self._spot = seen.review.doubtful[0] if seen.review is not None and seen.review.doubtful else None
        pixels = None
        if self._review is not None and self._plane is not None:
            rows = self._review.rows
            pixels = seen_from_above(seen.look.picture, self._plane, (0, 0, len(rows[0]), len(rows)), UNIT_PX)
        self.ids.grid.picture(pixels)

    def _tap(self, spot: Spot) -> None:
        self._begun, self._refused = True, ""
        self._spot = None if spot == self._spot else spot
        self._draw()

    def _choose(self, choice: Choice) -> None:
        """A person says what the marked spot shows; then the next doubtful one has its turn."""
        review, game = self._review, self.desk.game
        if review is None or self._spot is None or game is None:
            return
        self._begun, self._refused = True, ""
        if choice.refusal is not None:
            self._refuse(refusal_sentence(game.sentences, choice.refusal, self._view.names))
        else:
            self._review = review = review.chosen(self._spot, choice.symbol)
            self._spot = next(iter(review.doubtful), None)
        self._draw()

    def _refuse(self, sentence: str) -> None:
        """Say why this cannot be; a small window has no room for that beside the grid."""
        if self._roomy:
            self._refused = sentence
        else:
            tell(_("This cannot be"), sentence)

    def _draw(self) -> None:
        review = self._review
        self.choosing = review is not None and self._spot is not None
        if review is not None:
            self.ids.grid.show(review.rows, review.doubtful, review.said, self._spot)
        self._draw_close()
        self._draw_totals()
        self._draw_speech()
        self._draw_ways()
        self.desk.draft(self._draft())

    def _draft(self) -> Draft:
        """What a button of the table confirms now."""
        review = self._review
        if review is None:
            intent: Make[Any] | Notice = Notice(_("The grid is not seen: photograph it again, or tap it in."))
        elif review.doubtful:
            intent = Notice(self._doubts())
        else:
            intent = Make(review.move)
        last = self._drafted
        same = last is not None and (last.revision, last.intent) == (self._view.revision, intent)
        since_s = last.since_s if last is not None and same else now().monotonic_s
        self._drafted = Draft(self._view.revision, intent, since_s, self._begun)
        return self._drafted

    def _doubts(self) -> str:
        count = len(self._review.doubtful) if self._review is not None else 0
        return counted(
            "One card is doubtful: say what it shows.", "{count} cards are doubtful: say what they show.", count
        )

    def _draw_close(self) -> None:
        """The marked spot enlarged, and what it may show."""
        place, spot, review = self.ids.choices, self._spot, self._review
        place.clear_widgets()
        if spot is None or review is None or self._seen is None:
            return
        row, column = spot
        around = (CLOSE_UNITS - 1) / 2
        if self._plane is not None:
            box = column - around, row - around, CLOSE_UNITS, CLOSE_UNITS
            picture = seen_from_above(self._seen.look.picture, self._plane, box, round(CLOSE_PX / CLOSE_UNITS))
            self.ids.close.show(picture)
        choices = review.choices(spot)
        # Widgets are dear: those that are there are used again.
        while len(self._faces) < len(choices):
            self._faces.append(Face(on_release=lambda face: self._choose(face.choice)))
        for face, choice in zip(self._faces, choices, strict=False):
            face.text = _("Gap") if choice.symbol == GAP else choice.symbol
            face.kind = "plain" if choice.refusal is None else "quiet"
            face.chosen = spot in review.said and review.rows[row][column] == choice.symbol
            face.choice = choice
            place.add_widget(face)

    def _draw_totals(self) -> None:
        place = self.ids.totals
        sheet = self._review.sheet if self._review is not None else None
        totals = {} if sheet is None else sheet.totals()
        if [total.seat for total in reversed(place.children)] != list(totals):
            place.clear_widgets()
            for seat in totals:
                place.add_widget(Total(seat=seat))
        for shown, (seat, points) in zip(reversed(place.children), totals.items(), strict=True):
            shown.named = seat_name(seat, self._view.names) if self._roomy else ""
            shown.figure, shown.compact = grouped(points), self.choosing and not self._roomy

    def _draw_speech(self) -> None:
        message = self._view.message
        said: list[Said] = []
        if self._refused:
            said.append(Said(self._refused, "refused"))
        elif message is not None:
            said.append(Said(message.sentence, "told" if message.tone is Tone.TOLD else "refused"))
        if self._spot is not None:
            row, column = self._spot
            said.append(Said(_("Row {row}, column {column}?").format(row=row + 1, column=column + 1), "now"))
        if self._spot is None or self._roomy:
            said.append(self._stands())
        self.ids.speech.say(said)

    def _stands(self) -> Said:
        """How far the grid has come."""
        review, game = self._review, self.desk.game
        if review is None or game is None:
            return Said(_("The grid is not seen: photograph it again, or tap it in."), "now")
        if review.doubtful:
            return Said(self._doubts(), "now" if self._spot is None else "beside")
        if review.refusal is not None:
            return Said(refusal_sentence(game.sentences, review.refusal, self._view.names), "refused")
        return Said(_("All cards are read. Tap one to change it."), "now" if self._spot is None else "beside")

    def _draw_ways(self) -> None:
        """The buttons that fit; the rest is under More."""
        review = self._review
        ready = review is not None and review.refusal is None
        sure = review is not None and not review.doubtful
        wanted = self.choosing, self._roomy, ready, sure
        if wanted == self._ways_shown:
            return
        self._ways_shown = wanted
        ways, ends = self.ids.ways, self.ids.ends
        ways.clear_widgets()
        ends.clear_widgets()
        if self.choosing:
            ends.add_widget(Tap(_("Later"), self._look_away))
            return
        back = _("Back"), self._leave
        if self._roomy:
            for text, deed in self._ways():
                ways.add_widget(Tap(text, deed))
            ends.add_widget(Tap(*back))
        else:
            more = Tap(_("More"), lambda: choose(_("What now?"), [*self._ways(), back]), size_hint_x=0.6)
            ends.add_widget(more)
        ends.add_widget(Tap(_("Confirm"), self.confirm, disabled=not ready, kind="primary" if sure else "plain"))

    def _look_away(self) -> None:
        self._spot, self._refused = None, ""
        self._draw()

    def _ways(self) -> list[tuple[str, Callable[[], object]]]:
        return [(_("Photograph"), self._photograph), (_("This was wrong"), self._keep_problem)]

    def confirm(self) -> None:
        """Add this grid up; with a question while something is doubtful."""
        if self._review is not None and self._review.doubtful:
            ask(_("Add up?"), self._doubts(), _("Add up"), self._put)
        else:
            self._put()

    def _put(self) -> None:
        if self._review is not None:
            self.desk.put(Make(self._review.move))

    def _photograph(self) -> None:
        self._begun = False
        self.desk.put(Pressed(Control.PHOTOGRAPH, now().monotonic_s))

    def _keep_problem(self) -> None:
        review = self._review
        wrong.keep(self.desk, self._seen, review.rows if review is not None and review.said else None)

    def _leave(self) -> None:
        self.nav.open("table")


load_rules(__file__)
