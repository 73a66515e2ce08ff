"""The checks of `reflect doctor` that look at the servers of a model which has several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.health_check import Check
from configs.settings import Settings

if TYPE_CHECKING:
    from models.fleet.survey import HostReport

SECONDS = 1.0


def host_checks(settings: Settings) -> list[Check]:
    """A check for each server, in the order of the settings; none where every model has one server."""
    from models.errors import ModelError
    from models.fleet.survey import survey

    try:
        reports = survey(settings, SECONDS)
    except ModelError:
        # The check of the model in use tells it.
        return []
    return [_check(f"host {number}", report) for number, report in enumerate(reports, 1)]


def _check(name: str, report: HostReport) -> Check:
    health = report.health
    if not health.answers:
        beside = "another one answers in its place" if report.others else "no other one does either"
        return Check(
            name,
            "warning" if report.others else "problem",
            f"{report.provider} at {report.address} is away, {beside}: {health.problem}",
            "Start it, or take it out of base_urls.",
        )
    listed = ", ".join(health.models or ()) or "lists no model"
    version = f" {health.version}" if health.version else ""
    found = f"{report.provider}{version} at {report.address}: {listed}"
    if report.provider == "ollama":
        found += f"; in memory: {', '.join(health.loaded) or 'none'}"
    if report.lacks:
        missing = ", ".join(report.lacks)
        return Check(
            name,
            "warning",
            f"{found}; not there: {missing}, which is asked of the other servers only",
            f"Run `ollama pull {report.lacks[0]}` on it.",
        )
    if health.problem:
        return Check(
            name,
            "warning",
            f"{report.provider} at {report.address} answers, and may refuse the key: {health.problem}",
            "Look at the key in the variable that api_key_env names; some keys are good for chats alone.",
        )
    return Check(name, "ok", found)
