from __future__ import annotations

import builtins
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import LED
from gpiozero.exc import GPIOPinInUse, PinUnknownPi
from gpiozero.pins.mock import MockFactory

from companion.parts import Condition, Part
from hardware import pins as module
from hardware.pins import LIKELY_OWNERS, Pins, open_pins, trouble


class FakeLgpio(ModuleType):
    """What lgpio does as far as opening goes: chips with labels, and its own error."""

    class error(Exception):  # noqa: N801, N818 - lgpio's own name
        pass

    def __init__(self, labels: list[str], fault: str = "") -> None:
        super().__init__("lgpio")
        self.labels, self.fault, self.opened = labels, fault, 0

    def gpiochip_open(self, chip: int) -> int:
        if self.fault:
            raise self.error(self.fault)
        self.opened += 1
        return chip

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        return [0, 54, f"gpiochip{handle}", self.labels[handle]]

    def gpiochip_close(self, handle: int) -> None:
        assert 0 <= handle < len(self.labels)
        self.opened -= 1

    def gpio_get_line_info(self, handle: int, bcm: int) -> list[Any]:
        return [0, bcm, 1, f"GPIO{bcm}", self.labels[handle]]


def use(monkeypatch: pytest.MonkeyPatch, lgpio: FakeLgpio, factory: Any) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    fake = ModuleType("gpiozero.pins.lgpio")
    fake.LGPIOFactory = factory  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", fake)
    monkeypatch.setattr(module, "_chips", lambda: list(range(len(lgpio.labels))))


@pytest.mark.parametrize(
    ("labels", "chip"),
    [
        (["pinctrl-bcm2711", "raspberrypi-exp-gpio"], 0),
        (["gpio-brcmstb@107d508500", "gpio-brcmstb@107d517c00", "pinctrl-rp1"], 2),
    ],
)
def test_the_headers_chip_is_found_by_its_label(monkeypatch: pytest.MonkeyPatch, labels: list[str], chip: int) -> None:
    lgpio = FakeLgpio(labels)
    use(monkeypatch, lgpio, lambda chip: ("factory", chip))
    opened = open_pins("lgpio")
    assert opened == Pins(("factory", chip), Part("pins"), chip)
    assert lgpio.opened == 0


def test_a_computer_that_is_no_pi_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def factory(chip: int) -> None:
        raise PinUnknownPi(f"unable to locate Pi revision, chip {chip}")

    use(monkeypatch, FakeLgpio(["pinctrl-amd"]), factory)
    assert open_pins("lgpio").part == Part(
        "pins",
        Condition.MISSING,
        "This is not a Raspberry Pi, so it has no buttons and no lights; everything works on the screen meanwhile.",
    )


@pytest.mark.parametrize(
    ("lgpio", "condition", "words"),
    [
        (FakeLgpio([]), Condition.MISSING, "it has no GPIO chip"),
        (FakeLgpio(["gpio-pca953x"]), Condition.MISSING, "none of its GPIO chips is the header's"),
        (FakeLgpio(["pinctrl-rp1"], "can not open gpiochip"), Condition.FAILED, "usermod -aG gpio"),
    ],
)
def test_pins_that_cannot_be_opened_have_a_sentence(
    monkeypatch: pytest.MonkeyPatch, lgpio: FakeLgpio, condition: Condition, words: str
) -> None:
    use(monkeypatch, lgpio, lambda chip: chip)
    opened = open_pins("lgpio")
    opened.close()
    assert opened.factory is None
    assert opened.part.condition is condition
    assert words in opened.part.sentence


def test_without_lgpio_there_are_no_pins_and_never_slow_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("lgpio"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    opened = open_pins("lgpio")
    assert opened.factory is None
    assert opened.part.condition is Condition.MISSING
    assert "install python3-lgpio" in opened.part.sentence


def test_no_folder_for_lgpios_pipe_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "TemporaryDirectory", full)
    assert open_pins("lgpio").part.sentence.startswith("The pins need a temporary folder (No space left on device)")


def test_lgpio_is_imported_in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lgpio.py").write_text("import os; FOLDER = os.getcwd(); assert FOLDER == os.environ['LG_WD']")
    monkeypatch.setenv("LG_WD", "/before")
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir("/")
    folder = Path(module.import_lgpio().FOLDER)
    monkeypatch.delitem(sys.modules, "lgpio")
    assert str(Path.cwd()) == "/"
    assert not folder.exists()
    assert os.environ["LG_WD"] == "/before"


def test_the_environment_can_ask_for_the_mock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    opened = open_pins()
    assert isinstance(opened.factory, MockFactory)
    assert opened.part == Part("pins")
    opened.close()
    opened.close()


@pytest.mark.parametrize("kind", ["native", "rpigpio", "pigpio"])
def test_other_kinds_of_pins_are_refused(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", kind)
    opened = open_pins()
    assert opened.factory is None
    sentence = f"Pins of the kind {kind} are not supported: set GPIOZERO_PIN_FACTORY to lgpio."
    assert (opened.part.condition, opened.part.sentence) == (Condition.MISSING, sentence)


def test_a_busy_pin_is_named_with_its_likely_owner() -> None:
    part = trouble("undo button", 8, RuntimeError("'GPIO busy'"))
    sentence = (
        "The undo button's pin, GPIO 8, is in use, most likely by SPI: switch that off or take another pin; "
        "everything works on the screen meanwhile."
    )
    assert (part.name, part.condition, part.sentence) == ("undo button", Condition.BUSY, sentence)
    assert "another program" in trouble("undo button", 27, GPIOPinInUse("x")).sentence
    assert "in use, by spi0 CS0:" in trouble("undo button", 8, RuntimeError("GPIO busy"), "spi0 CS0").sentence
    assert trouble("undo button", 8, ValueError()).condition is Condition.FAILED
    assert "(ValueError)" in trouble("undo button", 8, ValueError()).sentence


def test_the_kernel_is_asked_who_holds_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio = FakeLgpio(["pinctrl-rp1", "spi0 CS0"])
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    assert module.line_user(1, 8) == "spi0 CS0"
    assert lgpio.opened == 0


def test_a_kernel_that_does_not_tell_leaves_the_likely_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", FakeLgpio(["pinctrl-rp1"], "can not open gpiochip"))

    def busy() -> LED:
        raise RuntimeError("'GPIO busy'")

    part = Pins("factory", Part("pins"), chip=0).device("undo button", 8, busy)
    assert isinstance(part, Part)
    assert "most likely by SPI" in part.sentence


def test_no_pin_has_two_likely_owners() -> None:
    known = [pin for group in LIKELY_OWNERS for pin in group]
    assert len(known) == len(set(known))


def test_a_pin_that_is_taken_already_does_not_stop_another(pins: Pins) -> None:
    taken = LED(17, pin_factory=pins.factory)
    part = pins.device("confirm button", 17, lambda: LED(17, pin_factory=pins.factory))
    assert isinstance(part, Part)
    assert part.condition is Condition.BUSY
    other = pins.device("undo button", 27, lambda: LED(27, pin_factory=pins.factory))
    assert isinstance(other, LED)
    taken.close()
    other.close()


def test_the_real_chips_are_those_of_this_computer() -> None:
    assert [f"/dev/gpiochip{chip}" for chip in module._chips()] == sorted(map(str, Path("/dev").glob("gpiochip*")))
