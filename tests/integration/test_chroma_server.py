"""Vectors on a Chroma server of the tests' own: shared, away, hung, emptied, of another kind, killed."""

from __future__ import annotations

import base64
import contextlib
import http.server
import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromadb.api import ServerAPI
from chromadb.api.models.Collection import Collection

from memory.experience import chroma_server
from memory.experience.chroma_address import chroma_server as address_of
from memory.experience.open_indexes import close_indexes
from tests.memory.places import event
from tests.support.chroma_server import ChromaProcess, chroma_process, program
from tests.support.corpus_hosts import Host, Writer
from tests.support.postgres import Server, postgres_server, programs

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(program() is None, reason="no Chroma server is installed"),
]
WORDS_ONLY = "Past runs are searched by words only: The Chroma server"
SEARCH = """
import sys
from pathlib import Path
from tests.memory.places import event
from tests.support.corpus_hosts import Host
host = Host(Path(sys.argv[1]), vectors=sys.argv[2])
for number in range(int(sys.argv[4])):
    goal = f"goal {number} of writer{sys.argv[3]}"
    print(host.append(event(goal)), flush=True)
    assert goal in [hit.goal for hit in host.corpus.search(goal, top_k=50)], goal
"""


@pytest.fixture
def chroma() -> Iterator[ChromaProcess]:
    with chroma_process() as running:
        yield running
        close_indexes()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    if programs() is None:
        pytest.skip("no Postgres server is installed (apt-get install postgresql)")
    with postgres_server() as running:
        yield running


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_server, "PAUSE", 0.0)


def filled(host: Host, count: int = 40) -> Host:
    for number in range(count):
        host.append(event(f"goal number{number} about subject{number % 7}"))
    return host


def held(host: Host) -> int:
    return host.corpus.stats()[0].indexed


@contextlib.contextmanager
def collection_of(chroma: ChromaProcess) -> Iterator[tuple[ServerAPI, Collection]]:
    """The one collection of a server, as any other program may use it."""
    connection = chroma_server.ChromaConnection(address_of(chroma.url))
    try:
        [model] = connection.api().list_collections()
        yield connection.api(), Collection(connection.api(), model, embedding_function=None)
    finally:
        connection.close()


def by_meaning(host: Host, number: int) -> str:
    """What a query that shares half of its words with a goal finds first."""
    host.embedder.embedded.clear()
    return [hit.goal for hit in host.corpus.search(f"number{number} goal about")][0]


def test_what_one_host_embedded_others_find(chroma: ChromaProcess, postgres: Server, tmp_path: Path) -> None:
    one, other = (Host(tmp_path / name, postgres.url(), chroma.url) for name in ("one", "other"))
    filled(one)
    assert by_meaning(one, 17) == "goal number17 about subject3"
    assert held(one) == 40 and len(one.embedder.embedded) == 41
    assert by_meaning(other, 17) == "goal number17 about subject3"
    assert other.embedder.embedded == ["number17 goal about"], "the query alone is embedded"
    assert not list(other.corpus.project.vectors.directory.glob("events-*")), "no vector is kept here"
    gone = other.corpus.search("goal number17 about subject3")[0].event_id
    other.corpus.forget([gone])
    assert held(one) == held(other) == 39


def test_hosts_that_do_not_share_records_do_not_meet(chroma: ChromaProcess, tmp_path: Path) -> None:
    one, other = (Host(tmp_path / name, vectors=chroma.url) for name in ("one", "other"))
    filled(one)
    by_meaning(one, 1)
    filled(other, 3)
    assert by_meaning(other, 1) == "goal number1 about subject1" and (held(one), held(other)) == (40, 3)


def test_words_find_it_while_the_server_is_away(chroma: ChromaProcess, tmp_path: Path) -> None:
    host = filled(Host(tmp_path, vectors=chroma.url))
    by_meaning(host, 1)
    chroma.kill()
    assert by_meaning(host, 17) == "goal number17 about subject3"
    [problem] = host.corpus.problems()
    assert problem.startswith(WORDS_ONLY) and chroma.url in problem
    host.append(event("goal number99 about subject99"))
    chroma.start()
    assert by_meaning(host, 99) == "goal number99 about subject99"
    assert host.corpus.problems() == [] and held(host) == 41
    assert len(host.embedder.embedded) == 2, "the new text and the query"


def test_a_server_that_hangs_holds_no_search_up(
    chroma: ChromaProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma_server, "ANSWERING", 0.5)
    host = filled(Host(tmp_path, vectors=chroma.url))
    by_meaning(host, 1)
    assert chroma.process is not None
    chroma.process.send_signal(19)
    try:
        assert by_meaning(host, 17) == "goal number17 about subject3"
        assert "timed out" in host.corpus.problems()[0]
    finally:
        chroma.process.send_signal(18)


