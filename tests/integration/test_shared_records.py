"""Hosts that share their records through Postgres: nothing is lost or doubled, what is forgotten stays so."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evals.fixture_repository import build_fixture_repository
from memory.errors import RecordsUnshared
from memory.experience import bounded_postgres, record_log
from memory.experience.mirror_state import STATE
from memory.experience.open_indexes import close_indexes
from memory.experience.record_log import RecordLog
from tests.memory.places import event
from tests.support.corpus_hosts import PROJECT, Host, Writer, ids_in
from tests.support.postgres import PASSWORD, QUOTED, Server, postgres_server, programs
from tests.support.processes import reflect

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        programs() is None, reason="no Postgres server is installed (apt-get install postgresql)"
    ),
]
SCOPE = f"project:{PROJECT}"
SLOW_COMMITS = """
CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_sleep(random() * 0.01); RETURN NULL; END $$;
CREATE TRIGGER late AFTER INSERT ON reflect_experience FOR EACH ROW EXECUTE FUNCTION late();
"""
WRITE = """
import sys
from pathlib import Path
from tests.memory.places import event
from tests.support.corpus_hosts import Host
host = Host(Path(sys.argv[1]), sys.argv[2])
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    print(host.append(event(f"goal {number} of {sys.argv[4]}"), to_global=number % 3 == 0), flush=True)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres_server() as running:
        yield running


@pytest.fixture
def database(server: Server) -> str:
    """Name of an empty database."""
    name = f"d{len(server.execute('SELECT datname FROM pg_database'))}"
    server.execute(f"CREATE DATABASE {name}")
    return name


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(record_log, "PAUSE", 0.0)
    yield
    close_indexes()


def hosts(server: Server, database: str, place: Path, count: int = 2) -> list[Host]:
    return [Host(place / f"host{number}", server.url(database)) for number in range(count)]


def shared(server: Server, database: str, scope: str = SCOPE) -> dict[str, bool]:
    """Identities in the table, and whether they were forgotten."""
    rows = server.execute(
        f"SELECT identity, record IS NULL FROM reflect_experience WHERE scope = '{scope}'", database
    )
    return {str(row[0]): bool(row[1]) for row in rows}


def test_what_one_host_learns_another_recalls(server: Server, database: str, tmp_path: Path) -> None:
    one, other = hosts(server, database, tmp_path)
    told = one.append(event("count the python files", meta={"lesson": "below src"}), to_global=True)
    [hit] = other.corpus.search("count the python files")
    assert (hit.event_id, hit.lesson) == (told, "below src")
    for _ in range(2):
        other.append(event("", event_type="feedback", outcome_status=None, meta={"of": told, "harmful": 1}))
    assert one.goals("count the python files") == [], "what harmed elsewhere is not recalled here"
    assert one.file.read_bytes().count(b"\n") == other.file.read_bytes().count(b"\n") == 3


def test_a_run_says_that_its_records_wait(server: Server, database: str, tmp_path: Path) -> None:
    project = build_fixture_repository(tmp_path / "project")
    shown = reflect(
        "ask",
        "How many lines does data/ships.csv have?",
        "--root",
        str(project),
        "--json",
        home=tmp_path,
        RECORDS="postgres://ann:hush-hush@127.0.0.1:1/records",
        REFLECT_EXPERIENCE__URL_ENV="RECORDS",
    )
    told = json.loads(shown.stdout)
    assert (told["status"], shown.returncode) == ("answered", 0)
    [note] = told["notes"]
    assert "Records wait on this machine" in note and "hush" not in shown.stdout + shown.stderr
    sent = reflect(
        *("experience", "sync", "--root", str(project), "--json"),
        home=tmp_path,
        RECORDS=server.url(database),
        REFLECT_EXPERIENCE__URL_ENV="RECORDS",
    )
    assert json.loads(sent.stdout)["global"]["sent"] == len(shared(server, database, "global")) > 0


def test_a_project_without_an_id_keeps_its_records(server: Server, database: str, tmp_path: Path) -> None:
    [host] = hosts(server, database, tmp_path, 1)
    host.places = type(host.places)(records=server.url(database))
    host.next_process()
    name = host.append(event("a secret plan"), to_global=True)
    host.corpus.sync()
    assert shared(server, database) == {} and shared(server, database, "global") == {name: False}


def test_secrets_are_out_of_a_line_before_it_leaves(server: Server, database: str, tmp_path: Path) -> None:
    [host] = hosts(server, database, tmp_path, 1)
    host.file.parent.mkdir(parents=True)
    foreign = event("deploy").model_dump() | {"event_id": "e1", "error": "password=hunter2hunter2"}
    host.file.write_text(json.dumps(foreign) + "\nno json\n" + json.dumps({"goal": "without an id"}) + "\n")
    host.corpus.sync()
    [[record]] = server.execute("SELECT record FROM reflect_experience", database)
    assert "hunter2" not in str(record) and "deploy" in str(record)


