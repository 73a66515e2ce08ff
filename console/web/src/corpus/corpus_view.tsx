/** What was learned from past runs: searched, paged, and whether it helped. */
import { useState } from "preact/hooks";

import { JsonView } from "../parts/json_view.tsx";
import { LongText } from "../parts/long_text.tsx";
import { Notice } from "../parts/notice.tsx";
import { useAsked } from "../parts/loading.ts";
import { printable } from "../parts/printable.ts";
import { when } from "../parts/when.ts";
import { remembered } from "../remembered.ts";
import { replaceQuery, route } from "../routing.ts";
import { ask } from "../server/connection.ts";
import type { About, CorpusScope, ExperiencePage, ExperienceRecord } from "../server/shapes.ts";

const PAGE = 20;

export function CorpusView({ about }: { about: About }) {
  const query = route.value.query;
  const scope: CorpusScope = query.get("scope") === "global" ? "global" : "project";
  const words = query.get("q") ?? "";
  const root = query.get("root") ?? remembered("root");
  const offset = Math.max(0, Number(query.get("offset")) || 0);
  const [typed, setTyped] = useState(words);
  const key = JSON.stringify([scope, words, root, offset]);
  const asked = useAsked(key, () => ask<ExperiencePage>("experience", { root, scope, query: words, limit: PAGE, offset }));
  const { value, problem, loading } = asked.value;
  const show = (change: Record<string, string>) => replaceQuery({ scope, q: words, root, ...change });
  return (
    <div>
      <h1 tabIndex={-1}>Corpus</h1>
      <p class="muted">Records of past runs, which later runs are shown.</p>
      <form class="bar" role="search" onSubmit={(event) => (event.preventDefault(), show({ q: typed }))}>
        <label class="field">
          <span>Search</span>
          <input type="search" value={typed} placeholder="a goal, or words of one" onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Scope</span>
          <select value={scope} onChange={(event) => show({ scope: event.currentTarget.value })}>
            <option value="project">project</option>
            <option value="global">global</option>
          </select>
        </label>
        <label class="field">
          <span>Directory</span>
          <select value={root} disabled={scope === "global"} onChange={(event) => show({ root: event.currentTarget.value })}>
            {[...new Set(["", root, ...about.roots])].map((one) => (
              <option key={one} value={one}>
                {one || "the server's own"}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Search</button>
      </form>
      {problem && <Notice kind="bad">{problem}</Notice>}
      {value?.notes.map((note) => (
        <Notice kind="plain" key={note}>
          {note}
        </Notice>
      ))}
      <p class="muted" role="status">
        {loading ? "Searching…" : value ? counted(value) : ""}
      </p>
      <ul class="records">
        {value?.records.map((record) => (
          <RecordView key={record.id} record={record} />
        ))}
      </ul>
      {value && value.total > PAGE && (
        <div class="buttons">
          <button type="button" disabled={offset === 0} onClick={() => show({ offset: String(Math.max(0, offset - PAGE)) })}>
            Before
          </button>
          <button type="button" disabled={offset + PAGE >= value.total} onClick={() => show({ offset: String(offset + PAGE) })}>
            Next
          </button>
        </div>
      )}
    </div>
  );
}

function counted(page: ExperiencePage): string {
  if (!page.total) return page.query ? "No record is like this." : "There is no record here yet.";
  return `${page.offset + 1} to ${page.offset + page.records.length} of ${page.total}, ${page.query ? "the best first" : "the newest first"}`;
}

function RecordView({ record }: { record: ExperienceRecord }) {
  const [open, setOpen] = useState(false);
  const helped = record.shown ? `helped ${record.helped} of ${record.shown}${record.harmed ? `, harmed ${record.harmed}` : ""}` : "not shown yet";
  return (
    <li class="card">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>{printable(record.goal)}</strong>
          <div class="row-facts muted">
            <span>{record.kind}</span>
            <span>{record.status}</span>
            <span>{helped}</span>
            {record.score !== null && record.score !== undefined && <span>likeness {record.score.toFixed(2)}</span>}
            <span>{when(record.at)}</span>
          </div>
        </summary>
        {open && (
          <>
            <LongText text={record.text} label="Record" />
            <JsonView name="facts" value={record.facts} />
          </>
        )}
      </details>
    </li>
  );
}
