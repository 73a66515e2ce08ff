import pytest

from nodes.research.stances import same_matter, stances_of
from nodes.research.state import Finding, Source
from tools.search.items import Item

CLAIM = "Lindow Harbour handled 4.2 million tonnes of cargo in 2023."


@pytest.mark.parametrize(
    ("passage", "same"),
    [
        ("Lindow Harbour handled 3.9 million tonnes of cargo in 2023.", True),
        ("Westmere Harbour handled 3.9 million tonnes of cargo in 2023.", False),
        ("Lindow Harbour handled 3.1 million tonnes of cargo in 2019.", False),
        ("The mayor of Lindow opened a school in 2023.", False),
    ],
)
def test_only_what_is_about_the_same_can_contradict(passage: str, same: bool) -> None:
    assert same_matter(CLAIM, passage) is same


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
    (claim,) = stances_of([finding], sources, items)
    assert claim.disputed
    assert {(one.url[-1], one.stance): [url[-1] for url in one.copies] for one in claim.stances} == {
        ("1", "supports"): ["3"],
        ("2", "contradicts"): [],
    }
