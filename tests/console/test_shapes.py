import pytest
from pydantic import ValidationError

from console.shapes import ExperienceRecord, ThreadAbout


def test_a_shape_refuses_what_it_does_not_name() -> None:
    fields = {
        "id": "t",
        "graph": "auto",
        "goal": "g",
        "standing": "finished",
        "step": 1,
        "at": "",
        "waiting": False,
        "root": "/project",
        "served": True,
    }
    ThreadAbout.model_validate(fields)
    with pytest.raises(ValidationError):
        ThreadAbout.model_validate(fields | {"secret": "x"})
    with pytest.raises(ValidationError):
        ThreadAbout.model_validate({key: value for key, value in fields.items() if key != "graph"})


def test_a_record_is_of_one_of_two_scopes() -> None:
    record = {"id": "a", "kind": "episode", "goal": "", "text": "", "at": "", "status": "", "facts": {}}
    assert ExperienceRecord.model_validate(record | {"scope": "global"}).scope == "global"
    with pytest.raises(ValidationError):
        ExperienceRecord.model_validate(record | {"scope": "elsewhere"})
