/** An answer of low confidence, put to a person before it is given; see `nodes/reflective/review.py`. */
import { useState } from "preact/hooks";

import { LongText } from "../parts/long_text.tsx";
import { Notice } from "../parts/notice.tsx";
import { printable } from "../parts/printable.ts";
import { Why } from "./approval.tsx";
import type { QuestionProps } from "./question.tsx";

export interface ReviewQuestion {
  kind: "review";
  summary: string;
  preview: string;
  doubts: string[];
  evidence: { command: string; returncode: number; text: string }[];
  problem: string;
  decisions: string[];
}

type Asking = "" | "instead" | "reject";

export function Review({ value, busy, answer }: QuestionProps<ReviewQuestion>) {
  const [asking, setAsking] = useState<Asking>("");
  const toggle = (what: Asking) => setAsking(asking === what ? "" : what);
  return (
    <>
      {value.problem && <Notice kind="warn">{printable(value.problem)}</Notice>}
      <p>
        <strong>{printable(value.summary)}</strong>
      </p>
      <blockquote>
        <LongText text={value.preview} label="The answer as it would be given" />
      </blockquote>
      {value.doubts.length > 0 && <Notice kind="warn">In doubt: {printable(value.doubts.join(", "))}</Notice>}
      {value.evidence.map((one, index) => (
        <details key={index}>
          <summary class="mono">
            $ {printable(one.command)} (exit {one.returncode})
          </summary>
          <LongText text={one.text} mono label="Output" />
        </details>
      ))}
      <div class="buttons">
        <button type="button" class="primary" disabled={busy} onClick={() => answer({ decision: "accept" })}>
          Accept
        </button>
        <button type="button" disabled={busy} aria-expanded={asking === "instead"} onClick={() => toggle("instead")}>
          Say what to do instead…
        </button>
        <button type="button" class="danger" disabled={busy} aria-expanded={asking === "reject"} onClick={() => toggle("reject")}>
          Reject…
        </button>
      </div>
      {asking === "reject" && <Why label="Reject" busy={busy} send={(reason) => answer({ decision: "reject", reason })} />}
      {asking === "instead" && <Instead busy={busy} send={(instead) => answer({ decision: "instead", instead })} />}
    </>
  );
}

function Instead({ busy, send }: { busy: boolean; send: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form class="inset" onSubmit={(event) => (event.preventDefault(), text.trim() && send(text))}>
      <label class="field">
        <span>What to do instead</span>
        <textarea rows={3} required maxLength={4000} autoFocus value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={busy || !text.trim()}>
        Do this instead
      </button>
    </form>
  );
}
