from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from models.completion_prompt import STOPS, as_prompt


def test_messages_become_worked_examples_with_the_last_one_open() -> None:
    messages = [SystemMessage("Label it."), HumanMessage("hi"), AIMessage("bypass"), HumanMessage("count")]
    assert as_prompt(messages) == "Label it.\n\nInput: hi\nOutput: bypass\n\nInput: count\nOutput:"


def test_a_completion_ends_before_it_invents_the_next_example() -> None:
    assert "\nInput:" in STOPS