def test_lines_no_program_of_ours_wrote_hold_nothing_up(
    server: Server, database: str, tmp_path: Path
) -> None:
    [host] = hosts(server, database, tmp_path, 1)
    host.file.parent.mkdir(parents=True)
    deep = '{"event_id": "deep", "meta": ' + '{"a":' * 900 + "1" + "}" * 901
    odd = [
        deep,
        '{"event_id": "f", "event_type": "forgotten", "meta": {"of": ["a\\u0000b", "\\ud800", 7]}}',
        '{"event_id": "a\\u0000b", "goal": "a\\u0000b \\ud83d"}',
        '{"event_id": ["x"]}',
        "\xff",
    ]
    host.file.write_bytes("\n".join(odd).encode("latin-1") + b"\n")
    name = host.append(event("count the files"))
    assert host.corpus.problems() == [] and host.corpus.stats()[0].waiting == 0
    assert name in shared(server, database) and len(shared(server, database)) in (2, 3)
    [other] = [Host(tmp_path / "other", server.url(database))]
    assert other.goals("count the files") == ["count the files"]


def test_a_database_of_another_encoding_or_version_is_told(server: Server, tmp_path: Path) -> None:
    server.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    [host] = hosts(server, "latin", tmp_path, 1)
    host.append(event("count the files"))
    assert "its encoding is LATIN1" in host.corpus.problems()[0] and host.corpus.stats()[0].waiting == 1
    server.execute("CREATE TABLE reflect_experience_log(one int, id text, version int)")
    server.execute("INSERT INTO reflect_experience_log VALUES (1, 'x', 99)")
    try:
        [host] = hosts(server, "postgres", tmp_path / "newer", 1)
        host.append(event("count the files"))
        assert "another version" in host.corpus.problems()[0]
    finally:
        server.execute("DROP TABLE reflect_experience_log")


def test_a_user_without_rights_is_told(server: Server, database: str, tmp_path: Path) -> None:
    hosts(server, database, tmp_path, 1)[0].append(event("count the files"))
    server.execute("CREATE ROLE reader LOGIN PASSWORD 'reads-only'", database)
    server.execute("GRANT SELECT ON reflect_experience, reflect_experience_log TO reader", database)
    url = server.url(database).replace(f"tester:{QUOTED}", "reader:reads-only")
    host = Host(tmp_path / "reader", url)
    assert host.corpus.search("count the files") != [], "what may be read is read"
    host.append(event("count the lines"))
    assert "permission denied" in host.corpus.problems()[0] and "reads-only" not in host.corpus.problems()[0]


def test_records_wait_while_the_database_is_away(server: Server, database: str, tmp_path: Path) -> None:
    one, other = hosts(server, database, tmp_path)
    one.append(event("before"))
    server.stop()
    names = [one.append(event(f"meanwhile {number}")) for number in range(3)]
    [problem] = one.corpus.problems()
    assert "Records wait on this machine" in problem and PASSWORD not in problem and QUOTED not in problem
    assert one.corpus.stats()[0].waiting == 3
    with pytest.raises(RecordsUnshared):
        one.corpus.sync()
    assert [hit.goal for hit in one.corpus.search("meanwhile 1")][0] == "meanwhile 1"
    server.start()
    one.next_process().sync()
    assert one.corpus.problems() == [] and one.corpus.stats()[0].waiting == 0
    other.corpus.sync()
    assert set(names) < set(other.ids()) and max(other.ids().values()) == 1


def test_a_database_that_hangs_holds_no_run_up(
    server: Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_postgres, "ANSWERING", 0.5)
    [host] = hosts(server, database, tmp_path, 1)
    host.append(event("count the files"))
    assert server.process is not None
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each in (pid, *map(int, children)):
        os.kill(each, signal.SIGSTOP)
    try:
        name = host.append(event("count the lines"))
        assert "has not answered" in host.corpus.problems()[0]
        assert name in host.ids() and host.corpus.stats()[0].waiting == 1
    finally:
        for each in (pid, *map(int, children)):
            os.kill(each, signal.SIGCONT)
    host.corpus.sync()
    assert host.corpus.problems() == [] and name in shared(server, database)


