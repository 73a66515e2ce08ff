from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from models.prompt_size import LEAST_CHARS, MESSAGE_TOKENS, estimate_tokens, fit

TEXTS = st.text(max_size=400)
SAID = st.text(min_size=1, max_size=400)


def conversation(system: str, examples: Sequence[tuple[str, str]], request: str) -> list[BaseMessage]:
    shots = [message for asked, said in examples for message in (HumanMessage(asked), AIMessage(said))]
    return [SystemMessage(system), *shots, HumanMessage(request)]


def total(messages: Sequence[BaseMessage]) -> int:
    return sum(estimate_tokens(str(message.text)) + MESSAGE_TOKENS for message in messages)


@given(TEXTS, st.lists(st.tuples(SAID, SAID), max_size=4), TEXTS, st.integers(200, 3000))
def test_what_is_kept_fits_or_cannot_be_made_shorter(
    system: str, examples: list[tuple[str, str]], request: str, tokens: int
) -> None:
    messages = conversation(system, examples, request)
    kept, cut = fit(messages, tokens)
    # Two messages of the least length, of characters that are 4 tokens each, and the marks within them.
    assert total(kept) <= max(tokens, 2 * (4 * LEAST_CHARS + 120))
    assert [type(kept[0]), type(kept[-1])] == [SystemMessage, HumanMessage]
    assert (cut == 0) == (kept == messages)


@given(TEXTS, st.lists(st.tuples(TEXTS, TEXTS), max_size=4), TEXTS)
def test_a_prompt_that_fits_stays_as_it_is(
    system: str, examples: list[tuple[str, str]], request: str
) -> None:
    messages = conversation(system, examples, request)
    assert fit(messages, total(messages)) == (messages, 0)


def test_the_oldest_example_goes_first_and_whole() -> None:
    messages = conversation("rules", [("first " * 50, "one"), ("second", "two")], "now")
    kept, cut = fit(messages, total(messages) - 1)
    assert [message.text for message in kept] == ["rules", "second", "two", "now"]
    assert cut == len("first " * 50) + len("one")


def test_the_longest_message_loses_its_middle_and_says_so() -> None:
    long = "".join(f"line {number}\n" for number in range(500))
    kept, cut = fit([SystemMessage("rules"), HumanMessage(long)], 300)
    text = str(kept[1].text)
    assert text.startswith("line 0\n") and text.endswith("line 499\n")
    assert f"[... {cut} characters left out ...]" in text
    assert total(kept) <= 300


def test_a_retry_keeps_request_reply_and_complaint() -> None:
    messages = [
        *conversation("rules", [("a " * 200, "b")], "the request"),
        AIMessage("bad"),
        HumanMessage("again"),
    ]
    kept, _ = fit(messages, 80, keep_last=3)
    assert [message.text for message in kept] == ["rules", "the request", "bad", "again"]


def test_without_system_text_examples_still_go_in_pairs() -> None:
    messages = [HumanMessage("a " * 200), AIMessage("b"), HumanMessage("request")]
    assert [message.text for message in fit(messages, 40)[0]] == ["request"]


@given(st.text(max_size=2000), st.text(max_size=2000))
def test_estimates_grow_with_the_text(one: str, other: str) -> None:
    assert estimate_tokens(one + other) >= max(estimate_tokens(one), estimate_tokens(other)) * 0.9


def test_digits_and_capitals_count_more_than_words() -> None:
    assert estimate_tokens("31415926" * 10) >= 80 > 40 >= estimate_tokens("word " * 20)
    assert estimate_tokens("XKCDQZWV") > estimate_tokens("abcdefgh")


FENCE = "=====0f0f====="


def evidence(*outputs: str) -> str:
    shown = "\n".join(f"$ command {number}\n{output}" for number, output in enumerate(outputs))
    return f"RULES\nGOAL\n{FENCE}\n{shown}\n{FENCE}\nLAST RULE"


def test_the_oldest_output_is_cut_first_and_rules_and_goal_stay() -> None:
    messages = [SystemMessage(evidence("old " * 200, "new " * 100)), HumanMessage("request")]
    kept, cut = fit(messages, 250)
    text = str(kept[0].text)
    assert text.startswith(f"RULES\nGOAL\n{FENCE}\n$ command 1\n") and text.endswith(f"{FENCE}\nLAST RULE")
    assert "old" not in text and text.count("new") == 100 and cut == len("$ command 0\n") + 801
    assert total(kept) <= 250


def test_of_the_last_output_the_middle_goes() -> None:
    lines = "\n".join(f"line {number}" for number in range(900))
    kept, cut = fit([SystemMessage(evidence(lines)), HumanMessage("request")], 300)
    text = str(kept[0].text)
    assert text.startswith(f"RULES\nGOAL\n{FENCE}\n$ command 0\nline 0\n") and "line 899\n" in text
    assert text.endswith("LAST RULE") and cut > 0 and total(kept) <= 300


@given(st.lists(st.text("ab \n", max_size=300), min_size=1, max_size=5), st.integers(100, 600))
def test_what_stands_outside_the_fences_is_never_cut_while_output_is_left(
    outputs: list[str], tokens: int
) -> None:
    kept, _ = fit([SystemMessage(evidence(*outputs)), HumanMessage("request")], tokens)
    text = str(kept[0].text)
    assert text.startswith("RULES\nGOAL\n") and text.endswith("LAST RULE") and kept[1].text == "request"
