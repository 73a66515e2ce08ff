"""Messages as a prompt for a base model, which continues worked examples instead of obeying instructions."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage

# A completion ends where it would begin another example.
STOPS = ("\nInput:", "\nOutput:", "\n\n\n", "<end_of_turn>")


def as_prompt(messages: Sequence[BaseMessage]) -> str:
    """System text first, then an Input and an Output block for each pair of messages, the last one open."""
    parts = []
    for message in messages:
        text = str(message.text)
        if message.type == "system":
            parts.append(f"{text}\n")
        elif message.type == "human":
            parts.append(f"Input: {text}")
        else:
            parts.append(f"Output: {text}\n")
    return "\n".join([*parts, "Output:"])
