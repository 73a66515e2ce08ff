"""Settings in force with their layers, and the checks of `reflect doctor`."""

from __future__ import annotations

import os

from starlette.requests import Request

from cli.config_command import rows_of
from cli.health import all_checks
from cli.health_check import Check
from configs.loading import LoadedSettings, load_settings
from configs.redaction import escaped
from console.api.asked import root_of
from console.shapes import CheckResult, Checks, SettingsInForce, SettingValue


def settings(request: Request) -> SettingsInForce:
    """Every setting with the layer it comes from, as `reflect config show` tells it; blocking."""
    root = root_of(request)
    loaded = load_settings(root)
    return SettingsInForce(
        root=os.fspath(root),
        values=tuple(
            SettingValue(key=key, value=value, source=origin)
            for key, (value, origin) in rows_of(loaded).items()
        ),
        warnings=_warnings(loaded),
    )


def _warnings(loaded: LoadedSettings) -> tuple[str, ...]:
    if not loaded.trust.keys:
        return ()
    given = escaped(", ".join(loaded.trust.keys))
    return (f"The project's file is trusted by {loaded.trust.origin}; it gives {given}.",)


def checks(request: Request) -> Checks:
    """What `reflect doctor` finds; blocking. MCP servers of the user's settings are asked for their tools."""
    return Checks(checks=tuple(_line(one) for one in all_checks(os.fspath(root_of(request)))))


def _line(check: Check) -> CheckResult:
    return CheckResult(
        name=check.name,
        ok=check.verdict != "problem",
        level=check.verdict,
        detail=check.found,
        remedy=check.remedy,
    )
