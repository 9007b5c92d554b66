"""A table that is not there: pins on gpiozero's mock, cards that lie where they were laid, a camera that sees them.

It runs on the screen's thread, but for the camera, which only fetches the newest scene.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gpiozero.pins.mock import MockFactory

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.pieces import FACES
from companion.games.cassa_grande.placing import FIRST_CELL, cell_refusal
from companion.games.cassa_grande.state import Phase, State, cells, faces_up
from companion.intents import Control
from companion.language import _
from companion.parts import Part
from companion.session import Manners
from companion.sight import UNKNOWN, Spot
from companion.store import Store
from companion.view import View
from hardware.panel import Panel
from hardware.pins import PART, Pins
from hardware.presses import Key
from hardware.wiring import Wiring
from ui.cameras import turned
from ui.config import Camera as CameraSettings
from ui.config import Config
from ui.desk import RULES, Desk, Switch, now
from ui.photographs import FOLDER, Photographs
from ui.simulated import SimulatedTable
from vision.camera import Camera
from vision.drawn import Arm, Scene
from vision.drawncamera import DrawnCamera
from vision.watcher import Watcher

PRESS_S = 0.12
"""How long a simulated finger stays on a button."""

GAME = "cassa-grande"

KEYS: Mapping[str, Key] = {
    "c": Key(Control.CONFIRM),
    "u": Key(Control.UNDO),
    "r": Key(Control.ROLL),
    "p": Key(Control.PHOTOGRAPH),
}
"""The keys of a keyboard that press the table's buttons."""


