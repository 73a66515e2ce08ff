/** What a run says while it goes on, line by line, and the words of a model as they come. */
import { useLayoutEffect, useRef } from "preact/hooks";

import { printable } from "../parts/printable.ts";
import type { Draft, NumberedLine } from "./progress.ts";

const NEAR_END = 40;

export function LogPanel({ lines, active }: { lines: NumberedLine[]; active: boolean }) {
  const room = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const last = lines.at(-1)?.number;
  // Who has scrolled up reads something, and is not taken away from it.
  useLayoutEffect(() => {
    if (room.current && follows.current) room.current.scrollTop = room.current.scrollHeight;
  }, [last]);
  if (!lines.length && !active) return null;
  const first = lines[0]?.number ?? 1;
  return (
    <section class="card" aria-labelledby="progress">
      <h2 id="progress">Progress</h2>
      <div
        class={active ? "log live" : "log"}
        ref={room}
        tabIndex={0}
        role="group"
        aria-label="Progress of the run, line by line"
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
        }}
      >
        {first > 1 && <div class="muted">{first - 1} earlier lines are in the trace.</div>}
        {lines.map((line) => (
          <div key={line.number} data-place={line.place} class={`line ${line.tone} depth-${line.depth}`}>
            {line.engine && <span class="engine">{line.engine}</span>}
            {printable(line.text)}
          </div>
        ))}
      </div>
    </section>
  );
}

/** The room stays as long as the run goes on, so that nothing below it moves. */
export function DraftPanel({ draft, active }: { draft: Draft | null; active: boolean }) {
  const room = useRef<HTMLDivElement>(null);
  const shown = draft ? wordsOf(draft) : null;
  useLayoutEffect(() => {
    if (room.current) room.current.scrollTop = room.current.scrollHeight;
  }, [shown?.text]);
  if (!active) return null;
  return (
    <section class="card" aria-labelledby="draft">
      <h2 id="draft">
        Draft <span class="muted">{shown ? shown.label : "words of a model show here as they come"}</span>
      </h2>
      <div class="draft" ref={room} tabIndex={0} role="group" aria-label="Draft of a model, unchecked">
        {shown ? printable(shown.text) : ""}
      </div>
    </section>
  );
}

function wordsOf(draft: Draft): { label: string; text: string } {
  const who = [draft.engine, draft.role].filter(Boolean).join(", ");
  if (draft.structured) return { label: `${who || "a model"} fills in a form, ${draft.chars} characters`, text: "" };
  const { text, thinking } = parted(draft);
  if (text) return { label: `${who}: unchecked`, text };
  return { label: `${who}: thinking aloud`, text: thinking };
}

/** Some models think aloud between marks in the text itself. */
function parted(draft: Draft): { text: string; thinking: string } {
  const [, thought = "", rest = ""] = /^\s*<think>([\s\S]*?)(?:<\/think>([\s\S]*))?$/.exec(draft.text) ?? [];
  return thought || rest ? { text: rest.trim(), thinking: thought } : { text: draft.text, thinking: draft.thinking };
}
