"""What every suite shares: cases, metrics with intervals, resumable runs, and reports as table, JSON, page.

A suite plans its cases (`Planned`), runs them (`run_cases`), sums them up (`share`, `average`) into a
`Report`, and hands that to `publish`, which prints, writes and says what the exit code is.
"""

from evals.report.bootstrap import average, bootstrap_interval, lift, quotient, share
from evals.report.case import (
    BarChart,
    Bars,
    Case,
    Histogram,
    Metric,
    Planned,
    Reliability,
    ReliabilityBin,
    Report,
    Table,
)
from evals.report.machine import circumstances, machine_facts, model_digest
from evals.report.options import (
    SuiteOptions,
    add_suite_options,
    refuse_unknown,
    rerun_command,
    suite_options,
    suite_parser,
)
from evals.report.page import write_html, write_json
from evals.report.publishing import as_program, publish
from evals.report.runner import (
    RunOnce,
    isolated_home,
    nothing_logged,
    refuse_silence,
    run_cases,
    run_planned,
    settings_digest,
    terminal_progress,
)
from evals.report.sampling import evenly
from evals.report.terminal import print_report
from evals.report.wilson import wilson_interval

__all__ = [
    "BarChart",
    "Bars",
    "Case",
    "Histogram",
    "Metric",
    "Planned",
    "Reliability",
    "Report",
    "ReliabilityBin",
    "RunOnce",
    "SuiteOptions",
    "Table",
    "add_suite_options",
    "as_program",
    "average",
    "bootstrap_interval",
    "circumstances",
    "evenly",
    "isolated_home",
    "nothing_logged",
    "lift",
    "machine_facts",
    "model_digest",
    "print_report",
    "publish",
    "quotient",
    "refuse_silence",
    "refuse_unknown",
    "rerun_command",
    "run_cases",
    "run_planned",
    "settings_digest",
    "share",
    "suite_options",
    "suite_parser",
    "terminal_progress",
    "wilson_interval",
    "write_html",
    "write_json",
]
