import pytest

from nodes.research.stances import stances_of
from nodes.research.state import Finding, Source
from tools.search.items import Item

CLAIM = "Lindow Harbour handled 4.2 million tonnes of cargo in 2023."


QUERY = "How much cargo did Lindow Harbour handle in 2023?"


def stances(query: str, claim: str, *others: str, dates: tuple[str, ...] = ()) -> dict[str, str]:
    """The stance of each other source, by its last sign."""
    items = {
        n: Item.model_validate({"url": f"https://x.example/{n}", "name": "Notes", "description": text})
        for n, text in enumerate([claim, *others], 1)
    }
    days = [*dates, *[None] * (len(items) - len(dates))]
    sources = [
        Source(number=n, url=item.url, name=item.name, digest=item.digest, tier=1, date=days[n - 1])
        for n, item in items.items()
    ]
    span = {"url": items[1].url, "start": 0, "end": len(claim), "text": claim, "digest": items[1].digest}
    finding = Finding(sentence=claim.rstrip(".。") + " {cite:1}.", verdict="supported", spans=[span])
    (found,) = stances_of(query, [finding], sources, items)
    return {one.url[-1]: one.stance for one in found.stances if one.url != items[1].url}


@pytest.mark.parametrize(
    ("passage", "stance"),
    [
        ("Lindow Harbour handled 3.9 million tonnes of cargo in 2023.", "contradicts"),
        ("In 2023 Lindow Harbour handled 4.2 million tons of cargo.", "supports"),
        ("Westmere Harbour handled 3.9 million tonnes of cargo in 2023.", None),
        ("Lindow Harbour handled 3.1 million tonnes of cargo in 2019.", None),
        ("Lindow Harbour handled 310,000 passengers in 2023.", None),
        ("The mayor of Lindow opened a school in 2023.", None),
    ],
)
@pytest.mark.parametrize("query", [QUERY, "Tell me about harbours."])
def test_only_what_is_about_the_same_can_contradict(query: str, passage: str, stance: str | None) -> None:
    assert stances(query, CLAIM, passage).get("2") == stance


@pytest.mark.parametrize(
    ("query", "claim", "passage", "stance"),
    [
        (
            "觀瀾收容所2020年認養率是多少？",
            "觀瀾收容所2020年認養率為26.5%。",
            "托維克收容所2020年認養率為20.8%。",
            None,
        ),
        (
            "觀瀾收容所2020年認養率是多少？",
            "觀瀾收容所2020年認養率為26.5%。",
            "觀瀾收容所2020年認養率為20.8%。",
            "contradicts",
        ),
        (
            "When did Lindow Zoo open?",
            "Lindow Zoo opened on 4 May 2021.",
            "Lindow Zoo opened on 9 June 2022.",
            "contradicts",
        ),
        (
            "When did Lindow Zoo open?",
            "Lindow Zoo opened on 4 May 2021.",
            "Lindow Zoo opened on May 4, 2021.",
            "supports",
        ),
        (
            "Does Lindow Union support the ban?",
            "Lindow Union supports the ban.",
            "Lindow Union opposes the ban.",
            "contradicts",
        ),
    ],
)
def test_sides_of_one_question(query: str, claim: str, passage: str, stance: str | None) -> None:
    assert stances(query, claim, passage).get("2") == stance


def test_what_was_so_years_before_is_an_older_version_and_no_contradiction() -> None:
    query = "How many boats does Lindow Union have?"
    told = stances(
        query,
        "Lindow Union has 40 boats.",
        "Lindow Union has 72 boats.",
        "Lindow Union has 90 boats.",
        dates=("2024-05-01", "2019-02-01", "2024-02-01"),
    )
    assert told == {"2": "older", "3": "contradicts"}


def test_each_source_has_its_stance_and_copies_count_once() -> None:
    texts = [
        CLAIM,
        "Lindow Harbour handled 3.9 million tonnes of cargo in 2023.",
        CLAIM,
        "Fish is cheap in Westmere.",
    ]
    items = {
        n: Item.model_validate({"url": f"https://x.example/{n}", "description": text})
        for n, text in enumerate(texts, 1)
    }
    sources = [Source(number=n, url=item.url, digest=item.digest, tier=n) for n, item in items.items()]
    span = {"url": items[1].url, "start": 0, "end": len(CLAIM), "text": CLAIM, "digest": items[1].digest}
    finding = Finding(sentence=f"{CLAIM[:-1]} {{cite:1}}.", verdict="supported", spans=[span])
    (claim,) = stances_of(QUERY, [finding], sources, items)
    assert claim.disputed
    assert {(one.url[-1], one.stance): [url[-1] for url in one.copies] for one in claim.stances} == {
        ("1", "supports"): ["3"],
        ("2", "contradicts"): [],
    }
