"""Code is one up to what its own names are called."""

import pytest

from nodes.contractive.reading.snippets import same_code

SUM = "def add(a, b):\n    total = a + b\n    return total"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("def add(x, y):\n    s = x + y\n    return s", True),
        ('def add(x, y):\n    """Add."""\n    # both\n    s = x + y\n    return s', True),
        ("def add(x, y):\n    s = y + x\n    return s", False),
        ("def add(x, y):\n    s = x - y\n    return s", False),
        ("def plus(x, y):\n    s = x + y\n    return s", False),
        ("def add(x, y):\n    s = x + x\n    return s", False),
        ("def add(x, y):\n    s = x + y\n    return total", False),
    ],
)
def test_bound_names_may_be_others_and_free_ones_may_not(other: str, same: bool) -> None:
    assert same_code(SUM, other) is same is same_code(other, SUM)


def test_what_a_function_changes_outside_keeps_its_name() -> None:
    one = "def f():\n    global n\n    n = 1"
    assert not same_code(one, one.replace("n", "m").replace("mo", "no"))
    assert not same_code("async def f(a):\n    await g(a)", "async def f(a):\n    await h(a)")
    assert same_code("async def f(a):\n    await g(a)", "async def f(b):\n    await g(b)")


@pytest.mark.parametrize("terms", [500, 3000])
def test_a_deep_sum_is_compared_by_its_tokens(terms: int) -> None:
    code = "x = " + "+".join(["1"] * terms)
    assert same_code(code, f"{code}  # so") and not same_code(code, f"{code}+1")
