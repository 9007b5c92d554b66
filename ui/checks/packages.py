"""Python, and the packages that the program needs: there, whole, and fit for each other."""

from __future__ import annotations

from collections.abc import Iterator

from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.checks.modules import NEEDED
from ui.config import Config

NAME = "packages"
OPENCV = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)
TITLES = {"cv2": "OpenCV", "PIL": "pillow", "lap": "lapx"}
CLASH = ("size changed", "binary incompatibility", "numpy.core.multiarray", "numpy._core", "_ARRAY_API", "NumPy 1.x")
"""Parts of the messages of a module that was built for another numpy."""


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """Python's kind, every package, and those that clash."""
    yield from _python(machine)
    modules = machine.modules
    if not modules:
        yield Finding(NAME, Level.FAIL, f"{machine.python} cannot be started.", "Set up again: deploy/run")
        return
    for name in NEEDED:
        if name in modules and modules[name].state == "missing":
            title = TITLES.get(name, name)
            yield Finding(NAME, Level.FAIL, f"{title} is not installed.", "Install what is missing: deploy/run")
    broken = [name for name, module in modules.items() if module.state == "broken"]
    for name in broken:
        # libcamera and picamera2 alone are the camera's matter, unless numpy is the cause.
        yield from _broken(machine, name)
    yield from _opencv(machine)
    if not broken:
        told = ", ".join(
            f"{TITLES.get(name, name)} {modules[name].detail}".rstrip()
            for name in ("numpy", "cv2", "onnxruntime", "simplejpeg", "picamera2")
            if name in modules and modules[name].state == "ok"
        )
        yield Finding(NAME, Level.OK, f"In one process: {told}.")


def _python(machine: Machine) -> Iterator[Finding]:
    where = "in a virtual environment" if machine.in_environment else "outside a virtual environment"
    told = f"Python {machine.python_version} on {machine.architecture}, {where}"
    if machine.architecture.startswith(("armv6", "armv7", "i686")):
        fix = "Install the 64-bit Raspberry Pi OS: OpenCV and onnxruntime come for 64 bit alone."
        yield Finding("python", Level.FAIL, f"{told}: this system has 32 bit.", fix)
    else:
        yield Finding("python", Level.OK, f"{told}.")


def _broken(machine: Machine, name: str) -> Iterator[Finding]:
    detail, numpy = machine.modules[name].detail, machine.modules.get("numpy")
    title = TITLES.get(name, name)
    if any(part in detail for part in CLASH) and numpy is not None:
        sentence = f"{title} was built for another numpy than {numpy.detail}: {detail}."
        fix = f"Install the pair that fits the system's camera: {pip(machine)} install 'numpy<2' 'opencv-python<4.11'"
        yield Finding(NAME, Level.FAIL, sentence, fix)
    elif name not in ("libcamera", "picamera2", "lgpio"):
        yield Finding(NAME, Level.FAIL, f"{title} cannot be loaded: {detail}.", "Install it again: deploy/run")


def _opencv(machine: Machine) -> Iterator[Finding]:
    found = {name: package.version for name in OPENCV if (package := machine.package(name)) and not package.system}
    if len(found) < 2:
        return
    level = Level.WARN if len(set(found.values())) == 1 else Level.FAIL
    told = " and ".join(f"{name} {version}" for name, version in found.items())
    others = " ".join(name for name in found if name != "opencv-python")
    install = f"{pip(machine)} install --force-reinstall --no-deps"
    fix = f"{pip(machine)} uninstall -y {others}, then {install} opencv-python=={_version(found)}"
    yield Finding(NAME, level, f"{told} share their files: removing one breaks the other.", fix)


def _version(found: dict[str, str]) -> str:
    return found.get("opencv-python") or next(iter(found.values()))


def pip(machine: Machine) -> str:
    """How a person calls pip for the Python that runs the program."""
    return f"{machine.prefix}/bin/pip" if machine.in_environment else f"{machine.python} -m pip"