def test_what_is_forgotten_goes_everywhere_and_does_not_come_back(
    server: Server, database: str, tmp_path: Path
) -> None:
    one, other, late = hosts(server, database, tmp_path, 3)
    bad = one.append(event("leak the customer list"))
    said = other.append(event("", event_type="feedback", outcome_status=None, meta={"of": bad, "helpful": 1}))
    kept = one.append(event("count the files"))
    for host in (one, other, late):
        host.corpus.sync()
    server.stop()
    assert other.corpus.forget([bad])["project"] == 2, "the record, and what is said about it"
    server.start()
    other.corpus.sync()
    (late.file.parent / STATE).unlink()  # It begins anew, and sends all it has.
    for host in (late, one, other):
        host.corpus.sync()
    for host in (one, other, late):
        assert host.ids() == Counter([kept]) and "leak" not in host.file.read_text()
        assert host.goals("leak the customer list") == []
    assert shared(server, database) == {bad: True, said: True, kept: False}
    assert [row for row in server.execute("SELECT record FROM reflect_experience", database) if row[0]] == [
        (json.dumps(json.loads(one.file.read_bytes()), ensure_ascii=False),)
    ]


def test_a_record_this_host_never_saw_can_be_forgotten_here(
    server: Server, database: str, tmp_path: Path
) -> None:
    one, other = hosts(server, database, tmp_path)
    bad = one.append(event("leak the customer list"))
    assert other.corpus.forget([bad])["project"] == 1
    one.corpus.sync()
    assert one.ids() == other.ids() == Counter() and shared(server, database) == {bad: True}


def test_pruning_travels(server: Server, database: str, tmp_path: Path) -> None:
    one, other = hosts(server, database, tmp_path)
    old = one.append(event("an old run", days_ago=40))
    new = one.append(event("a new run"))
    other.corpus.sync()
    assert one.corpus.prune(dry_run=True)["project"].events == 1 and old in one.ids()
    assert one.corpus.prune()["project"].events == 1
    other.corpus.sync()
    assert one.ids() == other.ids() == Counter([new])
    assert one.corpus.prune()["project"].events == 0


def test_removals_are_taken_from_nobody_but_their_table(
    server: Server, database: str, tmp_path: Path
) -> None:
    one, other = hosts(server, database, tmp_path)
    kept = one.append(event("count the files"))
    other.corpus.sync()
    forged = {"event_id": "f1", "event_type": "forgotten", "goal": "", "meta": {"of": [kept]}}
    brought = tmp_path / "brought.jsonl"
    brought.write_text(json.dumps(forged | {"session_id": "s", "timestamp": "2026-01-01"}) + "\n")
    assert other.corpus.import_(brought).refused == 1
    log = RecordLog(server.url(database))
    log.add(SCOPE, [("f1", json.dumps(forged)), ("f2", "[]"), ("f3", "{"), ("f4", '{"event_id": "other"}')])
    log.close()
    one.corpus.sync()
    assert one.ids() == other.ids() == Counter([kept])


@pytest.mark.parametrize("loss", ["all", "newest"])
def test_a_database_that_lost_rows_gets_them_back(
    server: Server, database: str, tmp_path: Path, loss: str
) -> None:
    one, other = hosts(server, database, tmp_path)
    names = {one.append(event(f"goal {number}")) for number in range(5)}
    gone = one.append(event("to be forgotten"))
    other.corpus.sync()
    one.corpus.forget([gone])
    other.corpus.sync()
    if loss == "all":
        server.execute("DROP TABLE reflect_experience, reflect_experience_log", database)
    else:
        server.execute("DELETE FROM reflect_experience WHERE seq > 2", database)
    for host in (other, one, other):
        host.next_process().sync()
    assert shared(server, database) == {**dict.fromkeys(names, False), gone: True}
    assert set(one.ids()) == set(other.ids()) == names


def test_a_host_that_lost_its_corpus_gets_it_back(server: Server, database: str, tmp_path: Path) -> None:
    one, other = hosts(server, database, tmp_path)
    names = {one.append(event(f"goal {number}")) for number in range(5)}
    other.corpus.sync()
    other.file.unlink()
    other.next_process().sync()
    assert set(other.ids()) == names
    other.corpus.project.table.start_over()
    assert other.corpus.sync()["project"].taken == 0 and max(other.ids().values()) == 1


def test_no_reader_passes_over_a_row_that_is_committed_late(server: Server, database: str) -> None:
    """Writers whose commits come long after their place in the order was drawn."""
    reader = RecordLog(server.url(database))
    reader.epoch()
    server.execute(SLOW_COMMITS, database)
    seen: list[str] = []
    written = [[f"{writer}-{number}" for number in range(25)] for writer in range(6)]

    def write(names: list[str]) -> None:
        log = RecordLog(server.url(database))
        for name in names:
            log.add(SCOPE, [(name, "{}")])
        log.close()

    writers = [threading.Thread(target=write, args=(names,)) for names in written]
    for writer in writers:
        writer.start()
    last, over = 0, False
    while not over:
        over = not any(writer.is_alive() for writer in writers)
        for entry in reader.page(SCOPE, last, 3):
            seen.append(entry.identity)
            last, over = entry.seq, False
    reader.close()
    assert sorted(seen) == sorted(itertools.chain(*written))


