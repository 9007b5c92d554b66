"""Dates and durations as people say them, in their own time zone."""

from __future__ import annotations

from datetime import datetime

from companion.language import _


def day(date: datetime) -> str:
    """Day, month and year."""
    return f"{date.astimezone():%d.%m.%Y}"


def day_and_time(date: datetime) -> str:
    """Day, month, year, and the time of day."""
    return f"{date.astimezone():%d.%m.%Y %H:%M}"


def duration(seconds: float) -> str:
    """Hours and minutes; what is less than a minute counts as one."""
    hours, minutes = divmod(max(1, round(seconds / 60)), 60)
    if hours:
        return _("{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    return _("{minutes} min").format(minutes=minutes)
