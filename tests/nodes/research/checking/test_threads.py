"""Words are read by several threads at once: answers are compared beside the event loop."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import snowballstemmer

from nodes.research.checking import terms
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import cut

ENDINGS = ("ational", "ization", "fulness", "iveness", "ibility", "ously", "ments", "ingly")


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads take turns every few instructions, as on a busy machine over hours."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_stems_are_the_same_however_many_threads_ask(switching: None) -> None:
    alone = snowballstemmer.stemmer("english")
    made = [f"{chr(97 + a)}{chr(98 + b)}or{end}" for a in range(20) for b in range(12) for end in ENDINGS]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda word: stem.__wrapped__(word), [*made, *made]))
    assert found == [alone.stemWord(word) for word in [*made, *made]]


def test_chinese_is_cut_by_many_threads_while_the_dictionary_is_loaded(switching: None) -> None:
    terms._loaded.cache_clear()
    texts = [f"中国银行{sign}发布报告称今年利润增长" for sign in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉"]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: "".join(cut.__wrapped__(text)), [*texts, *texts]))
    assert found == [*texts, *texts]