@pytest.mark.parametrize("restarted", [True, False])
def test_a_server_that_lost_its_vectors_gets_them_again(
    chroma: ChromaProcess, tmp_path: Path, restarted: bool
) -> None:
    host = filled(Host(tmp_path, vectors=chroma.url))
    by_meaning(host, 1)
    chroma.kill()
    chroma.lose_everything()
    chroma.start()
    if restarted:
        host.next_process()
    assert by_meaning(host, 17) == "goal number17 about subject3"
    assert held(host) == 40 and len(host.embedder.embedded) == 41


def test_a_server_that_lost_some_vectors_gets_them_again(chroma: ChromaProcess, tmp_path: Path) -> None:
    host = filled(Host(tmp_path, vectors=chroma.url))
    by_meaning(host, 1)
    with collection_of(chroma) as (_, collection):
        collection.delete(ids=collection.get(include=[])["ids"][:30])
    assert held(host) == 10
    host.next_process()
    assert by_meaning(host, 17) == "goal number17 about subject3"
    assert held(host) == 40 and len(host.embedder.embedded) == 31


def test_a_collection_of_another_dimension_is_told_and_mended_by_reindexing(
    chroma: ChromaProcess, tmp_path: Path
) -> None:
    host = filled(Host(tmp_path, vectors=chroma.url))
    by_meaning(host, 1)
    with collection_of(chroma) as (api, collection):
        api.delete_collection(collection.name)
        other = Collection(api, api.create_collection(collection.name), embedding_function=None)
        other.add(ids=["x"], embeddings=[[1.0, 2.0]])
    host.next_process()
    assert by_meaning(host, 17) == "goal number17 about subject3"
    assert "holds vectors of another kind (2 dimensions, space l2" in host.corpus.problems()[0]
    assert host.corpus.reindex()["project"] == 40
    by_meaning(host, 17)
    assert host.corpus.problems() == [] and held(host) == 40


def test_two_embedding_models_have_a_collection_each(chroma: ChromaProcess, tmp_path: Path) -> None:
    host = filled(Host(tmp_path, vectors=chroma.url))
    by_meaning(host, 1)
    wider = Host(tmp_path, vectors=chroma.url, dimension=128)
    assert by_meaning(wider, 17) == "goal number17 about subject3"
    assert held(wider) == held(host) == 40 and wider.corpus.problems() == []


class Stranger(http.server.BaseHTTPRequestHandler):
    """A server that is no Chroma, and keeps what it was sent."""

    status = 200
    asked: list[str | None] = []

    def answer(self) -> None:
        self.asked.append(self.headers.get("Authorization"))
        self.send_response(self.status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(b"<html>hello</html>")

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests' output is read by people."""


@pytest.mark.parametrize("status", [200, 302, 401, 404, 410, 500])
def test_another_program_is_told_and_given_the_login_that_was_named(tmp_path: Path, status: int) -> None:
    Stranger.status, Stranger.asked = status, []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"http://ann:hush%20hush@127.0.0.1:{server.server_port}"
            host = filled(Host(tmp_path, vectors=url), 3)
            assert by_meaning(host, 1) == "goal number1 about subject1"
            problems = [*host.corpus.problems(), host.corpus.stats()[0].problem]
        finally:
            server.shutdown()
            thread.join()
            close_indexes()
    assert all(f"127.0.0.1:{server.server_port} cannot be used" in problem for problem in problems)
    assert "hush" not in " ".join(problems)
    assert set(Stranger.asked) == {"Basic " + base64.b64encode(b"ann:hush hush").decode()}


def test_writers_and_the_server_are_killed_at_random(chroma: ChromaProcess, tmp_path: Path) -> None:
    chance = random.Random(5)
    acknowledged: set[str] = set()

    def start(number: int) -> Writer:
        return Writer(SEARCH, str(tmp_path), chroma.url, str(number), "100000")

    running = [start(number) for number in range(3)]
    for round_ in range(4):
        victim = chance.randrange(3)
        running[victim].wait_for(chance.randint(3, 30))
        acknowledged |= running[victim].kill()
        if round_ % 2:
            chroma.kill()
            running[victim - 1].wait_for(3)
            chroma.start()
        running[victim] = start(3 + victim + 3 * round_)
    for writer in running:
        acknowledged |= writer.kill()
    host = Host(tmp_path, vectors=chroma.url)
    texts = 0
    while texts != host.corpus.stats()[0].indexed:
        texts = host.corpus.stats()[0].indexed
        host.corpus.search("goal")
    assert acknowledged and acknowledged <= set(host.ids()) and set(Counter(host.ids()).values()) == {1}
    assert held(host) == host.corpus.stats()[0].texts == len(host.ids())
