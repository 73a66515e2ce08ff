"""The list a run returns is what `create_assistant_result` takes: NLWeb Items, whole, as JSON, on every path.

Its consumer, `core/schemas.py` of NLWeb, puts the list into a message as it is and writes that as JSON for a
front end, which reads seven keys of every item and the metadata in `schema_object` where there is any.
"""

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from graph.research import run_research
from nodes.reflective.context import RunContext
from tests.nodes.research.corpus import ITEMS, QUERY


class FrontEndItem(BaseModel):
    """What the front end reads, in its types and no other."""

    model_config = ConfigDict(strict=True, extra="forbid")

    type: Literal["Item"] = Field(alias="@type")
    url: str = Field(min_length=1)
    name: str = Field(min_length=1)
    site: str = Field(min_length=1)
    siteUrl: str = Field(min_length=1)  # noqa: N815  # NLWeb's name for it
    score: int = Field(ge=0, le=100)
    description: str = Field(min_length=1)
    schema_object: dict[str, Any] = Field(default_factory=dict)


def create_assistant_result(results: list[dict[str, Any]]) -> list[FrontEndItem]:
    """The message's content as the front end gets it: through strict JSON and back."""
    assert isinstance(results, list) and results
    sent = json.dumps({"message_type": "result", "content": results}, allow_nan=False)
    content = json.loads(sent)["content"]
    assert content == results
    return [FrontEndItem.model_validate(one) for one in content]


@pytest.mark.parametrize(
    ("query", "mode", "items", "enabled", "kind"),
    [
        (QUERY, "monitor", ITEMS, True, "ResearchReport"),
        ("How many penguins live in the zoo of Tarragona?", "discovery", ITEMS, True, "NoDataReport"),
        (QUERY, "strict", ITEMS[1:], True, "ErrorReport"),
        (QUERY, "discovery", ITEMS, False, None),
    ],
)
async def test_orchestrator_compatible_with_create_assistant_result(
    tmp_path: Path, query: str, mode: Any, items: list[dict[str, Any]], enabled: bool, kind: str | None
) -> None:
    settings = {"experience.enabled": False, "research.enabled": enabled}
    context = RunContext(root=str(tmp_path), model="embedded", settings=settings)
    taken = create_assistant_result(await run_research(query, mode, items, context=context))
    if kind is None:
        assert [one.url for one in taken] == [one["url"] for one in items]
        return
    (report,) = taken
    assert report.schema_object["@type"] == kind
    assert report.url.startswith(f"https://deep-research.internal/{mode}/")
    assert {"mode", "iterations", "sources_used", "confidence", "total_sources_analyzed"} <= set(
        report.schema_object
    )
