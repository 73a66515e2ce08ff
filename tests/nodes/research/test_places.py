"""Logs of research stay below the root, whatever a repository holds."""

from pathlib import Path

import pytest

from configs.loading import load_settings
from memory.errors import TraceUnwritable
from nodes.research.places import iterations_directory


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
