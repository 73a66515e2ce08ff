"""Python as hypothesis writes it: every kind of statement and expression that complexity is counted by."""

from functools import cache
from textwrap import indent

from hypothesis import strategies as st

NAMES = st.sampled_from("a b count self value".split())


@cache
def expressions() -> st.SearchStrategy[str]:
    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join).map("({})".format),
            st.tuples(inner, inner, inner).map(lambda parts: "({} if {} else {})".format(*parts)),
            st.tuples(inner, inner).map(lambda parts: "[{} for a in b if {}]".format(*parts)),
            st.tuples(inner, inner).map(lambda parts: "{{{}: {} for a in b for c in d}}".format(*parts)),
            inner.map("(lambda a, b=1: {})".format),
            st.tuples(inner, inner).map(lambda parts: "f({}, *b, key={})".format(*parts)),
            inner.map("(not {})".format),
            inner.map("a[{}].b".format),
            st.tuples(inner, inner).map(lambda parts: "(\n    {},  # told\n\n    {},\n)".format(*parts)),
        )

    return st.recursive(st.one_of(NAMES, st.sampled_from(["1", "'s'", '"""x\n  y"""'])), larger, max_leaves=4)


@cache
def simple() -> st.SearchStrategy[str]:
    value = expressions()
    return st.one_of(
        value.map("a = {}".format),
        value.map("assert {}".format),
        value.map("b += {}".format),
        value.map("print({})".format),
        st.sampled_from(
            [
                "pass",
                "# told",
                "",
                '"""Doc."""',
                "'''Two\n\nlines.'''",
                "import os",
                "a = 1; b = 2",
                "x = 1  # told",
            ]
        ),
    )


def block(body: list[str]) -> str:
    return indent("\n".join([*body, "pass"]), "    ", lambda _: True)


def compound(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[str]:
    value, body = expressions(), inner.map(block)
    return st.one_of(
        st.tuples(value, body).map(lambda p: "if {}:\n{}".format(*p)),
        st.tuples(value, body, value, body, body).map(
            lambda p: "if {}:\n{}\nelif {}:\n{}\nelse:\n{}".format(*p)
        ),
        st.tuples(value, body, body).map(lambda p: "for a in {}:\n{}\nelse:\n{}".format(*p)),
        st.tuples(value, body).map(lambda p: "while {}:\n{}".format(*p)),
        st.tuples(value, body).map(lambda p: "with {} as c:\n{}".format(*p)),
        st.tuples(body, body, body, body).map(
            lambda p: "try:\n{}\nexcept A:\n{}\nexcept B:\n{}\nelse:\n{}\nfinally:\n    pass".format(*p)
        ),
        st.tuples(body, body).map(lambda p: "try:\n{}\nexcept* A:\n{}".format(*p)),
        st.tuples(value, body, value, body).map(
            lambda p: "match {}:\n    case 1:\n{}\n    case [x] if {}:\n{}\n    case _:\n        pass".format(
                p[0], indent(p[1], "    "), p[2], indent(p[3], "    ")
            )
        ),
        st.tuples(NAMES, value, body).map(lambda p: "@deco({1})\ndef {0}(x, *, y={1}):\n{2}".format(*p)),
        st.tuples(NAMES, body).map(lambda p: "async def {}():\n    async for z in w: pass\n{}".format(*p)),
        st.tuples(NAMES, value, body).map(lambda p: "class {}({}):\n{}".format(*p)),
    )


@cache
def modules() -> st.SearchStrategy[str]:
    """Text of a module that Python parses."""
    statements = st.recursive(
        st.lists(simple(), max_size=4),
        lambda inner: st.lists(st.one_of(simple(), compound(inner)), max_size=4),
        max_leaves=12,
    )
    return statements.map(lambda lines: "\n".join([*lines, ""]))
