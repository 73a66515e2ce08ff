/** What `reflect doctor` finds on the server's machine. */
import { Badge } from "../parts/icon.tsx";
import { Notice } from "../parts/notice.tsx";
import { useAsked } from "../parts/loading.ts";
import { printable } from "../parts/printable.ts";
import { remembered } from "../remembered.ts";
import { ask } from "../server/connection.ts";
import type { About, CheckResult, Checks } from "../server/shapes.ts";

export function HealthView({ about }: { about: About }) {
  const root = remembered("root");
  const asked = useAsked(root, () => ask<Checks>("checks", { root }));
  const { value, problem, loading } = asked.value;
  return (
    <div>
      <h1 tabIndex={-1}>Health</h1>
      <p class="muted">Reflective Graph {about.version}</p>
      {problem && <Notice kind="bad">{problem}</Notice>}
      {loading && <p class="muted">Looking…</p>}
      <ul class="checks">
        {value?.checks.map((check) => (
          <Check key={check.name} check={check} />
        ))}
      </ul>
    </div>
  );
}

function Check({ check }: { check: CheckResult }) {
  const standing = !check.ok ? "bad" : check.level === "warning" ? "warn" : "good";
  const word = { bad: "problem", warn: "warning", good: "fine" }[standing];
  return (
    <li class="card">
      <Badge standing={standing as "good" | "warn" | "bad"}>{word}</Badge> <strong>{check.name}</strong>
      <p>{printable(check.detail)}</p>
      {check.remedy && <p class="muted remedy">{printable(check.remedy)}</p>}
    </li>
  );
}
