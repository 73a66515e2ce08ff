/** A change that waits for a person; see `nodes/reflective/effects.py`. What they see is the change itself. */
import { useState } from "preact/hooks";

import { Notice } from "../parts/notice.tsx";
import { printable } from "../parts/printable.ts";
import { Diff } from "./diff.tsx";
import type { QuestionProps } from "./question.tsx";

export interface ApprovalQuestion {
  kind: "approval";
  description: string;
  tool: string;
  args: Record<string, unknown>;
  summary: string;
  preview: string;
  fingerprint: string;
  problem: string;
  decisions: string[];
}

type Asking = "" | "edit" | "reject";

export function Approval({ value, busy, answer }: QuestionProps<ApprovalQuestion>) {
  const [asking, setAsking] = useState<Asking>("");
  const may = (decision: string) => value.decisions.includes(decision);
  const decide = (decision: string, more: object = {}) => answer({ decision, fingerprint: value.fingerprint, ...more });
  return (
    <>
      {value.problem && <Notice kind="warn">{printable(value.problem)}</Notice>}
      <p>
        <strong>{printable(value.summary)}</strong>
        <br />
        <span class="muted">
          {printable(value.description)} ({value.tool})
        </span>
      </p>
      <Diff text={value.preview} />
      <div class="buttons">
        {may("approve") && (
          <button type="button" class="primary" disabled={busy} onClick={() => decide("approve")}>
            Approve
          </button>
        )}
        {may("edit") && (
          <button type="button" disabled={busy} aria-expanded={asking === "edit"} onClick={() => setAsking(asking === "edit" ? "" : "edit")}>
            Edit…
          </button>
        )}
        {may("reject") && (
          <button type="button" class="danger" disabled={busy} aria-expanded={asking === "reject"} onClick={() => setAsking(asking === "reject" ? "" : "reject")}>
            Reject…
          </button>
        )}
        {may("always") && (
          <button type="button" class="quiet" disabled={busy} onClick={() => decide("always")}>
            Approve {value.tool} for the whole run
          </button>
        )}
      </div>
      {asking === "edit" && <Edited args={value.args} busy={busy} send={(args) => decide("edit", { args })} />}
      {asking === "reject" && <Why label="Reject" busy={busy} send={(reason) => decide("reject", { reason })} />}
    </>
  );
}

/** A reason, which may be empty. */
export function Why({ label, busy, send }: { label: string; busy: boolean; send: (reason: string) => void }) {
  const [reason, setReason] = useState("");
  return (
    <form class="inset" onSubmit={(event) => (event.preventDefault(), send(reason))}>
      <label class="field">
        <span>Why (may be empty)</span>
        <input type="text" value={reason} maxLength={1000} autoFocus onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <button type="submit" class="danger" disabled={busy}>
        {label}
      </button>
    </form>
  );
}

/** The arguments of a call: texts as they are, all else as JSON. */
function Edited({ args, busy, send }: { args: Record<string, unknown>; busy: boolean; send: (args: Record<string, unknown>) => void }) {
  const [given, setGiven] = useState(() => Object.entries(args).map(([name, value]) => ({ name, text: typeof value === "string" ? value : JSON.stringify(value), json: typeof value !== "string" })));
  const [problem, setProblem] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    const read: Record<string, unknown> = {};
    for (const { name, text, json } of given) {
      try {
        read[name] = json ? JSON.parse(text) : text;
      } catch (error) {
        setProblem(`${name} is no JSON: ${String(error)}`);
        return;
      }
    }
    send(read);
  };
  return (
    <form class="inset" onSubmit={submit}>
      {problem && <Notice kind="bad" urgent>{problem}</Notice>}
      {given.map((one, index) => (
        <label class="field" key={one.name}>
          <span>
            {one.name} {one.json && <span class="muted">(JSON)</span>}
          </span>
          <textarea
            class="mono"
            rows={Math.min(14, one.text.split("\n").length + 1)}
            value={one.text}
            onInput={(event) => {
              const text = event.currentTarget.value;
              setGiven(given.map((other, place) => (place === index ? { ...other, text } : other)));
            }}
          />
        </label>
      ))}
      <p class="muted">What the new arguments would do is shown next, and asked about again.</p>
      <button type="submit" class="primary" disabled={busy}>
        Use these arguments
      </button>
    </form>
  );
}
