"""A report as JSON, and as one page that loads nothing from elsewhere."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from string import Template

from evals.report.case import BarChart, Case, Metric, Plot, Report, Table
from evals.report.options import rerun_command
from evals.report.svg import colour, drawn, plain
from evals.report.wording import cell, figure, interval, verdict

TONES = {True: "good", False: "bad", None: "none"}


def json_text(report: Report) -> str:
    """The report as JSON that any encoding can hold, with `targets_met` beside its own fields."""
    data = report.model_dump(mode="json") | {"targets_met": report.every_target_met}
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"


def write_json(report: Report, path: Path | str) -> None:
    """Write the report as JSON.

    Raises:
        OSError: the file cannot be written.
    """
    Path(path).write_text(json_text(report), "utf-8")


def write_html(report: Report, path: Path | str) -> None:
    """Write the report as one self-contained page: style and plots inline, no script.

    Raises:
        OSError: the file cannot be written.
    """
    Path(path).write_text(page(report), "utf-8", "backslashreplace")


def page(report: Report) -> str:
    """The page's markup; every text of the report is escaped."""
    here = files("evals.report")
    passed = sum(case.passed for case in report.cases)
    return Template((here / "page.html").read_text("utf-8")).substitute(
        style=(here / "page.css").read_text("utf-8"),
        title=plain(f"{report.suite} · {report.model}"),
        heading=plain(f"Evaluation: {report.suite}"),
        about=plain(report.about),
        summary=plain(f"{report.model} · {passed} of {len(report.cases)} cases passed · {report.at}"),
        tone=TONES[report.every_target_met],
        verdict="every target met" if report.every_target_met else "targets missed",
        metrics="".join(map(_metric, report.metrics)),
        plots="".join(map(_figure, report.plots)),
        failures=_failures(report),
        tables="".join(map(_table, report.tables)),
        cases=_cases(report),
        facts=_facts(report),
    )


def _metric(metric: Metric) -> str:
    target = f"target {plain(metric.target)}" if metric.target else "no target"
    return (
        f'<div class="metric {TONES[metric.met]}"><dt>{plain(metric.name)}</dt>'
        f"<dd>{figure(metric.value, metric.unit)}</dd>"
        f"<p>{interval(metric)} · n={metric.n}</p>"
        f'<p><span class="tag">{verdict(metric)}</span> {target}</p></div>'
    )


def _figure(plot: Plot) -> str:
    names = [series.name for series in plot.series] if isinstance(plot, BarChart) else []
    keys = "".join(
        f'<span class="key"><i class="{colour(name, number)}"></i>{plain(name)}</span>'
        for number, name in enumerate(names)
    )
    note = f"<p>{plain(plot.note)}</p>" if plot.note else ""
    return f"<figure><figcaption>{plain(plot.title)}</figcaption>{keys}{drawn(plot)}{note}</figure>"


def _failures(report: Report) -> str:
    if not report.failures:
        return "<p>Every case passed.</p>" if report.cases else "<p>No case was run.</p>"
    return f"<ol class='failures'>{''.join(_failure(report.suite, case) for case in report.failures)}</ol>"


def _failure(suite: str, case: Case) -> str:
    mark = (
        '<span class="tag bad">false success</span>'
        if case.false_success
        else (f'<span class="tag">{plain(case.status or "failed")}</span>')
    )
    return (
        f"<li><p>{mark} <b>{plain(case.id)}</b> · {plain(case.variant)} · {plain(case.group)}</p>"
        f"<p>{plain(case.goal)}</p><p class='soft'>{plain(case.detail)}</p>"
        f"<code>{plain(rerun_command(suite, case))}</code></li>"
    )


def _table(table: Table) -> str:
    head = "".join(f"<th>{plain(column)}</th>" for column in table.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{plain(cell(value))}</td>' for value in row)}</tr>" for row in table.rows
    )
    note = f"<p class='soft'>{plain(table.note)}</p>" if table.note else ""
    return (
        f"<h3>{plain(table.title)}</h3><div class='wide'><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>{note}"
    )


def _cases(report: Report) -> str:
    columns = [
        "id",
        "group",
        "variant",
        "result",
        "status",
        "stop",
        "s",
        "calls",
        "tokens",
        "steps",
        "confidence",
    ]
    rows: list[list[str | int | float | None]] = [
        [
            case.id,
            case.group,
            case.variant,
            "passed" if case.passed else "FALSE SUCCESS" if case.false_success else "not passed",
            case.status,
            case.stop_reason,
            round(case.seconds, 1),
            case.model_calls,
            case.tokens,
            case.steps,
            case.confidence,
        ]
        for case in report.cases
    ]
    return _table(Table(title=f"{len(rows)} cases", columns=columns, rows=rows))


def _facts(report: Report) -> str:
    facts: dict[str, object] = {"command": report.command, **report.machine}
    facts |= {f"weights of {name}": digest for name, digest in report.model_digest.items()}
    facts |= {f"seed: {name}": seed for name, seed in report.seeds.items()}
    facts |= report.settings
    return "".join(f"<dt>{plain(name)}</dt><dd>{plain(str(value))}</dd>" for name, value in facts.items())
