from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nodes.research.checking.checker import Checker
from tools.search.items import Item


@pytest.fixture(scope="session")
def documents() -> list[tuple[Item, dict[str, Any]]]:
    """Each invented document as an item, with the sentences it bears out."""
    given = yaml.safe_load((Path(__file__).parent / "correct.yaml").read_text("utf-8"))
    return [
        (
            Item(
                url=one["url"],
                name=one["name"],
                site=one["site"],
                siteUrl="",
                description=one["text"],
                schema_object={"datePublished": str(one["date"])},
            ),
            one,
        )
        for one in given
    ]


@pytest.fixture(scope="session")
def checker(documents: list[tuple[Item, dict[str, Any]]]) -> Checker:
    return Checker([item for item, _ in documents], [])
