import asyncio
import json
import os
from pathlib import Path

import pytest

from configs.research import SearchSettings
from tests.tools.search.extraction.pages import page, pdf
from tools.errors import SearchUnavailable
from tools.search.extraction.document import Extracted, Unreadable
from tools.search.extraction.reading import Limits, read_document
from tools.search.folder import FolderBackend
from tools.search.folder_scan import DATE_SOURCE, MODIFIED
from tools.search.index.corpus_search import RETRIEVAL
from tools.search.index.schema import VERSION
from tools.search.items import Item

WORDS = SearchSettings(embedder="none")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "中央社").mkdir(parents=True)
    (folder / "中央社" / "訂單 (1).md").write_text(
        "---\ndate: 2024-10-21\n---\n第三季外銷訂單年增5.2%。", "utf-8"
    )
    (folder / "ferry.md").write_text(
        "# Ferry\n\nThe ferry terminal will open in 2027.\n\nIt costs 55 million.", "utf-8"
    )
    (folder / "page.html").write_bytes(page("<p>The new library opened its doors on Monday.</p>"))
    pdf(folder / "port.pdf", "The port handled 1204 ships.")
    return folder


def backend(corpus: Path, settings: SearchSettings = WORDS) -> FolderBackend:
    return FolderBackend(corpus, corpus.parent / "index", settings, ("node_modules",))


def find(corpus: Path, query: str, settings: SearchSettings = WORDS) -> list[Item]:
    searched = backend(corpus, settings)
    try:
        return asyncio.run(searched.search(query, 5))
    finally:
        searched.close()


def notes(corpus: Path, query: str = "ships") -> list[str]:
    searched = backend(corpus)
    asyncio.run(searched.search(query, 5))
    searched.close()
    return list(searched.notes)


def index_file(corpus: Path) -> Path:
    return corpus.parent / "index" / f"index-{VERSION}.sqlite"


@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("外銷訂單的年增率是多少", "中央社/訂單%20%281%29.md"), ("外销订单", "中央社/訂單%20%281%29.md"),
        ("when will the ferry terminal open", "ferry.md"), ("port ships", "port.pdf"),
        ("library", "page.html"),
    ],
)  # fmt: skip
def test_every_kind_of_file_is_found_by_what_it_says(corpus: Path, query: str, url: str) -> None:
    found = find(corpus, query)
    assert found[0].url == url
    assert 0 < found[0].score <= 100


def test_a_document_tells_its_site_its_date_and_where_the_words_stand(corpus: Path) -> None:
    item = find(corpus, "第三季外銷訂單")[0]
    assert (item.site, item.date, item.language) == ("中央社", "2024-10-21", "zh")
    (place,) = item.schema_object[RETRIEVAL]["passages"]
    assert item.description[place["start"] : place["end"]] == "第三季外銷訂單年增5.2%。"


def test_a_file_time_is_no_date_of_publication(corpus: Path) -> None:
    os.utime(corpus / "ferry.md", (1_700_000_000, 1_700_000_000))
    item = find(corpus, "ferry")[0]
    assert item.date is None
    assert (item.schema_object[MODIFIED], item.schema_object[DATE_SOURCE]) == ("2023-11-14", "file time")


def test_what_changes_is_found_anew_and_what_goes_is_forgotten(corpus: Path) -> None:
    assert find(corpus, "ferry") and not find(corpus, "airport")
    (corpus / "ferry.md").write_text("The airport is closed.", "utf-8")
    (corpus / "port.pdf").unlink()
    assert find(corpus, "airport")[0].url == "ferry.md"
    assert find(corpus, "terminal") == find(corpus, "port ships") == []


