"""A report for people and for programs says the same, and nothing in it can become markup."""

import argparse
import io
import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evals.report import (
    BarChart,
    Bars,
    Case,
    Histogram,
    Metric,
    Reliability,
    ReliabilityBin,
    Report,
    Table,
    add_suite_options,
    machine_facts,
    model_digest,
    print_report,
    publish,
    rerun_command,
    share,
    suite_options,
)
from evals.report.page import json_text, page
from evals.report.svg import drawn


class Tags(HTMLParser):
    """Collects tags, what they refer to, and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.text += data


def report(text: str = "x", **fields: object) -> Report:
    cases = [
        Case(
            id=text, group=text, variant="graph_v30", goal=text, passed=False, false_success=True, detail=text
        ),
        Case(id="good", group="g", variant="graph_v30", passed=True),
        Case(id="bare", group="g", variant="S0", passed=False),
    ]
    return Report.model_validate(
        {
            "suite": "reflective",
            "about": text,
            "at": "2024-01-01T00:00:00+00:00",
            "command": text,
            "machine": {"cores": 2},
            "model": text,
            "cases": cases,
            "metrics": [share(text, [True, False], target="> 80%"), Metric(name="none", value=None)],
            "tables": [Table(title=text, columns=[text, "n"], rows=[[text, 1], [None, 0.5]], note=text)],
            "plots": [
                BarChart(
                    title=text, labels=[text], series=[Bars(name=text, values=[0.5], low=[0.2], high=[0.9])]
                ),
                Histogram(title=text, unit=text, series={text: [0.0, 1.5, 3.0], "none": []}),
                Reliability(title=text, bins=[ReliabilityBin(low=0, high=1, confidence=0.9, right=1, n=3)]),
            ],
        }
        | fields
    )


@settings(max_examples=30, deadline=None)
@given(
    st.text(min_size=1, max_size=30)
    | st.sampled_from(["<script>alert(1)</script>", '"><img src=x>', "]]>", "$style", "&amp;"])
)
def test_no_text_of_a_report_becomes_markup(text: str) -> None:
    known, given_text = Tags(), Tags()
    known.feed(page(report()))
    given_text.feed(page(report(text)))
    assert given_text.tags == known.tags
    assert given_text.addresses == []


def test_the_page_loads_nothing_and_holds_every_figure() -> None:
    markup = page(report())
    assert "<script" not in markup and "http" not in markup.replace("http-equiv", "")
    assert "50.0%" in markup and "MISSED" in markup and "false success" in markup


def test_json_holds_the_whole_report() -> None:
    data = json.loads(json_text(report("äöü")))
    assert data.pop("targets_met") is False
    assert Report.model_validate(data) == report("äöü")


def test_the_terminal_lists_each_failure_with_its_command_and_no_success() -> None:
    stream = io.StringIO()
    print_report(report("odd id"), stream)
    assert "reflect eval reflective --only 'odd id' --strategy graph_v30" in stream.getvalue()
    assert "--only good" not in stream.getvalue() and "--only bare" not in stream.getvalue()


@given(
    st.text(min_size=1, max_size=12).filter(lambda text: not text.startswith("-")),
    st.sampled_from(["graph_v30", "S0"]),
    st.integers(0, 9),
)
def test_the_command_that_repeats_a_case_is_read_back_as_that_case(
    name: str, variant: str, seed: int
) -> None:
    case = Case(id=name, group="g", variant=variant, model="scripted:oracle", seed=seed, passed=False)
    words = shlex.split(rerun_command("reflective", case))
    assert words[:3] == ["reflect", "eval", "reflective"]
    parser = argparse.ArgumentParser()
    add_suite_options(parser)
    options = suite_options(parser.parse_args(words[3:]))
    assert options.only == (name,) and options.strategies == (variant,)
    assert options.models == ("scripted:oracle",) and options.seed == seed


def test_the_exit_code_says_whether_every_target_is_met(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    add_suite_options(parser)
    options = suite_options(parser.parse_args(["--json", "--html", str(tmp_path / "r.html")]))
    assert publish(report(), options) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["suite"] == "reflective" and "MISSED" in shown.err
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert publish(report(metrics=[share("right", [True], target="> 80%")]), options) == 0
    # Where nothing was measured, nothing is met.
    assert publish(report(metrics=[share("right", [], target="> 80%")]), options) == 1


@given(st.lists(st.floats(0, 1e5), max_size=30))
@example([5e-324])
def test_no_bar_of_a_histogram_leaves_the_picture(values: list[float]) -> None:
    svg = drawn(Histogram(title="t", unit="s", series={"graph_v30": values}))
    for x, width in re.findall(r'<rect x="([\d.-]+)" y="[\d.-]+" width="([\d.-]+)"', svg):
        assert 0 <= float(x) and float(x) + float(width) <= 420


def test_a_machine_is_described_without_its_name() -> None:
    import socket

    facts = machine_facts()
    assert {"processor", "cores", "memory_gb", "python"} <= facts.keys()
    assert socket.gethostname() not in json.dumps(facts) and "/" not in str(facts["processor"])


def test_a_script_is_told_by_the_hash_of_its_file(tmp_path: Path) -> None:
    script = tmp_path / "s.yaml"
    script.write_text("default: [x]\n")
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", model_digest(f"scripted:{script}"))
