"""A table that is not there: pins on gpiozero's mock, cards that lie where they were laid, a camera that sees them.

It runs on the screen's thread, but for the camera, which only fetches the newest scene.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gpiozero.pins.mock import MockFactory

from companion.games.cassa_grande.state import Phase, State, cells
from companion.intents import Control
from companion.parts import Part
from companion.session import Manners
from companion.sight import Spot
from companion.store import Store
from companion.view import View
from hardware.panel import Panel
from hardware.pins import PART, Pins
from hardware.presses import Key
from hardware.wiring import Wiring
from ui.config import Config
from ui.desk import RULES, Desk, now
from ui.simulated import SimulatedTable
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

    def begin(self, game: str, state: Any) -> None:
        """A play comes to the table. Only Cassa Grande's cards are simulated, without variant E's hidden deal."""
        known = game == GAME and "E" not in state.setup.variants and not state.layout
        self._table = SimulatedTable(state, self._rng) if known else None
        self._state = state
        self._show()

    def step(self, view: View[Any, Any], now_s: float) -> None:
        """Follow the play, and take fingers off buttons."""
        self._now_s = now_s
        for bcm in [bcm for bcm, until_s in self._down.items() if now_s >= until_s]:
            self._factory.pin(bcm).drive_high()
            del self._down[bcm]
        if self._table is None or view.state == self._state:
            return
        self._catch_up(self._table, view.state)
        self._state = view.state
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
        return self._table is not None and self._state is not None and self._state.phase is not Phase.OVER

    def play(self) -> None:
        """Hands do what is to be done next: lay a card, or turn all over. The companion is not told."""
        table, state = self._table, self._state
        if table is None or state is None:
            return
        if state.phase is Phase.PLACE and set(table.laid) == set(cells(state)):
            table.lay(state)
        elif state.phase is Phase.TURN_OVER:
            table.turn_over()
        self._show()

    def cover(self, spot: Spot | None) -> None:
        """An arm reaches over a spot, or is taken away."""
        self.scene = replace(self.scene, arm=Arm(spot) if spot is not None else None)

    def glare(self, spot: Spot | None) -> None:
        """A lamp is reflected on a spot, or is turned off."""
        self.scene = replace(self.scene, glare=spot)

    def _catch_up(self, table: SimulatedTable, state: State) -> None:
        """What was put in by touch lies on the table too."""
        before = self._state
        new = [card for card in state.layout if card.cell not in table.laid]
        if before is not None and len(new) == 1 and before.phase is Phase.PLACE:
            table.lay(before, new[0].cell)
        table.follow(state)

    def _show(self) -> None:
        self.scene = replace(self.scene, laid=dict(self._table.laid) if self._table is not None else {})


def open_simulated(config: Config) -> Desk:
    """A desk whose table is not there, and whose plays are kept beside the real ones. Raises: StoreError."""
    factory = MockFactory()
    simulation = Simulation(config.wiring, factory)
    store = Store.open(config.data.folder / "simulated.sqlite", RULES, now().wall)
    panel = Panel(config.wiring, Pins(factory, Part(PART)))
    camera = DrawnCamera(lambda: simulation.scene)
    watcher = Watcher(lambda: camera, still_s=0.3)
    return Desk(store, panel, watcher, Manners(config.play.auto_confirm), simulated=simulation)