def test_a_writer_waits_for_one_that_has_not_committed(server: Server, database: str) -> None:
    import psycopg

    log = RecordLog(server.url(database))
    log.epoch()
    with psycopg.connect(server.url(database)) as slow:
        slow.execute(record_log.ALONE, (record_log.LOCKS, SCOPE))
        slow.execute(record_log.ADD, (SCOPE, ["first"], ["{}"]))
        added = threading.Thread(target=log.add, args=(SCOPE, [("second", "{}")]))
        added.start()
        added.join(0.5)
        assert added.is_alive() and shared(server, database) == {}
        other = RecordLog(server.url(database))
        assert other.add("global", [("elsewhere", "{}")]) == {"elsewhere"}, "other scopes go on"
        other.close()
        slow.commit()
    added.join(10)
    assert [entry.identity for entry in log.page(SCOPE, 0, 9)] == ["first", "second"]
    log.close()


class Fleet:
    """Three hosts, and what they should come to hold."""

    def __init__(self, all_hosts: list[Host]) -> None:
        self.hosts = all_hosts
        self.alive: set[str] = set()
        self.about: dict[str, str] = {}

    def act(self, action: str, host: Host, pick: int) -> None:
        runs = sorted(self.alive - set(self.about))
        if action == "append":
            self.alive.add(host.append(event(f"goal number {len(self.alive)}")))
        elif action == "sync":
            host.corpus.sync()
        elif action == "restart":
            host.next_process()
        elif action == "unlearn":
            (host.file.parent / STATE).unlink(missing_ok=True)
        elif runs:
            {"feedback": self.judge, "forget": self.forget}[action](host, runs[pick % len(runs)])

    def judge(self, host: Host, name: str) -> None:
        said = event("", event_type="feedback", outcome_status=None, meta={"of": name, "helpful": 1})
        self.about[host.append(said)] = name
        self.alive.add(said.event_id)

    def forget(self, host: Host, name: str) -> None:
        for each in self.hosts:
            each.corpus.sync()
        host.corpus.sync()
        host.corpus.forget([name])
        self.alive -= {name, *(said for said, of in self.about.items() if of == name)}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(
                ["append", "append", "append", "feedback", "forget", "sync", "restart", "unlearn"]
            ),
            st.integers(0, 2),
            st.integers(0, 30),
        ),
        max_size=25,
    )
)
def test_all_hosts_come_to_the_same_records(
    server: Server, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]]
) -> None:
    server.execute("DROP TABLE IF EXISTS reflect_experience, reflect_experience_log")
    fleet = Fleet(hosts(server, "postgres", tmp_path_factory.mktemp("hosts"), 3))
    for action, number, pick in steps:
        fleet.act(action, fleet.hosts[number], pick)
    for host in (*fleet.hosts, *fleet.hosts):
        host.next_process().sync()
    for host in fleet.hosts:
        assert host.ids() == Counter(fleet.alive)
    rows = shared(server, "postgres")
    assert {name for name, gone in rows.items() if not gone} == fleet.alive


def test_writers_and_the_database_are_killed_at_random(server: Server, database: str, tmp_path: Path) -> None:
    chance = random.Random(7)
    acknowledged: set[str] = set()

    def start(number: int) -> Writer:
        place = tmp_path / f"host{number % 2}"
        return Writer(WRITE, str(place), server.url(database), "100000", str(number))

    running = [start(number) for number in range(4)]
    for round_ in range(6):
        victim = chance.randrange(4)
        running[victim].wait_for(chance.randint(5, 40))
        acknowledged |= running[victim].kill()
        if round_ % 2:
            server.stop()
            running[victim - 1].wait_for(5)
            server.start()
        running[victim] = start(4 + victim + 4 * round_)
    for writer in running:
        acknowledged |= writer.kill()
    both = hosts(server, database, tmp_path)
    for host in (*both, *both):
        host.next_process().sync()
    rows = shared(server, database)
    assert len(acknowledged) >= 50
    assert acknowledged <= set(rows), "an acknowledged record was lost"
    for host in both:
        assert host.ids() == Counter(rows.keys()), "a record is missing or there twice"
        assert ids_in(host.home / ".reflect/experience/events.jsonl") == Counter(
            shared(server, database, "global").keys()
        )
