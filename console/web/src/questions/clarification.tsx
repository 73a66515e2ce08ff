/** What an ambiguous question means; `nodes/research/clarify.py` and `nodes/contractive/clarify.py` ask. */
import { useState } from "preact/hooks";

import { printable } from "../parts/printable.ts";
import type { QuestionProps } from "./question.tsx";

/** Deep research offers options and "all"; contractive reasoning offers readings, the last "as asked". */
export type ClarificationQuestion =
  | { kind: "clarification"; query: string; question: string; options: { label: string }[]; all: string }
  | { kind: "clarify"; question: string; readings: string[] };

const OWN = -1;

export function Clarification({ value, busy, answer }: QuestionProps<ClarificationQuestion>) {
  const research = value.kind === "clarification";
  const readings = research ? value.options.map((one) => one.label) : value.readings;
  const [choice, setChoice] = useState(0);
  const [own, setOwn] = useState("");
  const chosen = choice === OWN ? own.trim() : (readings[choice] ?? (research ? value.all : ""));
  const submit = (event: Event) => {
    event.preventDefault();
    if (chosen) answer(research ? { option: chosen } : { reading: chosen });
  };
  const options = research ? [...readings, "All of these"] : readings;
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>{printable(research ? value.question : `What does this mean: ${value.question}`)}</legend>
        {options.map((label, index) => (
          <label class="choice" key={index}>
            <input type="radio" name="reading" checked={choice === index} onChange={() => setChoice(index)} />
            <span>{printable(label)}</span>
          </label>
        ))}
        {!research && (
          <label class="choice">
            <input type="radio" name="reading" checked={choice === OWN} onChange={() => setChoice(OWN)} />
            <span>In your own words</span>
          </label>
        )}
      </fieldset>
      {choice === OWN && (
        <label class="field">
          <span>What it means</span>
          <input type="text" value={own} maxLength={1000} onInput={(event) => setOwn(event.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="primary" disabled={busy || !chosen}>
        Go on with this
      </button>
    </form>
  );
}
