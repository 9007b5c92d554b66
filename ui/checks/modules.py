"""Importing everything in one process, as the program will: two packages that clash do so only when both are there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from signal import Signals

NEEDED = ("numpy", "cv2", "onnxruntime", "lap", "PIL", "tomlkit", "tqdm", "gpiozero", "kivy")
FOR_THE_PI = ("lgpio", "libcamera", "simplejpeg", "picamera2")
READERS = "readers"
READER = "reader "
"""What the name of a game's reader begins with."""

_SCRIPT = """
import importlib, importlib.util, json, os, tempfile
# Kivy makes a folder of its own, reads the command line and logs as it is imported.
home = tempfile.TemporaryDirectory()
os.environ["KIVY_HOME"] = home.name
os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONFIG="1", KIVY_NO_FILELOG="1", KIVY_NO_CONSOLELOG="1")
readers = {{}}

class Missing(Exception):
    pass

def tell(name, state, detail=""):
    print(json.dumps(dict(name=name, state=state, detail=" ".join(str(detail).split()))), flush=True)

def attempt(name, action):
    tell(name, "loading")
    try:
        tell(name, "ok", action())
    except Missing:
        tell(name, "missing")
    except BaseException as error:
        tell(name, "broken", error if str(error) else type(error).__name__)

def load(name):
    if importlib.util.find_spec(name) is None:
        raise Missing
    # lgpio is only looked for: importing it makes a pipe in the working folder and starts a thread.
    return "" if name == "lgpio" else getattr(importlib.import_module(name), "__version__", "")

def find_readers():
    from ui.read import SEEN
    readers.update(SEEN)
    return ""

for name in {names!r}:
    attempt(name, lambda: load(name))
attempt({readers!r}, find_readers)
for game, seen in readers.items():
    attempt({reader!r} + game, lambda: seen.reader(None, False) and "")
"""


@dataclass(frozen=True, slots=True)
class Module:
    """How loading went. `state` is "ok", "missing" or "broken"; `detail` the version, or what went wrong."""

    state: str
    detail: str = ""


def probe_modules(run_python: Callable[[str], tuple[int | None, str]]) -> Mapping[str, Module]:
    """Load the modules and every game's reader through `run_python(script) -> (status, output)`.

    What comes after a crash is left out; all is empty when there is no such Python.
    """
    names = ("numpy", *FOR_THE_PI, *NEEDED[1:])
    status, output = run_python(_SCRIPT.format(names=names, readers=READERS, reader=READER))
    modules: dict[str, Module] = {}
    for line in output.splitlines():
        # The modules themselves may print too.
        if line.startswith('{"name"'):
            told = json.loads(line)
            modules[told["name"]] = Module(told["state"], told["detail"])
    return {
        name: Module("broken", _ending(status)) if module.state == "loading" else module
        for name, module in modules.items()
    }


def _ending(status: int | None) -> str:
    if status is None:
        return "Python did not finish loading it"
    if status < 0:
        return f"Python crashed ({Signals(-status).name})"
    return f"Python ended with status {status}"
