"""Boards, chips, pin libraries, and pins that others use."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from ui.checks import gpiochip
from ui.checks.finding import Level
from ui.checks.gpiochip import Chip
from ui.checks.machine import Package, Ran, User


def said(bench: Any, name: str = "pins") -> str:
    return "\n".join(finding.sentence for finding in bench.examine() if finding.name == name)


@pytest.mark.parametrize("kind", ["pi_4", "pi_5"])
def test_a_pi_on_which_all_is_well(kind: str, request: pytest.FixtureRequest) -> None:
    bench = request.getfixturevalue(kind)
    assert [finding for finding in bench.examine() if finding.level is not Level.OK] == []
    assert "Pin factory lgpio, version 0.2.2.0." in said(bench)
    assert "gpiozero 2.0.1.post3." in said(bench)
    assert "kernel 6.12.87+rpt-rpi-v8" in said(bench)


def test_no_pi_is_a_warning(bench: Any) -> None:
    warnings = bench.warnings()
    assert [finding.name for finding in warnings] == ["pins", "camera"]
    assert "no Raspberry Pi" in warnings[0].sentence
    assert bench.failing() == []


def test_another_board_is_named(bench: Any) -> None:
    bench.files({"/proc/device-tree/model": "Orange Pi 5\0"})
    assert "Orange Pi 5" in bench.warnings()[0].sentence


def test_an_unknown_model_is_a_warning_alone(bench: Any) -> None:
    found = bench.pi("Raspberry Pi 9 Model Z Rev 1.0", label="pinctrl-rp1").only(Level.WARN)
    assert "Raspberry Pi 9 Model Z Rev 1.0" in found.sentence
    assert "hardware.bench" in found.fix


@pytest.mark.parametrize("version", ["2.0.1", "2.0.1.post1", "2.0.1.post2", "1.6.2"])
def test_an_old_gpiozero_from_the_index_on_a_pi_5(pi_5: Any, version: str) -> None:
    pi_5.packages["gpiozero"] = Package(version)
    found = pi_5.only(Level.FAIL)
    assert f"gpiozero {version}" in found.sentence
    assert "kernel 6.6.45" in found.sentence
    assert "6.12.87+rpt-rpi-v8" in found.sentence
    assert "gpiozero>=2.0.1.post3" in found.fix


def test_the_systems_own_build_is_mended(pi_5: Any) -> None:
    pi_5.packages["gpiozero"] = Package("2.0.1", system=True)
    assert pi_5.failing() == []


def test_a_pi_4_works_with_the_old_gpiozero(pi_4: Any) -> None:
    pi_4.packages["gpiozero"] = Package("2.0.1")
    assert pi_4.failing() == []


@pytest.mark.parametrize("version", ["0.0.0.2", "0.1.6.0"])
def test_an_ancient_lgpio(pi_4: Any, version: str) -> None:
    pi_4.packages["lgpio"] = Package(version)
    found = pi_4.only(Level.FAIL)
    assert f"lgpio {version}" in found.sentence
    assert "uninstall -y lgpio" in found.fix


def test_no_lgpio_in_an_environment_that_does_not_see_the_system(pi_4: Any) -> None:
    del pi_4.packages["lgpio"]
    pi_4.scripts.modules["lgpio"] = ("missing", "")
    pi_4.files({"/venv/pyvenv.cfg": "include-system-site-packages = false\n"})
    found = pi_4.only(Level.FAIL)
    assert "lgpio" in found.sentence
    assert "python3-lgpio" in found.fix
    assert "--system-site-packages" in found.fix


def test_an_lgpio_without_a_record_counts(pi_4: Any) -> None:
    del pi_4.packages["lgpio"]
    assert pi_4.failing() == []


@pytest.mark.parametrize("factory", ["native", "rpigpio", "pigpio"])
def test_no_other_factory(pi_4: Any, factory: str) -> None:
    pi_4.machine.environment["GPIOZERO_PIN_FACTORY"] = factory
    assert factory in pi_4.only(Level.FAIL).sentence


def test_pretended_pins_are_told(pi_4: Any) -> None:
    pi_4.machine.environment["GPIOZERO_PIN_FACTORY"] = "mock"
    assert "mock" in pi_4.only(Level.WARN).sentence


@pytest.mark.parametrize(
    ("user", "fix"),
    [
        ("spi0 CS0", "Turn SPI off"),
        ("onewire@0", "Turn 1-Wire off"),
        ("i2c-1 sda", "Turn I2C off"),
        ("lg", "systemctl stop companion"),
        ("ACT", "config.txt"),
    ],
)
def test_a_busy_pin_and_by_whom(bench: Any, user: str, fix: str) -> None:
    found = bench.pi("Raspberry Pi 4 Model B Rev 1.5", users={17: user, 4: "PWR"}).only(Level.FAIL)
    assert found.sentence == f"GPIO 17 (the button confirm) is in use by {user!r}."
    assert fix in found.fix


def test_the_program_that_holds_a_pin_is_named(bench: Any) -> None:
    bench.pi("Raspberry Pi 4 Model B Rev 1.5", users={13: "lg"}).files({"/proc/812/comm": "companion\n"})
    (bench.root / "proc/812/fd").mkdir()
    (bench.root / "proc/812/fd/5").symlink_to("/dev/gpiochip0")
    found = bench.only(Level.FAIL)
    assert found.sentence == "GPIO 13 (the die's centre) is in use by 'lg', companion (process 812)."


@pytest.mark.parametrize(
    ("line", "pins"),
    [
        ("dtparam=i2s=on", "I2S sound is on and needs GPIO 18 (the buzzer) and 19"),
        ("dtparam=spi=on,i2s=on", "I2S sound is on"),
        ("dtoverlay=w1-gpio,gpiopin=17", "1-Wire is on and needs GPIO 17 (the button confirm)"),
    ],
)
def test_a_bus_that_is_on(pi_4: Any, line: str, pins: str) -> None:
    pi_4.files({"/boot/firmware/config.txt": f"# of the firmware\n{line}\n"})
    assert pins in pi_4.only(Level.FAIL).sentence


def test_buses_beside_the_wired_pins_do_no_harm(pi_4: Any) -> None:
    pi_4.files(
        {"/boot/config.txt": "dtparam=spi=on\ndtparam=i2c_arm=on\nenable_uart=1\ndtoverlay=w1-gpio\n#dtparam=i2s=on"}
    )
    assert pi_4.failing() == []


def test_a_bus_on_pins_that_the_owner_took(pi_4: Any, tmp_path: Path) -> None:
    settings = tmp_path / "mine.toml"
    settings.write_text('[wiring]\nbuses = ["id"]\nconfirm = 8\nundo = 4\n', encoding="utf-8")
    pi_4.files({"/boot/firmware/config.txt": "dtparam=spi=on\ndtoverlay=w1-gpio\n"})
    assert [finding.sentence for finding in pi_4.failing(settings)] == [
        "SPI is on and needs GPIO 8 (the button confirm).",
        "1-Wire is on and needs GPIO 4 (the button undo).",
    ]


def test_a_chip_that_may_not_be_opened(pi_4: Any) -> None:
    pi_4.change(chips=lambda root: [Chip("gpiochip0", problem="Permission denied")])  # noqa: ARG005
    found = pi_4.only(Level.FAIL)
    assert "Permission denied" in found.sentence
    assert "usermod -aG gpio ana" in found.fix


def test_a_header_without_its_chip_names_the_kernel(pi_5: Any) -> None:
    pi_5.change(chips=lambda root: [Chip("gpiochip0", "gpio-brcmstb@107d508500", 32, {})])  # noqa: ARG005
    found = pi_5.only(Level.FAIL)
    assert "6.12.87+rpt-rpi-v8" in found.sentence
    assert "gpio-brcmstb@107d508500" in found.sentence


@pytest.mark.parametrize(
    ("opening", "sentence"),
    [
        (Ran(0, "failed The pins cannot be opened (no).\n"), "The pins cannot be opened (no)."),
        (Ran(None, ""), "Opening the pins does not end."),
        (Ran(-11, ""), "Opening the pins fails."),
        (None, "Opening the pins fails."),
    ],
)
def test_pins_that_do_not_open(pi_4: Any, opening: Ran | None, sentence: str) -> None:
    pi_4.scripts.opening = opening
    assert pi_4.only(Level.FAIL).sentence == sentence


def test_groups(pi_4: Any) -> None:
    pi_4.change(user=lambda: User("ana", 1000, frozenset({"video"}), frozenset({"input"})))
    found = pi_4.only(Level.FAIL)
    assert "gpio, input, render" in found.sentence
    assert "usermod -aG gpio,input,render ana" in found.fix


def test_groups_that_count_after_the_next_start(pi_4: Any) -> None:
    pi_4.change(user=lambda: User("ana", 1000, frozenset({"video", "input", "render"}), frozenset({"gpio"})))
    assert pi_4.only(Level.FAIL).fix == "Start the Pi again: sudo reboot"


def test_root_is_warned(pi_4: Any) -> None:
    pi_4.change(user=lambda: User("root", 0, frozenset()))
    assert "root" in pi_4.only(Level.WARN).sentence


def test_chips_are_asked_in_the_kernels_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two structures of linux/gpio.h, with one line in use by a named consumer and one by nobody known."""
    consumers = {3: b"spi0 CS0", 5: b""}

    def ioctl(descriptor: int, request: int, argument: bytes) -> bytes:
        assert os.fstat(descriptor)
        if request == 0x8044B401:
            assert len(argument) == 68
            return b"gpiochip10".ljust(32, b"\0") + b"pinctrl-rp1".ljust(32, b"\0") + struct.pack("=I", 6)
        assert request == 0xC100B405
        assert len(argument) == 256
        (offset,) = struct.unpack_from("=I", argument, 64)
        answer = bytearray(256)
        answer[32:64] = consumers.get(offset, b"").ljust(32, b"\0")
        struct.pack_into("=IIQ", answer, 64, offset, 0, 0b101 if offset in consumers else 0b100)
        return bytes(answer)

    monkeypatch.setattr(gpiochip.fcntl, "ioctl", ioctl)
    (tmp_path / "dev").mkdir()
    for number in (10, 2):
        (tmp_path / f"dev/gpiochip{number}").touch()
    (tmp_path / "dev/gpiochip4").symlink_to("gpiochip2")
    users = {3: "spi0 CS0", 5: "the kernel"}
    assert gpiochip.read_chips(tmp_path) == [
        Chip("gpiochip2", "pinctrl-rp1", 6, users),
        Chip("gpiochip10", "pinctrl-rp1", 6, users),
    ]


def test_a_file_that_is_no_chip(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0").touch()
    assert gpiochip.read_chips(tmp_path) == [Chip("gpiochip0", problem=os.strerror(errno.ENOTTY))]
