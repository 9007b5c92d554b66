"""The app's own widgets: a .py and a .kv side by side for each."""

from __future__ import annotations

from pathlib import Path

from kivy.lang import Builder


def load_rules(module_file: str) -> None:
    """Load the kv rules that stand beside a module; to be called at the module's end with its `__file__`."""
    rules = str(Path(module_file).with_suffix(".kv"))
    if rules not in Builder.files:
        Builder.load_file(rules)
