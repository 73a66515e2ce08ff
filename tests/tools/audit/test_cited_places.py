"""Over generated trees, and with limits that next to everything passes: what is cited is there."""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from configs.audit import AuditSettings
from tests.tools.audit.python_sources import modules
from tools.audit.pipeline import audit_repository

STRICT = AuditSettings(
    processes=1,
    most_cyclomatic=1,
    most_cognitive=1,
    most_function_lines=5,
    most_parameters=1,
    most_module_lines=20,
    least_duplicate_tokens=20,
    most_recommendations=1_000_000,
)
SPICES = (
    "import m1, m2  # nosec",
    "from m0 import *",
    "exec(\n    x\n)",
    "subprocess.run(\n    x,\n    shell=True,\n)  # nosec",
    "def f(x, y, z):\n    if x and y or z:\n        for a in x:\n            return [b for b in a if b]",
    "# \f form feed and \u2028 line separator\npassword = 'x'",
    "x = '''\n\n\f\n'''",
    "def broken(:",
    "",
)
LINE_ENDS = ("\n", "\r\n", "\r")


@st.composite
def files(draw: st.DrawFn) -> bytes:
    parts = [draw(modules()), *draw(st.lists(st.sampled_from(SPICES), max_size=6))]
    text = "\n".join(draw(st.permutations(parts))) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", draw(st.sampled_from(LINE_ENDS))).encode()


def lines_of(content: bytes) -> int:
    rows = re.split(rb"\r\n|\r|\n", content)
    return len(rows) - (rows[-1] == b"")


@settings(max_examples=3, deadline=None)
@given(st.lists(files(), min_size=12, max_size=30))
def test_what_is_cited_is_there(contents: list[bytes]) -> None:
    contents = [*contents, SPICES[4].encode(), SPICES[2].encode()]
    with tempfile.TemporaryDirectory() as place:
        for number, content in enumerate(contents):
            (Path(place) / f"m{number}.py").write_bytes(content)
        audit = asyncio.run(audit_repository(Path(place), STRICT))
    lines = {f"m{number}.py": lines_of(content) for number, content in enumerate(contents)}
    assert {module.file: module.lines for module in audit.scan.modules} == lines
    assert {one.rule for one in audit.recommendations} >= {"split_function", "look_at_security"}
    cited = [place for one in audit.recommendations for place in (one.place, *one.also)]
    cited += [one.place for one in (*audit.hotspots, *audit.security, *audit.scan.functions)]
    cited += [place for one in audit.metrics.duplicates for place in one.places]
    cited += [place for one in audit.metrics.cycles for place in one.imports]
    for place in cited:
        assert 1 <= place.line <= place.end_line <= lines[place.file]
