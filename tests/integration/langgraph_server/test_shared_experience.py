"""Two servers, each with a home and a copy of the project, that share records and vectors."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from evals.fixture_repository import build_fixture_repository
from tests.support import chroma_server, postgres
from tests.support.corpus_hosts import ids_in
from tests.support.langgraph_server import served
from tests.support.processes import wait_until

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        postgres.programs() is None, reason="no Postgres server is installed (apt-get install postgresql)"
    ),
    pytest.mark.skipif(chroma_server.program() is None, reason="no Chroma server is installed"),
]
GOALS = [
    "How many lines does data/ships.csv have?",
    "How many python files are there?",
    "Which file has the most lines?",
]


def file_of(project: Path) -> Path:
    return project / ".reflect/experience/events.jsonl"


async def ask(url: str, project: Path) -> list[Any]:
    async with get_client(url=url) as client:
        context = {"root": str(project), "model": "embedded"}
        asked = (
            client.runs.wait(None, "reflective", input={"goal": goal}, context=context) for goal in GOALS
        )
        return list(await asyncio.gather(*asked))


async def recalled(url: str, query: str) -> list[str]:
    async with get_client(url=url) as client:
        found = await client.store.search_items(["experience", "project"], query=query)
        return [item["value"]["goal"] for item in found["items"]]


async def test_two_servers_share_what_their_runs_leave(tmp_path: Path) -> None:
    homes = [tmp_path / name for name in ("one", "other")]
    for home in homes:
        home.mkdir()
        build_fixture_repository(home)
    with postgres.postgres_server() as database, chroma_server.chroma_process() as vectors:
        variables = {
            "RECORDS": database.url(),
            "VECTORS": vectors.url,
            "REFLECT_EXPERIENCE__URL_ENV": "RECORDS",
            "REFLECT_EXPERIENCE__CHROMA_URL_ENV": "VECTORS",
            "REFLECT_EXPERIENCE__PROJECT_ID": "ships",
        }
        with served(homes[0], **variables) as one, served(homes[1], **variables) as other:
            urls = (one.url, other.url)
            answers = await asyncio.gather(*map(ask, urls, homes))
            finals = [final for some in answers for final in some]
            assert [final["status"] for final in finals] == ["answered"] * 6
            assert [note for final in finals for note in final["notes"] if "Experience" in note] == []
            for url in urls:
                found = await recalled(url, GOALS[0])
                assert GOALS[0] in found, "what either server's runs left is found by both"
            one.process.kill()
            other.process.kill()
            rows = database.execute("SELECT identity FROM reflect_experience WHERE scope = 'project:ships'")
        written = Counter(str(row[0]) for row in rows)
        assert len(written) >= 12 and set(written.values()) == {1}
        both = ids_in(file_of(homes[0])) | ids_in(file_of(homes[1]))
        assert both == written, "nothing of a run that answered is lost, or on one of the hosts twice"
        assert wait_until(1, lambda: not list(homes[0].glob(".reflect/experience/index/events-*")))
