"""Checks whole reports and single claims."""

from __future__ import annotations
