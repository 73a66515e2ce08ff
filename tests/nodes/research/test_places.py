"""Logs of research stay below the root, whatever a repository holds."""

from pathlib import Path

import pytest

from configs.errors import SettingsError
from configs.loading import load_settings
from memory.errors import TraceUnwritable
from memory.trace.iteration_log import IterationLogger, iterations_directory
from tests.nodes.research.corpus import DRAFT, PASS, REJECT, REPORT, researched


@pytest.mark.parametrize("link", ["data", "data/reasoning", "data/reasoning/iterations"])
def test_a_link_on_the_way_out_of_the_root_is_not_followed(tmp_path: Path, link: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(outside)
    with pytest.raises(TraceUnwritable, match="leads out of"):
        iterations_directory(root, load_settings(root).settings)


def test_logs_lie_where_the_settings_say(tmp_path: Path) -> None:
    settings = load_settings(tmp_path).settings
    assert iterations_directory(tmp_path, settings) == tmp_path / "data/reasoning/iterations"


def written(folder: Path, place: Path) -> None:
    (folder / ".reflect").mkdir(parents=True)
    (folder / ".reflect/config.yaml").write_text(f"research:\n  iterations: {place}\n", "utf-8")


@pytest.mark.parametrize(
    ("sayers", "refused"),
    [(("root",), True), (("home",), False), (("root", "home"), False)],
)
def test_only_the_users_own_settings_name_a_place_outside_of_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sayers: tuple[str, ...], refused: bool
) -> None:
    root, home, outside = tmp_path / "root", tmp_path / "home", tmp_path / "outside"
    for folder in (root, home):
        folder.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for sayer in ("root", "home"):
        if sayer in sayers:
            written(tmp_path / sayer, outside)
    if refused:
        with pytest.raises(SettingsError, match="lies outside"):
            load_settings(root)
    else:
        assert iterations_directory(root, load_settings(root).settings) == outside


def test_a_flag_or_variable_and_an_absolute_place_below_the_root_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    written(root, root / "logs")
    assert iterations_directory(root, load_settings(root).settings) == root / "logs"
    flagged = load_settings(root, {"research.iterations": str(outside)}).settings
    assert iterations_directory(root, flagged) == outside
    written(tmp_path / "other", outside)
    monkeypatch.setenv("REFLECT_RESEARCH__ITERATIONS", str(outside))
    assert iterations_directory(tmp_path / "other", load_settings(tmp_path / "other").settings) == outside


def test_the_settings_of_the_home_directory_are_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    written(tmp_path / "home", tmp_path / "outside")
    settings = load_settings(tmp_path / "home").settings
    assert iterations_directory(tmp_path / "home", settings) == tmp_path / "outside"


async def test_a_run_that_would_log_outside_writes_nothing_there(tmp_path: Path) -> None:
    root = tmp_path / "root"
    written(root, tmp_path / "outside")
    state = await researched(root, "outside")
    assert state.status == "error" and "lies outside" in state.result[0]["schema_object"]["message"]
    assert not (tmp_path / "outside").exists() and state.searches == []


async def test_a_run_whose_logs_a_link_leads_outside_writes_nothing_there(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root, outside):
        folder.mkdir()
    (root / "data").symlink_to(outside)
    state = await researched(root, "linked")
    assert state.status == "error" and "leads out of" in state.result[0]["schema_object"]["message"]
    assert list(outside.iterdir()) == [] and state.searches == []


async def test_all_that_a_run_logs_is_known_as_a_log_when_it_is_removed(tmp_path: Path) -> None:
    replies = {"analyst": [DRAFT, DRAFT], "critic": [REJECT, PASS], "writer": [REPORT]}
    await researched(tmp_path, "rejected", **replies)
    logger = IterationLogger(tmp_path / "data/reasoning/iterations", "rejected")
    files = sum(1 for _ in logger.directory.iterdir())
    assert files > 5 and logger.remove() == files and not logger.directory.exists()
