/** Text of models and tools, always as text: cut where it is long, until somebody wants all of it. */
import { useState } from "preact/hooks";

import { printable } from "./printable.ts";

const SHOWN_CHARS = 4000;
const SHOWN_LINES = 80;

export function LongText({ text, mono = false, label }: { text: string; mono?: boolean; label: string }) {
  const [all, setAll] = useState(false);
  const whole = printable(text);
  const shown = all ? whole : beginning(whole);
  const long = shown.length < whole.length || all;
  return (
    <div class="long-text">
      {/* What scrolls sideways must be reached by keys as well. */}
      <div class={mono ? "text mono" : "text"} tabIndex={mono ? 0 : undefined} role={mono ? "group" : undefined} aria-label={mono ? label : undefined}>
        {shown}
      </div>
      {long && whole.length > beginning(whole).length && (
        <button type="button" class="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show less" : `Show all (${whole.length.toLocaleString("en")} characters)`}
        </button>
      )}
    </div>
  );
}

function beginning(text: string): string {
  const lines = text.split("\n", SHOWN_LINES + 1);
  const few = lines.length > SHOWN_LINES ? lines.slice(0, SHOWN_LINES).join("\n") : text;
  return few.slice(0, SHOWN_CHARS);
}
