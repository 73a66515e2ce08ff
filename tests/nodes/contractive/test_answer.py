import pytest

from nodes.contractive.answer import _notes
from nodes.contractive.asking import MOST_CONTEXT
from nodes.contractive.state import ContractiveState


@pytest.mark.parametrize(("characters", "told"), [(MOST_CONTEXT, False), (MOST_CONTEXT + 1, True)])
def test_material_that_was_not_shown_whole_is_told(characters: int, told: bool) -> None:
    notes = _notes(ContractiveState(question="q", context="x" * characters), rejected=False)
    assert any(f"{MOST_CONTEXT} of its {characters}" in note for note in notes) == told
