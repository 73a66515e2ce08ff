/** A question of a run to a person: by its kind the form it is answered in. */
import { useEffect, useState } from "preact/hooks";

import type { Interrupt } from "../server/langgraph.ts";
import { announce } from "../parts/announcer.tsx";
import { JsonView } from "../parts/json_view.tsx";
import { Notice } from "../parts/notice.tsx";
import { Approval, type ApprovalQuestion } from "./approval.tsx";
import { Clarification, type ClarificationQuestion } from "./clarification.tsx";
import { GameMove, type MoveQuestion } from "./game_move.tsx";
import { Review, type ReviewQuestion } from "./review.tsx";

export interface QuestionProps<Value> {
  value: Value;
  busy: boolean;
  answer: (value: unknown) => void;
}

type Known = ApprovalQuestion | ReviewQuestion | ClarificationQuestion | MoveQuestion;

const TITLES: Record<string, string> = {
  approval: "A change waits for your approval",
  review: "An answer waits for your judgement",
  clarification: "The question may mean several things",
  clarify: "The question may mean several things",
  move: "Your move",
};

export function Question({ interrupt, busy, answer }: { interrupt: Interrupt; busy: boolean; answer: (value: unknown) => void }) {
  const value = interrupt.value as Known;
  const title = TITLES[value?.kind] ?? "The run waits for an answer";
  useEffect(() => announce(title), [title]);
  return (
    <section class="card question" aria-labelledby={`question-${interrupt.id}`}>
      <h2 id={`question-${interrupt.id}`}>
        {title}
      </h2>
      <Form value={value} busy={busy} answer={answer} />
    </section>
  );
}

function Form(props: QuestionProps<Known>) {
  const { value, busy, answer } = props;
  switch (value?.kind) {
    case "approval":
      return <Approval key={value.fingerprint} value={value} busy={busy} answer={answer} />;
    case "review":
      return <Review value={value} busy={busy} answer={answer} />;
    case "clarification":
    case "clarify":
      return <Clarification value={value} busy={busy} answer={answer} />;
    case "move":
      return <GameMove key={value.turn} value={value} busy={busy} answer={answer} />;
    default:
      return <AnyQuestion {...props} />;
  }
}

/** A question of a kind this page does not know: shown as it is, answered with JSON. */
function AnyQuestion({ value, busy, answer }: QuestionProps<unknown>) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      answer(JSON.parse(text));
    } catch (error) {
      setProblem(`This is no JSON: ${String(error)}`);
    }
  };
  return (
    <form onSubmit={submit}>
      <JsonView name="question" value={value} open />
      {problem && <Notice kind="bad" urgent>{problem}</Notice>}
      <label class="field">
        <span>Answer (JSON)</span>
        <textarea class="mono" rows={3} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={busy}>
        Answer
      </button>
    </form>
  );
}
