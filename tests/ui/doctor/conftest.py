"""Machines to be examined: a folder that stands for the root, and functions in place of the world."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ui.checks.finding import Finding, Level
from ui.checks.gpiochip import Chip
from ui.checks.machine import Machine, Package, Ran, Space, User
from ui.doctor import examine

ALL_WELL = {
    "numpy": "1.26.4",
    "lgpio": "",
    "libcamera": "",
    "simplejpeg": "1.8.1",
    "picamera2": "0.3.31",
    "lap": "0.9.4",
    "cv2": "4.10.0",
    "onnxruntime": "1.20.1",
    "PIL": "11.0.0",
    "tqdm": "",
    "gpiozero": "",
    "readers": "",
    "reader cassa-grande": "",
}
PI_4 = "Raspberry Pi 4 Model B Rev 1.5"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"


@dataclass
class Scripts:
    """What the other Python processes print, and what other programs do."""

    modules: dict[str, tuple[str, str]] = field(
        default_factory=lambda: {name: ("ok", detail) for name, detail in ALL_WELL.items()}
    )
    opening: Ran | None = field(default_factory=lambda: Ran(0, "ok \n"))
    cameras: Ran | None = field(default_factory=lambda: Ran(0, '["imx708"]\n'))
    programs: dict[str, Ran] = field(default_factory=dict)

    def run(self, command: Sequence[str], limit_s: float) -> Ran | None:
        assert limit_s > 0
        if command[0] != "/venv/bin/python":
            return self.programs.get(command[0])
        script = command[-1]
        if "open_pins" in script:
            return self.opening
        if "global_camera_info" in script:
            return self.cameras
        lines = [json.dumps({"name": n, "state": s, "detail": d}) for n, (s, d) in self.modules.items()]
        return Ran(0, "\n".join(["a module may print", *lines]))


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Bench:
    """A machine being built, and its findings."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.scripts = Scripts()
        self.packages: dict[str, Package] = {"gpiozero": Package("2.0.1.post3"), "lgpio": Package("0.2.2.0", True)}
        write(
            root,
            {
                "/venv/pyvenv.cfg": "include-system-site-packages = true\n",
                "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": "",
                "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf": "",
                "/run/systemd/timesync/synchronized": "",
                "/proc/bus/input/devices": 'N: Name="FT5406 touch"\nB: PROP=2\n\nN: Name="Mouse"\nB: PROP=0\n',
            },
        )
        (root / "home/ana").mkdir(parents=True)
        self.machine = Machine(
            root=root,
            environment={"HOME": str(root / "home/ana"), "WAYLAND_DISPLAY": "wayland-0"},
            program=self.scripts.run,
            package=lambda name: self.packages.get(name),
            user=lambda: User("ana", 1000, frozenset({"gpio", "video", "input", "render"})),
            space=lambda folder: Space(20 * 2**30, 100000),  # noqa: ARG005
            try_to_write=lambda folder: None,  # noqa: ARG005
            now=lambda: datetime(2027, 1, 31, 19, 30, tzinfo=UTC),
            chips=lambda root: [],  # noqa: ARG005
            python="/venv/bin/python",
            python_version="3.13.5",
            prefix=root / "venv",
            base_prefix=Path("/usr"),
            architecture="aarch64",
            kernel="6.12.87+rpt-rpi-v8",
        )

    def files(self, files: Mapping[str, str]) -> Bench:
        write(self.root, files)
        return self

    def change(self, **changes: object) -> Bench:
        self.machine = replace(self.machine, **changes)
        return self

    def pi(self, model: str, *, label: str = "pinctrl-bcm2711", users: dict[int, str] | None = None) -> Bench:
        self.files({"/proc/device-tree/model": f"{model}\0"})
        chip = Chip("gpiochip0", label, 54, users or {})
        return self.change(chips=lambda root: [chip])  # noqa: ARG005

    def examine(self, config: Path | None = None) -> list[Finding]:
        return examine(self.machine, config)

    def failing(self, config: Path | None = None) -> list[Finding]:
        return [finding for finding in self.examine(config) if finding.level is Level.FAIL]

    def warnings(self) -> list[Finding]:
        return [finding for finding in self.examine() if finding.level is Level.WARN]

    def only(self, level: Level, config: Path | None = None) -> Finding:
        """The one finding of this level, where there must be no worse one."""
        findings = self.examine(config)
        if level is Level.WARN:
            assert [finding for finding in findings if finding.level is Level.FAIL] == []
        [found] = [finding for finding in findings if finding.level is level]
        return found


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A laptop on which all is well, but that it is no Pi and has no camera."""
    return Bench(tmp_path / "root")


@pytest.fixture
def pi_4(bench: Bench) -> Bench:
    """A Pi 4 on which all is well."""
    return bench.pi(PI_4)


@pytest.fixture
def pi_5(bench: Bench) -> Bench:
    """A Pi 5 on which all is well."""
    return bench.pi(PI_5, label="pinctrl-rp1")