class Simulation:
    """The people and the cards of a table that is not there."""

    def __init__(self, wiring: Wiring, factory: MockFactory, seed: int = 0) -> None:
        self.scene = Scene(seed=seed, tilt_deg=18)
        self._buttons, self._factory = wiring.buttons(), factory
        self._down: dict[int, float] = {}
        self._table: SimulatedTable | None = None
        self._state: State | None = None
        self._rng = random.Random(seed)  # noqa: S311 - it deals cards to nobody
        self._now_s = 0.0
        self._wrong: Spot | None = None

    def begin(self, game: str, state: Any) -> None:
        """A play comes to the table, a new one or one to go on with. Only Cassa Grande's cards are simulated."""
        self._table = SimulatedTable(state, self._rng) if game == GAME else None
        self._state = state
        self._wrong = None
        self._show()

    def step(self, view: View[Any, Any], now_s: float) -> None:
        """Follow the play, and take fingers off buttons."""
        self._now_s = now_s
        for bcm in [bcm for bcm, until_s in self._down.items() if now_s >= until_s]:
            self._factory.pin(bcm).drive_high()
            del self._down[bcm]
        if self._table is None or view.state == self._state:
            return
        self._table.follow(view.state)
        self._state = view.state
        if not view.state.layout or self._wrong in self._table.laid:
            self._wrong = None
        self._show()

    def press(self, key: Key) -> None:
        """A finger presses a button for a moment."""
        bcm = self._buttons.get(key)
        if bcm is not None and bcm not in self._down:
            self._factory.pin(bcm).drive_low()
            self._down[bcm] = self._now_s + PRESS_S

    def key(self, letter: str) -> bool:
        """A key of the keyboard presses a button of the table, or makes the hands play."""
        if letter == " ":
            self.play()
        elif letter in KEYS:
            self.press(KEYS[letter])
        return letter == " " or letter in KEYS

    @property
    def can_play(self) -> bool:
        """Whether `play` does anything now."""
        return self._table is not None and not self._table.ahead and self._phase in (Phase.PLACE, Phase.TURN_OVER)

    def play(self) -> None:
        """Hands do what is to be done next: lay a card, or turn all over. The companion is not told."""
        table, state = self._table, self._state
        if table is None or state is None or not self.can_play:
            return
        if state.phase is Phase.PLACE:
            table.lay(state)
        else:
            table.turn_over()
        self._show()

    @property
    def switches(self) -> Sequence[Switch]:
        """What goes wrong at tables: a hand in view, glare, cards that should not lie there."""
        laid = self._table.laid if self._table is not None else {}
        last = next(reversed(laid), FIRST_CELL)
        wrong = self._wrong_cell()
        return (
            Switch(_("Take the hand away"), partial(self.cover, None))
            if self.scene.arm is not None
            else Switch(_("A hand reaches in"), partial(self.cover, last)),
            Switch(_("Turn the lamp off"), partial(self.glare, None))
            if self.scene.glare is not None
            else Switch(_("A lamp glares"), partial(self.glare, last), enabled=bool(laid)),
            Switch(_("Take the wrong card away"), partial(self._lay_wrong, None))
            if self._wrong is not None
            else Switch(_("Lay a wrong card"), partial(self._lay_wrong, wrong), enabled=wrong is not None),
            Switch(_("Lay two cards at once"), self._lay_two, enabled=self._can_lay_two),
        )

    @property
    def help(self) -> str:
        """What keys do, in a sentence."""
        return _("Keys: C confirms, U undoes, R rolls, P photographs; the space bar lays a card.")

    def cover(self, spot: Spot | None) -> None:
        """An arm reaches over a spot, or is taken away."""
        self.scene = replace(self.scene, arm=Arm(spot) if spot is not None else None)

    def glare(self, spot: Spot | None) -> None:
        """A lamp is reflected on a spot, or is turned off."""
        self.scene = replace(self.scene, glare=spot)

    @property
    def _phase(self) -> Phase | None:
        return self._state.phase if self._state is not None else None

    def _wrong_cell(self) -> Spot | None:
        """A cell in view where no card may lie, best one that touches no other, and of these the nearest."""
        state = self._state
        if self._table is None or state is None or state.phase is not Phase.PLACE or not state.layout:
            return None
        reach = range(-self.scene.reach, self.scene.reach + 1)
        refused = {(row, column): cell_refusal(state, (row, column)) for row in reach for column in reach}
        wrong = [(cell, why.rule != "touch") for cell, why in refused.items() if why and why.rule in ("touch", "frame")]
        return min(wrong, key=lambda found: (found[1], _distance(state, found[0])), default=(None, False))[0]

    def _lay_wrong(self, cell: Spot | None) -> None:
        self._wrong = cell
        self._show()

    @property
    def _can_lay_two(self) -> bool:
        state = self._state
        if not self.can_play or state is None or state.phase is not Phase.PLACE or "B" in state.setup.variants:
            return False
        return sum(hand.size for hand in state.hands) > 1

    def _lay_two(self) -> None:
        """Two hands at a time, before the camera has asked about the first card."""
        if self._table is not None and self._state is not None and self._can_lay_two:
            between, _events = rules.apply(self._state, self._table.lay(self._state))
            self._table.lay(between)
            self._show()

    def _show(self) -> None:
        laid = dict(self._table.laid) if self._table is not None else {}
        if self._wrong is not None and self._state is not None:
            laid[self._wrong] = FACES[0] if faces_up(self._state) else UNKNOWN
        self.scene = replace(self.scene, laid=laid)


def _distance(state: State, cell: Spot) -> int:
    """How many cards' widths from the nearest card."""
    return min(abs(row - cell[0]) + abs(column - cell[1]) for row, column in cells(state))


def open_simulated(config: Config) -> Desk:
    """A desk whose table is not there, and whose plays are kept beside the real ones. Raises: StoreError."""
    factory = MockFactory()
    simulation = Simulation(config.wiring, factory)
    store = Store.open(config.data.folder / "simulated.sqlite", RULES, now().wall)
    panel = Panel(config.wiring, Pins(factory, Part(PART)))
    camera = DrawnCamera(lambda: simulation.scene)
    cameras = partial(_turned, camera)
    watcher = Watcher(cameras(config.camera), still_s=0.3)
    photographs = Photographs(config.data.folder / FOLDER, on=config.data.photographs)
    manners = Manners(config.play.auto_confirm, config.play.turn_limit_s)
    return Desk(
        store,
        panel,
        watcher,
        manners,
        simulated=simulation,
        photographs=photographs,
        config=config,
        cameras=cameras,
    )


def _turned(camera: DrawnCamera, settings: CameraSettings) -> Callable[[], Camera]:
    return lambda: turned(camera, settings.rotation)
