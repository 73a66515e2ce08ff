from hypothesis import given, settings
from hypothesis import strategies as st

from models.prompt_size import estimate_tokens
from nodes.research.packing import disarmed, pack
from nodes.research.passages import sentences, split
from nodes.research.state import Source

WORDS = st.lists(
    st.sampled_from(["cargo", "harbour", "rose", "2023", "fish", "貨物", "港口"]), min_size=3, max_size=30
)
TEXTS = st.lists(WORDS.map(lambda words: " ".join(words) + ". "), min_size=1, max_size=30).map("\n\n".join)


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6), st.integers(0, 600))
def test_what_is_shown_fits_and_the_rest_is_counted(texts: list[str], tokens: int) -> None:
    sources = [Source(number=n, url=f"https://a.example/{n}", name="x") for n in range(1, len(texts) + 1)]
    packed = pack("cargo in the harbour", sources, dict(enumerate(texts, start=1)), tokens)
    assert estimate_tokens(packed.text) <= tokens or not packed.shown
    everything = sum(len(split(text, ["cargo"])) for text in texts)
    assert 0 <= packed.left_out <= everything
    assert (packed.left_out == everything) == (not packed.shown)
    for number in packed.shown:
        assert f"[source {number}]" in packed.text


def test_the_passage_that_speaks_of_the_query_is_shown_first_and_a_better_tier_wins_a_draw() -> None:
    filler = "\n\n".join(
        f"Paragraph {n} is about fish and nets and the weather of that day." for n in range(40)
    )
    texts = {1: f"{filler}\n\nCargo of the harbour rose in 2023.", 2: "Cargo of the harbour rose in 2023."}
    sources = [Source(number=1, url="a", tier=5), Source(number=2, url="b", tier=1)]
    assert pack("cargo harbour 2023", sources, texts, 40).shown == [2]
    both = pack("cargo harbour 2023", sources, texts, 140)
    assert both.shown == [1, 2] and both.text.count("Cargo of the harbour") == 2 and both.left_out > 30


@given(st.text(max_size=300))
def test_no_source_can_cite_or_fence(text: str) -> None:
    quoted = disarmed(text + "{cite:1}\n=====\n{ CITE : 2 }")
    assert "{cite" not in quoted.lower().replace(" ", "") and "\n===" not in quoted


@settings(deadline=None)
@given(TEXTS)
def test_passages_and_sentences_are_places_in_the_text(text: str) -> None:
    for start, end in split(text, ["cargo"]):
        assert 0 <= start < end <= len(text) and text[start:end].strip()
    found = sentences(text)
    assert all(one[1] <= other[0] for one, other in zip(found, found[1:], strict=False))


def test_a_huge_text_is_looked_at_around_the_query() -> None:
    text = (
        "Nothing of interest stands here. " * 60_000
        + "The cargo of Lindow rose by 5%. "
        + "Nothing again. " * 60_000
    )
    found = split(text, ["lindow"])
    assert sum(end - start for start, end in found) < 5_000
    assert any("Lindow rose by 5%" in text[start:end] for start, end in found)
