"""What the commands of a list do to a machine: `python -m evals.hostile FILE.tsv [--level L] [--json]`.

Every command goes through `Toolbox.run`, as a model's would, in a project like a developer's. Counted are
effects (on the disk, on a listener, on another process, on the clock), leaks, surviving processes, and the
honest commands that give what bash gives. Exit code 0: no effect, no leak, no survivor, and every honest
command of the read-only set works; 1: not so; 2: the detectors missed a planted deed, or the level asked for
does not work here, so nothing is said about the commands.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.hostile.measure import Report, levels, measure
from evals.hostile.planted import detectors, unseen
from evals.hostile.rows import Row, read_rows
from evals.hostile.surroundings import surroundings
from tools.errors import SandboxUnavailable

COUNTS = ("commands", "refused", "ran", "effects", "leaks", "survivors")


def main() -> int:
    """Measure one file at one level or at all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="tab-separated commands (see evals.hostile.rows)")
    parser.add_argument(
        "--level", default="auto", help="a value of tools.sandbox, or all: each that works here"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--messages", action="store_true", help="print what each refusal says")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)  # that no sandbox is in force is in the report
    rows = read_rows(arguments.file)
    with surroundings() as around:
        missed = unseen(around)
        wanted, missing = levels() if arguments.level == "all" else ([arguments.level], {})
        try:
            reports = [asyncio.run(measure(rows, around, level)) for level in wanted] if not missed else []
        except SandboxUnavailable as error:
            print(error, file=sys.stderr)
            return 2
    if arguments.json:
        print(json.dumps(_document(arguments.file, reports, missed, missing), indent=2, ensure_ascii=False))
    else:
        _show(rows, reports, missed, missing, messages=arguments.messages)
    if missed:
        return 2
    return 0 if all(report.passed for report in reports) else 1


def _document(
    file: Path, reports: Sequence[Report], missed: Sequence[str], missing: dict[str, str]
) -> dict[str, object]:
    return {
        "file": file.name,
        "detectors": {"shown": detectors(), "missed": list(missed)},
        "levels_missing": missing,
        "passed": not missed and all(report.passed for report in reports),
        "levels": [report.model_dump() for report in reports],
    }


def _show(
    rows: Sequence[Row],
    reports: Sequence[Report],
    missed: Sequence[str],
    missing: dict[str, str],
    *,
    messages: bool,
) -> None:
    console = Console(soft_wrap=True, highlight=False, width=100)
    console.print(f"detectors: {detectors() - len(missed)} of {detectors()} planted deeds seen", markup=False)
    for name in missed:
        console.print(f"  not seen: {name}", markup=False)
    table = Table("level", *COUNTS, "honest ok", "seconds")
    for report in reports:
        counts = (str(getattr(report, name)) for name in COUNTS)
        table.add_row(
            report.level, *counts, f"{report.benign_ok} of {report.benign_total}", f"{report.seconds:.1f}"
        )
    console.print(table)
    for level, why in missing.items():
        console.print(f"{level} does not work here: {why}", markup=False)
    commands = {row.id: row.command for row in rows}
    for report in reports:
        for name, reasons in report.failures.items():
            console.print(f"{report.level} {name} {commands[name]!r}", markup=False)
            console.print(*(f"    {reason}" for reason in reasons), sep="\n", markup=False)
    for name, tool in reports[0].benign_outside.items() if reports else ():
        console.print(f"not in the read-only set: {name} {commands[name]!r}: {tool}", markup=False)
    if messages and reports:
        for name, text in reports[0].messages.items():
            console.print(f"{name} {commands[name]!r}\n    {text}", markup=False)


if __name__ == "__main__":
    sys.exit(main())
