"""Surfaces and arrangements."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.scrollview import ScrollView

from ui.widgets import load_rules


class Column(BoxLayout):
    """One below the other, with the theme's gap."""


class Row(BoxLayout):
    """One beside the other, with the theme's gap."""


class Tiles(GridLayout):
    """In rows and columns, with the theme's gap."""


class Surface(Column):
    """A raised place that holds what belongs together."""


class Scroll(ScrollView):
    """What may be longer than its place."""


load_rules(__file__)
