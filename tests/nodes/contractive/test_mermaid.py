import re

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.mermaid import MOST_CHARACTERS, MOST_EDGES, label_text, shortened, to_mermaid
from nodes.contractive.state import Question
from tests.nodes.contractive.diagram import read
from tests.nodes.contractive.trees import question, towers

PIECES = (
    '"', "'", "`", "[", "]", "((", "{", "|", "-->", "end", "subgraph", "style a fill:#f9f;", "click q0",
    "<b>", "<script>", "&lt;", "#35;", "#quot;", "%%{init: {}}%%", "---\n", "\\n", "$$x$$", "fa:fa-car",
    "1. a", ":::", ";", "ﬂ°°34¶ß", "中文", "😀", "é", "e\u0301", "\x00", "\x1b[31m", "\x85", "\u202e",
    "\ufeff", "\ud800", "\ufffe", "שלום", "<br/>", "\u2028",
)  # fmt: skip
# Most texts of a person or a model are plain; these are those that are not.
NUMBER = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
nasty = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
names = st.lists(st.sampled_from(["0", "0.1", "0.2", "0.1.1", "9", ""]), max_size=3)
anything = st.builds(
    Question, id=st.sampled_from(["0", "0.1", "0.2", "0.1.1", "9"]),
    parent=st.sampled_from(["", "0", "0.1", "9"]), text=nasty, pruned=nasty, depends_on=names, children=names,
)  # fmt: skip


def test_a_tree_is_drawn_with_what_is_known_of_each_question() -> None:
    diagram = read(to_mermaid(towers().tree))
    assert diagram.labels["q0"] == [
        "0 By how much is tower A taller than tower B?",
        "DONE, entropy 0.64, support 43%",
        "= 12.5 m",
    ]
    assert diagram.labels["q1"][1] == "DONE, entropy 0.25, support 75%, minor revision"
    assert diagram.labels["q3"][2:] == ["no answer", "left out: relevance 0.08 below 0.15"]
    joints = {("q0", "q1"): "AND", ("q0", "q2"): "AND", ("q0", "q3"): "AND", ("q2", "q4"): "OR"}
    assert diagram.parts == joints and diagram.needs == {("q1", "q2")}
    assert diagram.classes == {"q3": "pruned", "q4": "unanswered"}


def test_the_json_of_a_tree_is_drawn_like_the_tree() -> None:
    state = towers()
    assert to_mermaid(state.model_dump(mode="json")["tree"]) == to_mermaid(state.tree)


@settings(max_examples=50)
@given(nasty)
def test_any_text_gives_a_diagram_that_shows_it(text: str) -> None:
    diagram = read(to_mermaid({"0": question("0", text, text)}))
    (label,) = diagram.labels.values()
    # A backslash of the text and one of a number look the same.
    seen = NUMBER.sub("", label[0].removeprefix("0").removeprefix(" ")).replace("\\", "")
    shown = "".join(filter(str.isprintable, seen.removesuffix("…")))
    wanted = "".join(filter(str.isprintable, NUMBER.sub("", " ".join(text.split())).replace("\\", "")))
    assert shown == wanted or (seen.endswith("…") and shown and wanted.startswith(shown))
    assert shown == wanted or len(text) > 50


@settings(max_examples=50)
@given(nasty)
def test_what_mermaid_reads_after_it_has_put_in_the_characters_stands_nowhere(text: str) -> None:
    shown = re.sub(r"#(\d+);", lambda code: chr(int(code[1])), label_text(text))
    assert not re.search(r"\\n|:fa-|\$\$|ﬂ°|¶ß", shown)


@settings(max_examples=50)
@given(st.lists(anything, max_size=6))
def test_any_tree_is_drawn_whole_whatever_hangs_where(questions: list[Question]) -> None:
    tree = {one.id: one for one in questions}
    assert len(read(to_mermaid(tree)).labels) == max(len(tree), 1)


def test_a_tree_larger_than_mermaid_takes_is_drawn_from_the_top() -> None:
    tree = {"0": question("0", "all of it")}
    tree |= {f"0.{n}": question(f"0.{n}", "()[]" * 2500, depends_on=["0.1"]) for n in range(1, 900)}
    text = to_mermaid(tree)
    diagram = read(text)
    drawn = len(diagram.labels) - 1
    assert 20 < drawn < 900 and len(text) <= MOST_CHARACTERS + 200
    assert diagram.labels["rest"] == [f"{900 - drawn} more questions are not drawn"]
    flat = {f"{n}": question(f"{n}", "x", depends_on=[f"{m}" for m in range(20)]) for n in range(900)}
    found = read(to_mermaid(flat))
    assert len(found.parts) + len(found.needs) <= MOST_EDGES and "rest" in found.labels


@settings(max_examples=50)
@given(nasty, st.integers(1, 40))
def test_a_text_is_cut_to_its_length_and_says_so(text: str, longest: int) -> None:
    cut = shortened(text * 50, longest)
    assert len(cut) <= longest and "\n" not in cut
    whole = " ".join((text * 50).split())
    assert cut == whole or (cut.endswith("…") and whole.startswith(cut[:-1]))
