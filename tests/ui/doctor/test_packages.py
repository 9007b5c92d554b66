"""Packages that are missing, broken, or do not fit each other: told, and never a crash of the doctor."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine, Package, run_program
from ui.checks.modules import NEEDED, READERS, Module, probe_modules
from ui.checks.packages import TITLES, check
from ui.config import default

HOUSE = Path(__file__).parents[3]
CLASH = "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject"


def said(bench: Any, name: str = "packages") -> list[Finding]:
    return [finding for finding in bench.examine() if finding.name == name and finding.level is not Level.OK]


def test_the_camera_and_a_newer_numpy(pi_4: Any) -> None:
    pi_4.scripts.modules |= {"numpy": ("ok", "2.1.3"), "simplejpeg": ("broken", CLASH), "picamera2": ("broken", CLASH)}
    first, second = said(pi_4)
    assert "simplejpeg was built for another numpy than 2.1.3" in first.sentence
    assert "'numpy<2'" in first.fix
    assert "picamera2" in second.sentence


def test_a_module_that_is_missing(bench: Any) -> None:
    bench.scripts.modules["cv2"] = ("missing", "")
    [found] = said(bench)
    assert (found.level, found.sentence) == (Level.FAIL, "OpenCV is not installed.")
    assert "deploy/run" in found.fix


def test_a_module_that_does_not_load(bench: Any) -> None:
    bench.scripts.modules["cv2"] = ("broken", "libGL.so.1: cannot open shared object file")
    [found] = said(bench)
    assert "libGL.so.1" in found.sentence


def test_readers_that_do_not_start(bench: Any) -> None:
    bench.scripts.modules["reader cassa-grande"] = ("broken", "The network cards.onnx is damaged.")
    [found] = said(bench, "readers")
    assert found.sentence == "Photographs of cassa-grande cannot be read: The network cards.onnx is damaged."
    bench.scripts.modules[READERS] = ("broken", "No module named 'cv2'")
    [found] = said(Again(bench), "readers")
    assert "No module named 'cv2'" in found.sentence


def test_all_that_the_project_depends_on_is_looked_for() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = {re.split(r"[\[>=<]", requirement)[0] for requirement in project["dependencies"]}
    titles = {**TITLES, "cv2": "opencv-python"}
    assert {titles.get(name, name) for name in NEEDED} == packages


class Again:
    """The same bench; a machine keeps what it has once found out."""

    def __init__(self, bench: Any) -> None:
        self.examine = bench.change().examine


@pytest.mark.parametrize(("other", "level"), [("5.0.0.93", Level.WARN), ("4.11.0.86", Level.FAIL)])
def test_two_opencvs(bench: Any, other: str, level: Level) -> None:
    bench.packages |= {"opencv-python": Package("5.0.0.93"), "opencv-python-headless": Package(other)}
    [found] = said(bench)
    assert found.level is level
    assert f"opencv-python-headless {other}" in found.sentence
    assert "uninstall -y opencv-python-headless" in found.fix
    assert "opencv-python==5.0.0.93" in found.fix


def test_the_systems_opencv_beside_ours_is_hidden_by_it(bench: Any) -> None:
    bench.packages |= {"opencv-python": Package("5.0.0.93"), "opencv-contrib-python": Package("4.6.0", system=True)}
    assert said(bench) == []


def test_thirty_two_bit(bench: Any) -> None:
    [found] = said(bench.change(architecture="armv7l"), "python")
    assert "64-bit" in found.fix


def test_a_python_that_cannot_be_started(bench: Any) -> None:
    bench.change(program=lambda command, limit_s: None)  # noqa: ARG005
    assert "cannot be started" in said(bench)[0].sentence


def real_machine(monkeypatch: pytest.MonkeyPatch, folder: Path, **modules: str) -> Machine:
    """This machine, where Python finds these modules before all others."""
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return Machine()


def test_the_real_modules() -> None:
    modules = Machine().modules
    assert {modules[name].state for name in NEEDED if name != "gpiozero"} == {"ok"}
    assert modules["reader cassa-grande"] == Module("ok")


def test_a_real_clash_is_told_with_both_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = real_machine(monkeypatch, tmp_path, simplejpeg=f"raise ValueError({CLASH!r})")
    modules = machine.modules
    assert modules["simplejpeg"] == Module("broken", CLASH)
    assert modules["cv2"].state == "ok"
    found = [finding.sentence for finding in check(machine, default()) if "simplejpeg" in finding.sentence]
    assert found == [f"simplejpeg was built for another numpy than {modules['numpy'].detail}: {CLASH}."]


def test_a_real_crash_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    crash = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"
    machine = real_machine(monkeypatch, tmp_path, simplejpeg=crash)
    modules = machine.modules
    assert modules["simplejpeg"] == Module("broken", "Python crashed (SIGSEGV)")
    assert "cv2" not in modules
    found = [finding for finding in check(machine, default()) if finding.level is Level.FAIL]
    assert "simplejpeg cannot be loaded: Python crashed (SIGSEGV)." in [finding.sentence for finding in found]


def test_a_module_that_ends_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = real_machine(monkeypatch, tmp_path, simplejpeg="import os\nos._exit(7)")
    assert machine.modules["simplejpeg"] == Module("broken", "Python ended with status 7")


def test_a_module_that_never_ends_loading() -> None:
    told = '{"name": "cv2", "state": "loading", "detail": ""}\n'
    assert probe_modules(lambda script: (None, told)) == {  # noqa: ARG005
        "cv2": Module("broken", "Python did not finish loading it")
    }


def test_programs_have_a_limit() -> None:
    ran = run_program(["/bin/sh", "-c", "echo here; exec sleep 60"], 0.5)
    assert ran is not None
    assert (ran.status, ran.output) == (None, "here\n")
    assert run_program(["no-such-program-anywhere"], 1.0) is None


def test_nothing_is_left_where_one_stands(tmp_path: Path) -> None:
    """Some libraries leave files in the working folder."""
    script = "import sys; from ui.main import main; sys.exit(main(['doctor', '--json']))"
    environment = {**os.environ, "PYTHONPATH": str(HOUSE), "HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    (tmp_path / "here").mkdir()
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], cwd=tmp_path / "here", env=environment, capture_output=True, check=False
    )
    assert done.returncode in (0, 3)
    assert done.stderr == b""
    assert list((tmp_path / "here").iterdir()) == []
    assert not (tmp_path / "home/.local").exists()
