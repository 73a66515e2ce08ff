/** The plan of a run and where each of its steps stands. */
import { Icon, type IconName } from "../parts/icon.tsx";
import { printable } from "../parts/printable.ts";
import type { Values } from "../server/langgraph.ts";
import type { LivePlan, PlanStep } from "./progress.ts";

const LONG = 110;
const SIGNS: Record<string, [IconName, string]> = {
  pending: ["idle", "not begun"],
  running: ["running", "running"],
  success: ["good", "done"],
  failed: ["bad", "failed"],
  skipped: ["stopped", "skipped"],
};

export function PlanPanel({ live, values, active }: { live: LivePlan | null; values: Values; active: boolean }) {
  const plan = (active ? live : null) ?? planIn(values) ?? live;
  if (!plan?.steps.length) return null;
  return (
    <section class="card" aria-labelledby="plan">
      <h2 id="plan">
        Plan {plan.source && <span class="muted">from {plan.source}</span>}
      </h2>
      <ol class="plan">
        {plan.steps.map((step) => (
          <Step key={step.num} step={step} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step }: { step: PlanStep }) {
  const [icon, word] = SIGNS[step.status] ?? ["idle" as IconName, step.status];
  return (
    <li class={`step ${step.status}`}>
      <Icon name={icon} />
      <div>
        <span>{printable(step.description)}</span> <span class="muted">{word}</span>
        <Command text={printable(step.command)} />
      </div>
    </li>
  );
}

/** A long command shows its beginning; the rest is a click away. */
function Command({ text }: { text: string }) {
  if (!text) return null;
  if (text.length < LONG) return <div class="mono command">$ {text}</div>;
  return (
    <details class="mono command">
      <summary>$ {text.slice(0, LONG)}…</summary>
      {text}
    </details>
  );
}

interface StatePlan {
  source?: string;
  recipe?: string | null;
  steps?: { num: number; description: string; status: string; result?: { command?: string } | null }[];
}

function planIn(values: Values): LivePlan | null {
  const plan = values["plan"] as StatePlan | null | undefined;
  if (!plan?.steps) return null;
  const steps = plan.steps.map((step) => ({
    num: step.num,
    description: step.description,
    status: step.status,
    command: step.result?.command ?? "",
  }));
  return { source: plan.recipe ? `recipe ${plan.recipe}` : String(plan.source ?? ""), steps };
}
