/** A JSON value as a tree that is opened branch by branch; what is closed is not built. */
import { useState } from "preact/hooks";

import { LongText } from "./long_text.tsx";

const MOST_ENTRIES = 200;
const SHORT = 80;

export function JsonView({ name, value, open = false }: { name: string; value: unknown; open?: boolean }) {
  const [opened, setOpened] = useState(open);
  if (value === null || typeof value !== "object") return <Leaf name={name} value={value} />;
  const entries = Object.entries(value);
  const brief = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (!entries.length) return <div class="json-leaf"><span class="json-name">{name}</span> <span class="muted">{brief}</span></div>;
  return (
    <details class="json" open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <span class="json-name">{name}</span> <span class="muted">{brief}</span>
      </summary>
      {opened && <Entries entries={entries} />}
    </details>
  );
}

function Entries({ entries }: { entries: [string, unknown][] }) {
  const [shown, setShown] = useState(MOST_ENTRIES);
  return (
    <div class="json-inside">
      {entries.slice(0, shown).map(([key, inner]) => (
        <JsonView key={key} name={key} value={inner} />
      ))}
      {entries.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + MOST_ENTRIES)}>
          Show more ({(entries.length - shown).toLocaleString("en")} left)
        </button>
      )}
    </div>
  );
}

function Leaf({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  const long = text.length > SHORT || text.includes("\n");
  return (
    <div class={long ? "json-leaf long" : "json-leaf"}>
      <span class="json-name">{name}</span>{" "}
      {long ? <LongText text={text} label={name} /> : <span class={`json-value ${typeof value}`}>{typeof value === "string" ? JSON.stringify(value) : text}</span>}
    </div>
  );
}
