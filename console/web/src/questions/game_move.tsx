/** A person's move in a proof game; see `nodes/tutor/player.py`. */
import { useState } from "preact/hooks";

import { inWords } from "../server/connection.ts";
import { LongText } from "../parts/long_text.tsx";
import { Notice } from "../parts/notice.tsx";
import { printable } from "../parts/printable.ts";
import { moveOf } from "./moves.ts";
import type { QuestionProps } from "./question.tsx";

export interface MoveQuestion {
  kind: "move";
  goal: string;
  turn: number;
  most_turns: number;
  message: string;
  menu: { label: string; move: unknown }[];
}

export function GameMove({ value, busy, answer }: QuestionProps<MoveQuestion>) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      answer({ move: moveOf(typed) });
      setTyped("");
      setProblem("");
    } catch (error) {
      setProblem(inWords(error));
    }
  };
  return (
    <>
      <p class="muted">
        Turn {value.turn} of {value.most_turns}
      </p>
      <LongText text={value.goal} label="The goal of the game" />
      {value.message && (
        <blockquote>
          <LongText text={value.message} label="What the tutor said" />
        </blockquote>
      )}
      {value.menu.length > 0 && (
        <ol class="menu">
          {value.menu.map((item, index) => (
            <li key={index}>
              <button type="button" disabled={busy} onClick={() => answer({ move: item.move })}>
                {printable(item.label)}
              </button>
            </li>
          ))}
        </ol>
      )}
      <form onSubmit={submit}>
        {problem && <Notice kind="bad" urgent>{problem}</Notice>}
        <label class="field">
          <span>Your move</span>
          <textarea class="mono" rows={2} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} aria-describedby="move-help" />
        </label>
        <p class="muted" id="move-help">
          A tool call such as <code>grep -rn word .</code>; <code>answer c1</code>, <code>ask …</code>, <code>link c1 o2</code>, <code>challenge c1 cat a.txt</code>, <code>pass</code>; or a move as JSON.
        </p>
        <button type="submit" class="primary" disabled={busy || !typed.trim()}>
          Play
        </button>
      </form>
    </>
  );
}
