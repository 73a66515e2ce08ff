import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from models.thinking import split_thinking

PLAIN = st.text(st.characters(exclude_characters="<>{", codec="utf-8"), max_size=80)


@given(PLAIN, PLAIN)
def test_tagged_thinking_leaves_the_answer(thought: str, answer: str) -> None:
    assert split_thinking(AIMessage(f"<think>{thought}</think>{answer}")) == (answer.strip(), thought.strip())


@given(PLAIN)
def test_an_answer_without_thinking_stays(answer: str) -> None:
    assert split_thinking(AIMessage(answer)) == (answer.strip(), "")


@pytest.mark.parametrize(
    ("text", "answer", "thinking"),
    [
        ("<think>never closed", "", "never closed"),
        ("was opened by the template</think>\nYes.", "Yes.", "was opened by the template"),
        ("<thinking>a</thinking>Yes<think>b</think>.", "Yes.", "a\nb"),
        ('<think>a</think>\n{"x": 1}', '{"x": 1}', "a"),
        ('{"x": 1}\n<think>or {"x": 2}?</think>', '{"x": 1}', 'or {"x": 2}?'),
        ('{"x": 1}<think>never closed', '{"x": 1}', "never closed"),
        ("<think>a<think>b</think>c</think>Yes.", "Yes.", "a<think>b\nc"),
        ("a</think>b</think>Yes.", "Yes.", "a\nb"),
        ("<THINK>a</THINK><reasoning>b</reasoning>Yes.", "Yes.", "a\nb"),
        ('opened before </think>{"x": "</think>"}', '{"x": "</think>"}', "opened before"),
        ('{"command": "grep \'<think>\' notes.txt"}', '{"command": "grep \'<think>\' notes.txt"}', ""),
    ],
)
def test_forms_models_use(text: str, answer: str, thinking: str) -> None:
    assert split_thinking(AIMessage(text)) == (answer, thinking)


def test_thinking_that_the_server_passes_apart_is_kept() -> None:
    message = AIMessage("Yes.", additional_kwargs={"reasoning_content": "hm"})
    assert split_thinking(message) == ("Yes.", "hm")


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<thinking>", "</thinking>", "a", "\n"]), max_size=12)
)
def test_no_tag_and_no_thought_is_left_in_an_answer(pieces: list[str]) -> None:
    answer, _ = split_thinking(AIMessage("".join(pieces)))
    assert "<think" not in answer
