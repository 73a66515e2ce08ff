"""Random figures: fair roundings and conversions pass, changed digits, scales and units do not."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nodes.research.checking.checker import check_claim
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
FEW = settings(max_examples=5, deadline=None)
ENGLISH = ("The harbour of Ostmark handled {} last year.", "Last year the harbour of Ostmark handled {}.")
CHINESE = ("奧斯馬港去年的吞吐量為{}。", "去年奧斯馬港的吞吐量達{}。")
# Four digits that are no zeros: each of them is meant.
telling = st.integers(1_111, 9_999).filter(lambda value: "0" not in str(value))
zeros = st.integers(0, 4)


def passes(pair: tuple[str, str], held: str, told: str) -> bool:
    item = Item(
        url="https://figures.example/1",
        name="",
        site="figures.example",
        siteUrl="",
        description=pair[0].format(held),
        schema_object={"datePublished": "2024-05-02"},
    )
    return check_claim(pair[1].format(told), [item]).verdict not in FAILED


def rounded(value: int, figures: int) -> int:
    unit: int = 10 ** (len(str(value)) - figures)
    return (2 * value + unit) // (2 * unit) * unit


def beside(value: int, figures: int, *, above: bool) -> int:
    """The next number with so many digits above or below a value."""
    unit: int = 10 ** (len(str(value)) - figures)
    return (value // unit + (value % unit > 0 and above)) * unit


@given(telling, zeros)
@FEW
def test_a_hedge_may_round_to_its_own_side_only(digits: int, nothing: int) -> None:
    value = digits * 10**nothing
    above, below = beside(value, 2, above=True), beside(value, 2, above=False)
    # What lies nearly a whole step off is neither "nearly" nor "just over".
    assume(above - value <= 0.035 * above and value - below <= 0.035 * below)
    held = f"{value:,} tonnes"
    assert passes(ENGLISH, held, f"nearly {above:,} tonnes")
    assert passes(ENGLISH, held, f"just over {below:,} tonnes")
    assert passes(ENGLISH, held, f"more than {below:,} tonnes")
    assert not passes(ENGLISH, held, f"more than {above:,} tonnes")
    assert not passes(ENGLISH, held, f"nearly {below:,} tonnes")
    held = f"{value}公噸"
    assert passes(CHINESE, held, f"將近{above}公噸")
    assert passes(CHINESE, held, f"逾{below}公噸")
    assert not passes(CHINESE, held, f"不到{below}公噸")
    assert not passes(CHINESE, held, f"超過{above}公噸")


@given(telling, zeros)
@FEW
def test_an_approximate_number_may_have_fewer_digits(digits: int, nothing: int) -> None:
    value = digits * 10**nothing
    for figures in (2, 3):
        fair = rounded(value, figures)
        assert passes(ENGLISH, f"{value:,} tonnes", f"about {fair:,} tonnes")
        assert passes(CHINESE, f"{value:,}公噸", f"約{fair:,}公噸")
    fair = rounded(value, 3)
    assert passes(ENGLISH, f"{value:,} tonnes", f"{fair:,} tonnes")
    assert passes(CHINESE, f"{value:,}公噸", f"{fair:,}公噸")


@given(telling, zeros, st.integers(0, 3), st.integers(1, 8), st.sampled_from(["", "about ", "nearly "]))
@FEW
def test_a_changed_digit_is_caught(digits: int, nothing: int, place: int, by: int, hedge: str) -> None:
    old = str(digits)
    new = int(old[:place] + str((int(old[place]) - 1 + by) % 9 + 1) + old[place + 1 :])
    assume(new != digits)
    zero = 10**nothing
    assert not passes(ENGLISH, f"{digits * zero:,} tonnes", f"{hedge}{new * zero:,} tonnes")
    assert not passes(CHINESE, f"{digits}萬公噸", f"{'約' if hedge else ''}{new}萬公噸")


@given(telling)
@FEW
def test_scales_and_units_are_kept_or_caught(digits: int) -> None:
    held = f"{digits / 1000} million tonnes"
    assert passes(ENGLISH, held, f"{digits * 1000:,} tonnes")
    assert passes(ENGLISH, held, f"{digits * 1_000_000:,} kilograms")
    for wrong in (
        f"{digits / 1000} billion tonnes",
        f"{digits / 1000} million kilograms",
        f"{digits:,} tonnes",
    ):
        assert not passes(ENGLISH, held, wrong)
    held = f"{digits}萬公噸"
    assert passes(CHINESE, held, f"{digits / 10_000}億公噸")
    assert passes(CHINESE, held, f"{digits / 100}百萬公噸")
    for wrong in (f"{digits}億公噸", f"{digits}萬公斤", f"{digits}公噸"):
        assert not passes(CHINESE, held, wrong)


@given(telling, st.permutations(["euros", "kroner", "francs", "pesos", "zlotys", "rupees", "thalers", "yen"]))
@FEW
def test_money_keeps_its_name(digits: int, names: list[str]) -> None:
    amount = f"{digits / 1000} million"
    assert passes(ENGLISH, f"{amount} {names[0]}", f"{amount} {names[0]}")
    assert not passes(ENGLISH, f"{amount} {names[0]}", f"{amount} {names[1]}")


@given(st.integers(5, 300), st.integers(1, 59), st.integers(0, 9))
@FEW
def test_times_are_compared_to_the_last_digit(minutes: int, seconds: int, tenths: int) -> None:
    mark = f"{minutes}:{seconds:02}.{tenths}"
    worded = f"{minutes} minutes {seconds}.{tenths} seconds"
    pair = ("Ilves ran the course at Ostmark in {}.", "At Ostmark Ilves ran the course in {}.")
    assert passes(pair, mark, worded)
    other = f"{minutes}:{(seconds + 10) % 60:02}.{tenths}"
    assert not passes(pair, mark, other)
    assert not passes(pair, mark, f"{minutes}:{seconds:02}.{(tenths + 1) % 10}")
    chinese = ("選手在奧斯馬跑出{}的成績。", "在奧斯馬，選手的成績為{}。")
    assert passes(chinese, f"{minutes}分{seconds:02}秒{tenths}", mark)
    assert not passes(
        chinese, f"{minutes}分{seconds:02}秒{tenths}", f"{minutes}分{(seconds + 9) % 60:02}秒{tenths}"
    )
