/** Which records of past runs a run was shown, and whether they helped. */
import { printable } from "../parts/printable.ts";
import type { Values } from "../server/langgraph.ts";
import type { MemoryHit, ThreadFacts } from "../server/shapes.ts";

export function MemoryPanel({ facts, values }: { facts: ThreadFacts | null; values: Values }) {
  const hits = facts?.memory.length ? facts.memory : recalledIn(values);
  if (!hits.length) return null;
  return (
    <section class="card" aria-labelledby="memory">
      <h2 id="memory">Memory</h2>
      <ul class="hits">
        {hits.map((hit, index) => (
          <li key={index}>
            <div>{printable(hit.goal)}</div>
            <div class="muted">
              {[hit.use, hit.outcome, hit.score === null ? "" : `likeness ${hit.score.toFixed(2)}`].filter(Boolean).join(" · ")}
            </div>
            {hit.why && <div class="muted">{printable(hit.why)}</div>}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Recalled {
  event_id: string;
  goal: string;
  scope: string;
  score: number | null;
  use: string;
}

/** What the state itself names, until the files say how it went. */
function recalledIn(values: Values): MemoryHit[] {
  const recalled = (Array.isArray(values["recalled"]) ? values["recalled"] : []) as Recalled[];
  return recalled.map((one) => ({ run: 1, id: one.event_id, goal: one.goal, scope: one.scope, score: one.score ?? null, use: one.use, outcome: "", why: "" }));
}
