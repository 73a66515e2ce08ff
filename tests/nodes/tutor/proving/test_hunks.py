"""What a comparison line by line shows of two files: which lines changed, and where all the others stand."""

import difflib

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.facts import Compared, Fact, Hunk, Hunks, Lines, Text
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict

texts = st.lists(st.sampled_from(["a", "b", "c = 1", "", "  d", "e"]), max_size=7)
OLD, NEW = "v1/f", "v2/f"


def written(lines: list[str], ended: bool) -> str:
    return "\n".join(lines) + ("\n" if ended and lines else "")


def compared(old: str, new: str) -> list[Fact]:
    """What `diff` shows, made by another way to compare."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    hunks = [
        Hunk(
            old_first=a + 1,
            old=tuple(line.removesuffix("\n") for line in before[a:b]),
            new_first=c + 1,
            new=tuple(line.removesuffix("\n") for line in after[c:d]),
            old_unended=b > a and not before[b - 1].endswith("\n"),
            new_unended=d > c and not after[d - 1].endswith("\n"),
        )
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]
    return [Compared(old=OLD, new=NEW, same=old == new), Hunks(old=OLD, new=NEW, hunks=tuple(hunks))]


def judged(claim: Claim, *facts: Fact) -> Verdict:
    return prove(claim, World({f"o{number}": [fact] for number, fact in enumerate(facts, 1)}))


@settings(deadline=None, max_examples=80)
@given(old=texts, new=texts, ended=st.tuples(st.booleans(), st.booleans()), back=st.booleans())
def test_one_version_and_the_difference_make_the_other(
    old: list[str], new: list[str], ended: tuple[bool, bool], back: bool
) -> None:
    one, other = written(old, ended[0]), written(new, ended[1])
    assume(one != other)
    seen, wanted = ((NEW, other), (OLD, one)) if back else ((OLD, one), (NEW, other))
    facts = [*compared(one, other), Text(path=seen[0], text=seen[1])]
    size = len(wanted[1].encode())
    for value, expected in ((size, "validated"), (size + 1, "refuted")):
        claim = Claim(predicate="count", subject=wanted[0], value=value, unit="bytes")
        assert judged(claim, *facts).status == expected
    claim = Claim(predicate="equals", subject=wanted[0], value=wanted[1])
    assert judged(claim, *facts).status == "validated"


@settings(deadline=None, max_examples=80)
@given(old=texts, new=texts, number=st.integers(1, 7))
def test_a_line_outside_of_all_hunks_is_the_same_in_both(old: list[str], new: list[str], number: int) -> None:
    one, other = written(old, True), written(new, True)
    assume(number <= len(old))
    facts: list[Fact] = [*compared(one, other), Lines(path=OLD, first=number, lines=(old[number - 1],))]
    for at, line in enumerate(new, 1):
        for text in {line, "a", "e"}:
            claim = Claim(predicate="equals", subject=f"{NEW}:{at}", value=text)
            status = judged(claim, *facts).status
            assert status in ("undecidable", "validated" if text == line else "refuted")


before = st.lists(st.sampled_from(["x", "y", ""]), max_size=4)


@settings(deadline=None, max_examples=80)
@given(above=before, below=before, back=st.booleans())
def test_a_hunk_shows_which_line_became_which(above: list[str], below: list[str], back: bool) -> None:
    one, other = (written([*above, line, *below], True) for line in ("port = 1", "port = 2"))
    facts = compared(one, other)
    scope = (NEW.removesuffix("/f"), OLD.removesuffix("/f")) if back else ("v1", "v2")
    right = ["port = 2", "port = 1"] if back else ["port = 1", "port = 2"]
    for pair, expected in (
        (right, "validated"),
        (right[::-1], "refuted"),
        ([right[0], right[0]], "refuted"),
        ([right[0], "x"], "refuted"),
        (["x", right[1]], "refuted"),
        ([right[0], None], "refuted"),
    ):
        claim = Claim(predicate="changed_between", subject="f", value=pair, unit="line", scope=scope)
        assert judged(claim, *facts).status == expected, pair
    whole = Claim(predicate="changed_between", subject="f", value=True, unit="file", scope=scope)
    seen = [Text(path=OLD, text=one), *facts]
    assert judged(whole, *seen).status == "validated"


def test_which_of_several_lines_became_which_is_open() -> None:
    hunks = Hunks(
        old=OLD,
        new=NEW,
        hunks=(Hunk(old_first=1, old=("left", "right"), new_first=1, new=("right!", "left!")),),
    )
    for pair in (["left", "right!"], ["left", "left!"]):
        claim = Claim(predicate="changed_between", subject="f", value=pair, unit="line", scope=("v1", "v2"))
        assert judged(claim, hunks).status == "undecidable"
