"""What is committed of a notebook holds no outputs; that it runs is checked in tests/integration."""

from pathlib import Path

import nbformat
import pytest

from tests.support.processes import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_is_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["01_reflective_graph.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_is_committed(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert cells and all(cell.outputs == [] and cell.execution_count is None for cell in cells)
