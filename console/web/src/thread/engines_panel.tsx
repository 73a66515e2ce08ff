/** Engines that work inside of a run, each with its own graph, lit by what it does. */
import { useState } from "preact/hooks";

import { Badge } from "../parts/icon.tsx";
import { printable } from "../parts/printable.ts";
import { GraphView } from "./graph_view.tsx";
import type { Standing } from "./outcome.ts";
import type { Engine } from "./progress.ts";

const STANDINGS: Record<string, Standing> = {
  running: "running",
  answered: "good",
  partial: "warn",
  uncertain: "warn",
  could_not: "bad",
  error: "bad",
};
/** Workers that are graphs of the server; `direct` and a single specialist are none. */
const GRAPHS = ["reflective", "contractive", "research", "tutor", "specialists", "ensemble", "hierarchy", "hybrid"];

export function EnginesPanel({ engines }: { engines: Map<string, Engine> }) {
  const children = [...engines.values()].filter((one) => one.namespace);
  if (!children.length) return null;
  return (
    <section class="card" aria-labelledby="engines">
      <h2 id="engines">Engines at work</h2>
      {children.map((child) => (
        <Child key={child.namespace} child={child} />
      ))}
    </section>
  );
}

function Child({ child }: { child: Engine }) {
  const [open, setOpen] = useState(false);
  const now = [...child.nodes].filter(([, visits]) => visits.active).map(([name]) => name);
  return (
    <details class="child" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge standing={STANDINGS[child.status] ?? "idle"}>{child.status.replaceAll("_", " ")}</Badge> <strong>{printable(child.id)}</strong>{" "}
        <span class="muted">{now.length ? now.join(", ") : ""}</span>
      </summary>
      <p class="muted">{printable(child.question)}</p>
      {open && GRAPHS.includes(child.worker) && <GraphView graph={child.worker} nodes={child.nodes} passed={child.passed} small />}
    </details>
  );
}
