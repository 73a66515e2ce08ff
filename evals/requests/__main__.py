"""Ask a file of requests, each of a fresh tree, and count: right, declined, wrong. No model is asked.

python -m evals.requests evals/questions/requests_dev.jsonl --verbose
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from evals.ask import ask
from evals.requests.judge import Request, Verdict, judge, run_reference
from evals.requests.tree import TREES

# Its replies are refused, so what is answered comes from code alone.
SILENT = "default: ['']\nrepeat_last: true\n"


def read_requests(path: Path) -> list[Request]:
    """The requests of a file.

    Raises:
        pydantic.ValidationError: a line is no request.
    """
    return [
        Request.model_validate_json(line) for line in path.read_text("utf-8").splitlines() if line.strip()
    ]


async def run_one(request: Request, model: str) -> tuple[Verdict, str, str, float]:
    """Verdict, answer, recipe and seconds of one request."""
    with tempfile.TemporaryDirectory() as name:
        build = TREES[request.tree]
        root = build(Path(name).resolve() / "tree")
        other = build(Path(name).resolve() / "reference")
        expected = run_reference(request, other).replace(str(other), str(root))
        start = time.perf_counter()
        goal = request.goal.replace("{root}", str(root))
        state = await ask(
            goal, root, model, request.id,
            experience__enabled=False, traces__enabled=False, tools__approval="yes",
            graph__max_plan_retries=0,
        )  # fmt: skip
        seconds = time.perf_counter() - start
        verdict = judge(request, state, root, expected, other)
    source = (state.plan.recipe or state.plan.source) if state.plan else "-"
    return verdict, f"{state.status}: {state.final_answer}", source, seconds


async def run(requests: list[Request], model: str, verbose: bool) -> dict[str, Any]:
    """Ask all of them, one after the other, and count."""
    verdicts: dict[Verdict, list[str]] = {"right": [], "declined": [], "wrong": []}
    spent = []
    for request in requests:
        verdict, answer, source, seconds = await run_one(request, model)
        verdicts[verdict].append(request.id)
        spent.append(seconds)
        if verbose and verdict != "right":
            sys.stderr.write(
                f"{verdict:8} {request.id} [{source}] {request.goal}\n         -> {answer[:300]!r}\n"
            )
    return {
        "requests": len(requests),
        **{verdict: len(ids) for verdict, ids in verdicts.items()},
        "declined_ids": verdicts["declined"],
        "wrong_ids": verdicts["wrong"],
        "median_seconds": round(sorted(spent)[len(spent) // 2], 3),
    }


def main() -> None:
    """Print the counts of one file of requests as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("requests", type=Path)
    parser.add_argument("--model", help="asked where no recipe answers; by default one that answers nothing")
    parser.add_argument("--only", action="append", help="id of a request; may be repeated")
    parser.add_argument("--verbose", action="store_true", help="show what was not right on standard error")
    arguments = parser.parse_args()
    requests = read_requests(arguments.requests)
    requests = [request for request in requests if not arguments.only or request.id in arguments.only]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as script:
        script.write(SILENT)
        script.flush()
        report = asyncio.run(run(requests, arguments.model or f"scripted:{script.name}", arguments.verbose))
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
