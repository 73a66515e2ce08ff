"""`python -m evals.soundness`: is any false claim accepted, and is every honest one?

python -m evals.soundness probes.jsonl                      a table by category, and why probes failed
python -m evals.soundness probes.jsonl --json [OUT]         ids by result; printed, or written to a file
python -m evals.soundness --generate 1000 --seed 7 --out probes.jsonl
python -m evals.soundness --random 1000 --seed 7 --json     generated, run and scored in one go

Exit code: 2 if the input cannot be read; 1 if a probe could not be run to its end, or, of generated probes,
if the score is not what it has to be; else 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.soundness.generating import generate
from evals.soundness.probes import BadLine, Probe, read_probes
from evals.soundness.running import AT_ONCE, run_probes
from evals.soundness.scoring import as_json, listed, score, summary

UNREADABLE, FAILED = 2, 1
PRINTED = "-"


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; the exit code, as the module says."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if sum(chosen is not None for chosen in (arguments.file, arguments.generate, arguments.random)) != 1:
        parser.error("give one of FILE, --generate and --random")
    if arguments.generate is not None:
        probes = generate(arguments.generate, arguments.seed)
        _put("".join(json.dumps(probe) + "\n" for probe in probes), arguments.out)
        return 0
    if arguments.random is not None:
        made = [Probe.model_validate(probe) for probe in generate(arguments.random, arguments.seed)]
        return _run(made, arguments, scored=True)
    try:
        read = read_probes(arguments.file)
    except (OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{arguments.file} cannot be read: {error}\n")
        return UNREADABLE
    return _run(read, arguments, scored=False)


def _run(probes: Sequence[Probe | BadLine], arguments: argparse.Namespace, scored: bool) -> int:
    outcomes = asyncio.run(run_probes(probes, arguments.at_once))
    found = score(probes, outcomes)
    if arguments.json is None:
        _put(summary(probes, outcomes) + "\n", arguments.out)
    else:
        report: dict[str, Any] = dict(listed(outcomes))
        if scored:
            report["score"] = as_json(found)
        _put(json.dumps(report, indent=2) + "\n", arguments.json)
    if scored:
        return 0 if found.met else FAILED
    return FAILED if found.errors else 0


def _put(text: str, where: str) -> None:
    if where == PRINTED:
        sys.stdout.write(text)
    else:
        Path(where).write_text(text, "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.soundness",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, nargs="?", help="probes, one JSON object a line")
    parser.add_argument("--json", nargs="?", const=PRINTED, metavar="OUT", help="ids by result, as JSON")
    parser.add_argument("--generate", type=int, metavar="N", help="write N generated probes")
    parser.add_argument("--random", type=int, metavar="N", help="generate N probes, run and score them")
    parser.add_argument("--seed", type=int, default=0, help="of the generator")
    parser.add_argument("--out", default=PRINTED, help="where probes or the table go, if not printed")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, metavar="N", help="probes run at a time")
    return parser


if __name__ == "__main__":
    sys.exit(main())
