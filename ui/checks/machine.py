"""The machine as the checks see it: whatever looks at the world goes through here, so that tests can build any."""

from __future__ import annotations

import grp
import os
import platform
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from ui.checks.gpiochip import Chip, read_chips
from ui.checks.modules import Module, probe_modules

HOUSE = str(Path(__file__).parents[2])
SYSTEM_PACKAGES = "/usr/lib/python3/dist-packages"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended. `status` is None when it ran out of time; negative when a signal ended it."""

    status: int | None
    output: str


@dataclass(frozen=True, slots=True)
class Package:
    """An installed distribution. `system`: the operating system's own packages brought it."""

    version: str
    system: bool = False


@dataclass(frozen=True, slots=True)
class User:
    """Who runs this. `promised` are the groups that count only after logging in again."""

    name: str
    uid: int
    groups: frozenset[str]
    promised: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Space:
    """What is free for ordinary users on a folder's disk. `files` is None where their number has no limit."""

    bytes: int
    files: int | None = None


def run_program(command: Sequence[str], limit_s: float) -> Ran | None:
    """Run a program from an empty folder; None when there is no such program."""
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        try:
            done = subprocess.run(  # noqa: S603
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return Ran(None, (error.stdout or b"").decode(errors="replace"))
        except OSError:
            return None
    return Ran(done.returncode, done.stdout.decode(errors="replace"))


def installed_package(name: str) -> Package | None:
    """The distribution of this name that Python would use."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return None
    return Package(found.version, str(found.locate_file("")).startswith(SYSTEM_PACKAGES))


def this_user() -> User:
    """Who runs this process."""
    uid = os.getuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    mine = {os.getegid(), *os.getgroups()}
    groups = frozenset(group.gr_name for group in grp.getgrall() if group.gr_gid in mine)
    promised = frozenset(group.gr_name for group in grp.getgrall() if name in group.gr_mem)
    return User(name, uid, groups, promised - groups)


def space_at(folder: Path) -> Space:
    """What is free where this folder lies. Raises: OSError."""
    disk = os.statvfs(folder)
    return Space(disk.f_bavail * disk.f_frsize, disk.f_favail if disk.f_files else None)


def try_to_write(folder: Path) -> None:
    """Write a small file into the folder, and take it away again. Raises: OSError."""
    with tempfile.TemporaryFile(dir=folder, prefix=".companion-") as file:
        file.write(b"\0" * 4096)
        file.flush()
        os.fsync(file.fileno())


@dataclass(frozen=True)
class Machine:
    """One machine. Paths are looked up below `root`; everything else is a function that a test may replace."""

    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    program: Callable[[Sequence[str], float], Ran | None] = run_program
    package: Callable[[str], Package | None] = installed_package
    user: Callable[[], User] = this_user
    space: Callable[[Path], Space] = space_at
    try_to_write: Callable[[Path], None] = try_to_write
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    chips: Callable[[Path], list[Chip]] = read_chips
    python: str = sys.executable
    python_version: str = platform.python_version()
    prefix: Path = Path(sys.prefix)
    base_prefix: Path = Path(sys.base_prefix)
    architecture: str = platform.machine()
    kernel: str = platform.release()

    def path(self, absolute: str) -> Path:
        """Where an absolute path of this machine lies."""
        return self.root / absolute.lstrip("/")

    def text(self, absolute: str) -> str:
        """What a file says; empty when it cannot be read."""
        try:
            return self.path(absolute).read_bytes().decode(errors="replace").rstrip("\0\n")
        except OSError:
            return ""

    def matching(self, absolute: str) -> list[Path]:
        """The paths that fit a pattern, sorted."""
        return sorted(self.root.glob(absolute.lstrip("/")))

    @cached_property
    def model(self) -> str:
        """The board's name, as the firmware gives it; empty on most machines that are no single boards."""
        return self.text("/proc/device-tree/model")

    @property
    def is_pi(self) -> bool:
        """Whether this is a Raspberry Pi of any model."""
        return self.model.startswith("Raspberry Pi")

    @property
    def in_environment(self) -> bool:
        """Whether Python runs in a virtual environment."""
        return self.prefix != self.base_prefix

    @property
    def sees_system_packages(self) -> bool:
        """Whether Python finds the packages that the operating system brings."""
        try:
            settings = (self.prefix / "pyvenv.cfg").read_text(encoding="utf-8").lower()
        except OSError:
            return True
        return "include-system-site-packages = true" in settings

    @cached_property
    def modules(self) -> Mapping[str, Module]:
        """The modules that the program uses, all imported in one other process of this Python."""
        return probe_modules(self._run_python)

    def python_script(self, script: str, limit_s: float) -> Ran | None:
        """Run a script in another process of this Python, which finds the program's own packages."""
        return self.program([self.python, "-P", "-c", f"import sys; sys.path.insert(0, {HOUSE!r})\n{script}"], limit_s)

    def _run_python(self, script: str) -> tuple[int | None, str]:
        ran = self.python_script(script, 20.0)
        return (127, "") if ran is None else (ran.status, ran.output)

    def holders(self, start: str) -> list[str]:
        """The processes that hold open a device whose path starts so: "name (process 812)"."""
        return sorted(set(self._holders(start)))

    def _holders(self, start: str) -> Iterator[str]:
        for entry in self.matching("/proc/[0-9]*/fd/*"):
            try:
                held = str(entry.readlink())
            except OSError:
                continue
            number = entry.parts[-3]
            if held.startswith(start) and number != str(os.getpid()):
                yield f"{self.text(f'/proc/{number}/comm') or 'a program'} (process {number})"
