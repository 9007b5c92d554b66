"""From pins to intents, from events to light.

`hardware.panel.Panel` joins the buttons, the lights and the die of one table; `hardware.wiring` says which pin is what.
"""
