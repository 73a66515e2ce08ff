"""Made-up runs for benchmarks and fault tests of the corpus: seeded, varied, of the form real runs have."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from memory.events import ReasoningEvent

_WHAT = (
    "invoice parser", "login page", "rate limiter", "csv exporter", "thumbnail cache", "search index",
    "mail queue", "session store", "price table", "audit log", "feature flags", "shipping labels",
    "tax rules", "user avatars", "webhook sender", "pdf renderer", "chat history", "stock levels",
)  # fmt: skip
_STEM = (
    "parser", "loader", "router", "schema", "client", "worker", "handler", "report", "config", "metrics",
    "billing", "orders", "users", "search", "cache", "export", "import", "notify", "render", "archive",
)  # fmt: skip
_VERB = ("load", "make", "check", "send", "read")
_DIRECTORY = (
    "src",
    "lib",
    "app",
    "docs",
    "tests",
    "tools",
    "scripts",
    "services",
    "data",
    "legacy",
    "api",
    "web",
)
_EXTENSION = ("py", "md", "yaml", "json", "csv", "ts", "go", "rs", "sql", "toml", "html", "sh")
_PERSON = ("Ada", "Grace", "Linus", "Barbara", "Edsger", "Radia", "Ken", "Margaret", "Alan", "Frances")
_ASKED = (
    ("count the {ext} files below {dir}", "how many {ext} files does {dir} hold"),
    ("which file in {dir} has the most lines", "the longest file under {dir}"),
    ("where is {name} defined", "find the definition of {name}"),
    ("show every TODO about the {what}", "what is left to do on the {what}"),
    ("who changed {path} last", "last author of {path}"),
    ("list functions in {path} that call {name}", "callers of {name} inside {path}"),
    ("how large is {dir} without its {ext} files", "size of {dir}, {ext} files left out"),
    ("what does {path} say about the {what}", "explain the {what} as {path} has it"),
    ("find files {person} changed since version {number}", "what {person} touched after release {number}"),
    ("which tests cover {name}", "tests that exercise {name}"),
    ("compare {path} with its version before {number}", "differences of {path} since {number}"),
    ("list imports of {path} nobody uses", "unused imports in {path}"),
    ("is {name} still used outside {dir}", "references to {name} from other places than {dir}"),
    ("find lines longer than {number} characters in {path}", "overlong lines ({number}) in {path}"),
)
_ERRORS = (
    ("not_found", "there is no file {path}", "look for {name} with find before reading it"),
    ("no_match", "grep found nothing for {name} below {dir}", "search {dir} without regard to case"),
    ("bad_argument", "{number} is no line number of {path}", "ask wc for the length of {path} first"),
    (
        "timeout",
        "searching {dir} took longer than {number} s",
        "leave {ext} files out of the search of {dir}",
    ),
    ("too_much_output", "{path} printed {number} lines", "take the first lines of {path} with head"),
    ("permission", "{dir} may not be read", "search beside {dir}, which belongs to {person}"),
)


class _Names(NamedTuple):
    values: dict[str, str]

    def put(self, template: str) -> str:
        return template.format(**self.values)


def _names(rng: random.Random) -> _Names:
    stem, other = rng.choice(_STEM), rng.choice(_STEM)
    directory, extension = rng.choice(_DIRECTORY), rng.choice(_EXTENSION)
    number = rng.randint(2, 9_999)
    return _Names(
        {
            "ext": extension,
            "dir": f"{directory}/{rng.choice(_STEM)}{rng.randint(1, 400)}",
            "path": f"{directory}/{stem}_{other}{rng.randint(1, 400)}.{extension}",
            "name": f"{rng.choice(_VERB)}_{stem}_{other}{rng.randint(1, 900)}",
            "what": rng.choice(_WHAT),
            "person": rng.choice(_PERSON),
            "number": str(number),
        }
    )


def made_up_events(count: int, seed: int = 0, days: float = 25.0) -> Iterator[ReasoningEvent]:
    """Events worth recalling: six in ten whole runs, the others diagnoses and failed steps.

    Args:
        count: how many.
        seed: equal seeds give equal goals.
        days: how far back the oldest lies.
    """
    rng = random.Random(seed)
    newest = datetime.now(UTC)
    for number in range(count):
        at = newest - timedelta(days=days * (1 - (number + 1) / count))
        yield _event(rng, number, at)


def paraphrased_queries(count: int, seed: int = 1) -> list[str]:
    """Questions like those of the events, in other words and about other names."""
    rng = random.Random(seed)
    return [_names(rng).put(rng.choice(_ASKED)[1]) for _ in range(count)]


def _event(rng: random.Random, number: int, at: datetime) -> ReasoningEvent:
    names = _names(rng)
    template = rng.choice(_ASKED)[0]
    category, error, lesson = rng.choice(_ERRORS)
    kind = rng.choices(("episode", "reflection", "execution"), (6, 3, 1))[0]
    common: dict[str, Any] = {
        "timestamp": at.isoformat(timespec="milliseconds"),
        "session_id": f"session-{number // 5}",
        "event_type": kind,
        "goal": names.put(template),
        "event_id": f"{rng.getrandbits(128):032x}",
    }
    if kind == "episode":
        steps = [names.put("find files below {dir}"), names.put("read {path}"), "count what was found"]
        plan = {
            "objective": common["goal"],
            "steps": [{"tool": "grep", "args": {"path": step}} for step in steps],
        }
        meta = {
            "verified": rng.random() < 0.7,
            "key": template,
            "plan": plan,
            "steps": steps,
            "source": "model",
        }
        return ReasoningEvent(**common, outcome_status=rng.choice(("success", "max_reflections")), meta=meta)
    failed = {"outcome_status": "failure", "error": names.put(error)}
    if kind == "reflection":
        meta = {"category": category, "lesson": names.put(lesson), "key": template}
        return ReasoningEvent(**common, **failed, llm_critique=names.put(f"{error}; {lesson}"), meta=meta)
    output = {"stdout": names.put("{path}:1:{name}\n") * 8, "stderr": names.put(error)}
    return ReasoningEvent(**common, **failed, **output, tool="grep", step_num=1, returncode=1)