def test_only_changed_files_are_read_again(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find(corpus, "ferry")
    read: list[str] = []

    def counting(path: Path, limits: Limits) -> Extracted:
        read.append(path.name)
        return read_document(path, limits)

    monkeypatch.setattr("tools.search.folder_scan.read_document", counting)
    (corpus / "ferry.md").touch()
    find(corpus, "ferry")
    assert read == []
    (corpus / "ferry.md").write_text("New.", "utf-8")
    (corpus / "another.txt").write_text("Another.", "utf-8")
    find(corpus, "ferry")
    assert sorted(read) == ["another.txt", "ferry.md"]


def test_every_file_that_cannot_be_read_is_told_and_none_is_fatal(corpus: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret ships")
    (corpus / "link.txt").symlink_to(secret)
    (corpus / "out").symlink_to(tmp_path)
    (corpus / "empty.md").write_text("")
    (corpus / "broken.pdf").write_text("%PDF-1.4 nothing")
    (corpus / "binary.txt").write_bytes(b"\0\1\2")
    (corpus / "photo.jpg").write_bytes(b"\xff\xd8")
    (corpus / "node_modules").mkdir()
    (corpus / "node_modules" / "readme.md").write_text("ships ships ships")
    os.mkfifo(corpus / "pipe.md")
    (corpus / os.fsdecode(b"bad\xff.md")).write_text("ships with a strange name")
    told = "\n".join(notes(corpus))
    for name in ("empty.md", "broken.pdf", "binary.txt", "pipe.md", ".jpg", "Links"):
        assert name in told, name
    assert [item.url for item in find(corpus, "ships")] == ["bad%FF.md", "port.pdf"]


def test_a_file_that_could_not_be_read_is_looked_at_again(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: Path, limits: Limits) -> Extracted:
        raise Unreadable("cannot be read (Input/output error)")

    with monkeypatch.context() as patched:
        patched.setattr("tools.search.folder_scan.read_document", failing)
        patched.setattr("tools.search.folder_scan._digest", lambda path, limits: "error 5")
        assert find(corpus, "ferry") == []
    assert find(corpus, "ferry")[0].url == "ferry.md"


def test_an_empty_folder_finds_nothing_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    assert find(tmp_path / "corpus", "anything") == []
    assert "The corpus holds no document that could be read." in notes(tmp_path / "corpus")


def test_a_query_in_a_language_without_documents_says_so(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.md").write_text(
        "The ferry of the town was late, and it was not the first time."
    )
    assert any("'zh'" in note and "en only" in note for note in notes(tmp_path / "corpus", "渡輪為何誤點"))


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SearchUnavailable, match="is not a folder"):
        FolderBackend(tmp_path / "none", None, WORDS)


@pytest.mark.parametrize("damage", [b"", b"no database at all, but long enough to look at" * 100])
def test_a_damaged_index_is_made_anew(corpus: Path, damage: bytes) -> None:
    find(corpus, "ferry")
    index_file(corpus).write_bytes(damage)
    assert find(corpus, "ferry")[0].url == "ferry.md"


def test_an_index_damaged_inside_is_made_anew(corpus: Path) -> None:
    find(corpus, "ferry")
    file = index_file(corpus)
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    file.write_bytes(content)
    assert find(corpus, "ferry")[0].url == "ferry.md"


def test_an_index_that_cannot_be_kept_is_kept_in_memory_and_told(corpus: Path) -> None:
    (corpus.parent / "index").write_text("a file is in the way")
    searched = backend(corpus)
    assert asyncio.run(searched.search("ferry", 5))[0].url == "ferry.md"
    assert any("in memory" in note for note in searched.notes)


def test_a_link_in_place_of_the_index_is_not_written_through(corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_bytes(b"mine")
    (tmp_path / "index").mkdir()
    index_file(corpus).symlink_to(target)
    assert find(corpus, "ferry")[0].url == "ferry.md"
    assert target.read_bytes() == b"mine"


@pytest.mark.parametrize("beside", ["", "-wal", "-shm", "-journal", "folder"])
def test_no_link_in_or_of_the_folder_of_an_index_is_written_through(
    corpus: Path, tmp_path: Path, beside: str
) -> None:
    target, index = tmp_path / "elsewhere", tmp_path / "index"
    if beside == "folder":
        target.mkdir()
        index.symlink_to(target)
    else:
        target.write_bytes(b"mine")
        index.mkdir()
        index_file(corpus).with_name(index_file(corpus).name + beside).symlink_to(target)
    assert any("is a link" in note for note in notes(corpus, "ferry"))
    assert target.read_bytes() == b"mine" if target.is_file() else not any(target.iterdir())


def test_a_long_document_becomes_parts_that_tell_their_place(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.search.index.document_index.LONGEST", 2_000)
    lines = [f"Line {n} tells of topic{n} and nothing else that matters." for n in range(200)]
    text = "\n".join(lines)
    (corpus / "long.txt").write_text(text)
    item = find(corpus, "topic150")[0]
    assert item.url.startswith("long.txt#part=")
    assert item.schema_object["isPartOf"] == "long.txt"
    offset = item.schema_object["_offset"]
    assert text[offset : offset + len(item.description)] == item.description
    assert lines[150] in item.description


@pytest.mark.parametrize("date", ["2023-01-01", "2030-01-01"])
def test_a_file_displaces_no_other_by_naming_its_address(corpus: Path, date: str) -> None:
    address = '<link rel="canonical" href="https://a.example/bridge">'
    (corpus / "official.html").write_bytes(page("<p>The bridge cost 40 million.</p>", address))
    told = "The bridge cost 60 million. " + "It is said to be a bridge of great length and beauty. " * 20
    (corpus / "other.md").write_text(f"---\nurl: https://a.example/bridge\ndate: {date}\n---\n{told}")
    found = {item.url: item for item in find(corpus, "bridge")}
    assert {"official.html", "other.md"} <= set(found)
    assert {found[name].says_from for name in ("official.html", "other.md")} == {"https://a.example/bridge"}
    assert {found[name].site for name in ("official.html", "other.md")} == {"corpus"}
    assert not any("different texts" in note for note in notes(corpus, "bridge"))


def test_files_that_name_one_address_are_told_as_what_they_are(corpus: Path) -> None:
    for name, date, text in (("old", "2023-01-01", "It costs 40."), ("new", "2024-01-01", "It costs 60.")):
        front = f"---\nurl: https://a.example/bridge\ndate: {date}\n---\n"
        (corpus / f"{name}.md").write_text(f"{front}The bridge was planned. {text}")
    found = find(corpus, "bridge")
    assert {(item.url, item.date) for item in found} == {("old.md", "2023-01-01"), ("new.md", "2024-01-01")}


def test_an_item_is_json_through_and_through(corpus: Path) -> None:
    for item in find(corpus, "the ferry and the port"):
        assert Item.model_validate(json.loads(json.dumps(item.dump()))) == item


def test_the_logs_of_runs_are_no_documents_and_are_not_counted(corpus: Path) -> None:
    logs = corpus / "data" / "reasoning" / "iterations"
    (logs / "run").mkdir(parents=True)
    (logs / "run" / "manifest.json").write_text("{}", "utf-8")
    (logs / "run" / "draft.md").write_text("The ferry terminal will open in 1999.", "utf-8")
    (corpus / "data" / "notes.md").write_text("The ferry terminal has two piers.", "utf-8")
    search = FolderBackend(corpus, None, WORDS, (), logs)
    found = asyncio.run(search.search("When will the ferry terminal open?", 10))
    assert {"ferry.md", "data/notes.md"} <= {item.url for item in found}
    assert not any("iterations" in item.url for item in found)
    assert not any("left aside" in note for note in search.notes)
    search.close()
