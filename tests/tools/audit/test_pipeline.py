"""A whole audit: the same bytes wherever and however it runs, and no process left behind."""

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from configs.audit import AuditSettings
from tests.tools.audit.test_duplication import FUNCTION, RENAMED
from tools.audit.pipeline import audit_repository
from tools.audit.report import Audit
from tools.errors import AuditFailed

ROOT = Path(__file__).resolve().parents[3]
HOSTILE = {
    "syntax.py": b"def f(:\n",
    "python2.py": b"def f():\n    print 'x'\n",
    "latin.py": "a = '\xe4'\n".encode("latin-1"),
    "cookie.py": b"# coding: nothing\na = 1\n",
    "wide.py": "a = 1\n".encode("utf-16"),
    "nul.py": b"a = 1\0\n",
    "binary.py": bytes(range(256)) * 40,
    "deep.py": b"a = " + b"(" * 5_000,
    "long.py": b"a = " + b"-" * 60_000 + b"1\n",
    "chain.py": b"a = " + b"1 + " * 30_000 + b"1\n",
    "attributes.py": b"a" + b".b" * 30_000 + b"\n",
    "blocks.py": b"".join(b" " * depth + b"if a:\n" for depth in range(99)) + b" " * 99 + b"b\n",
    "deep.js": b"(" * 2_000,
    "empty.py": b"",
    "a\nb.py": b"a = 1\n",
    os.fsdecode(b"c\xff\x1b[31m.py"): b"a = 1\n",
}
WELL = {
    "p/__init__.py": b"from p import a\n",
    "p/a.py": b"import p.b\n" + FUNCTION.encode(),
    "p/b.py": b"from . import a\n" + RENAMED.encode(),
    "s.go": b"package s\n\nfunc F(a int) int {\n\tif a > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n",
    **{
        f"q/m{number}.py": f"import p.a\n\n\ndef f(x):\n    return x or {number}\n".encode()
        for number in range(30)
    },
}


def written(root: Path, tree: dict[str, bytes], seed: int = 0) -> Path:
    names = sorted(tree)
    random.Random(seed).shuffle(names)
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(tree[name])
    return root


async def audited(root: Path, **settings: object) -> Audit:
    return await audit_repository(root, AuditSettings.model_validate(settings))


def children() -> set[str]:
    """Processes that this one has started, by all of its threads."""
    return {pid for tasks in Path("/proc/self/task").glob("*/children") for pid in tasks.read_text().split()}


async def test_a_report_of_everything(tmp_path: Path) -> None:
    found = await audited(written(tmp_path, WELL), processes=1)
    assert [module.file for module in found.scan.modules] == sorted(WELL)
    assert {"load", "fetch", "F"} <= {function.name for function in found.scan.functions}
    [cycle] = found.metrics.cycles
    assert (cycle.files, cycle.lazy) == (("p/a.py", "p/b.py"), False)
    [one] = found.metrics.duplicates
    assert [place.file for place in one.places] == ["p/a.py", "p/b.py"]
    by_file = {one.file: one for one in found.metrics.modules}
    assert by_file["p/b.py"].duplicated_lines == 19
    assert {one.file: one.afferent for one in found.metrics.coupling}["p/a.py"] == 32
    assert found.skipped == () and set(found.versions) == {"python", "bandit", "complexipy", "lizard"}
    assert len(found.risk.files) == len(WELL)


async def test_the_same_tree_gives_the_same_bytes_however_many_work_on_it(tmp_path: Path) -> None:
    tree = WELL | HOSTILE
    one = await audited(written(tmp_path / "one", tree, 1), processes=1)
    (tmp_path / "longer" / "name").mkdir(parents=True)
    two = await audited(written(tmp_path / "longer" / "name" / "two", tree, 2), processes=2)
    assert one.to_json() == two.to_json()
    assert str(tmp_path) not in one.to_json()


@pytest.mark.integration
def test_the_same_tree_gives_the_same_bytes_in_any_environment(tmp_path: Path) -> None:
    written(tmp_path / "tree", WELL | HOSTILE)
    program = (
        "import asyncio, sys; from pathlib import Path; from configs.audit import AuditSettings;"
        "from tools.audit.pipeline import audit_repository;"
        "print(asyncio.run(audit_repository(Path(sys.argv[1]), AuditSettings())).to_json())"
    )
    reports = set()
    for seed, zone, locale, place in (("1", "UTC", "C", tmp_path), ("2", "Asia/Tokyo", "C.UTF-8", ROOT)):
        variables = {
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "LC_ALL": locale,
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
        }
        root = os.path.relpath(tmp_path / "tree", place)
        done = subprocess.run(
            [sys.executable, "-c", program, root], cwd=place, env=variables, capture_output=True, check=True
        )
        reports.add(done.stdout)
    assert len(reports) == 1


async def test_a_hostile_tree_is_reported_file_by_file(tmp_path: Path) -> None:
    written(tmp_path, HOSTILE)
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    found = await audited(tmp_path, processes=1)
    reasons = {one.file: one.reason for one in found.skipped if one.kernel == "ast_scan"}
    assert (
        reasons.items()
        >= {
            "syntax.py": "syntax",
            "python2.py": "syntax",
            "latin.py": "encoding",
            "cookie.py": "encoding",
            "wide.py": "encoding",
            "nul.py": "binary",
            "binary.py": "binary",
            "deep.py": "syntax",
            "deep.js": "crashed",
            "pipe.py": "unreadable",
            "link.py": "link",
        }.items()
    )
    parsed = {module.file for module in found.scan.modules if module.parsed}
    assert parsed >= {"empty.py", "a\\nb.py", "c\\xff\\x1b[31m.py", "blocks.py"}
    assert parsed.isdisjoint(reasons)
    listed = {module.file for module in found.scan.modules} | set(reasons)
    assert len(listed) == len(HOSTILE) + 2
    assert Audit.model_validate_json(found.to_json()) == found


@pytest.mark.parametrize("tree", [{}, {"README.md": b"#"}])
async def test_a_tree_without_sources_is_an_empty_report(tmp_path: Path, tree: dict[str, bytes]) -> None:
    found = await audited(written(tmp_path, tree))
    assert found.scan.modules == () and found.skipped == ()


async def test_a_file_alone_is_audited(tmp_path: Path) -> None:
    found = await audited(written(tmp_path, WELL) / "p" / "a.py")
    assert [module.file for module in found.scan.modules] == ["a.py"]


async def test_nothing_at_the_root_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AuditFailed, match="nothing"):
        await audited(tmp_path / "nothing")


async def test_a_cancelled_audit_leaves_no_process(tmp_path: Path) -> None:
    written(tmp_path, WELL)
    before = children()
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    running = asyncio.ensure_future(
        audit_repository(
            tmp_path, AuditSettings(processes=2), lambda *_: loop.call_soon_threadsafe(begun.set) and None
        )
    )
    await begun.wait()
    assert children() > before
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert children() <= before


async def test_an_audit_that_fails_leaves_no_process(tmp_path: Path) -> None:
    written(tmp_path, WELL)
    before = children()

    def told(kernel: str, done: int, of: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await audit_repository(tmp_path, AuditSettings(processes=1), told)
    assert children() <= before
