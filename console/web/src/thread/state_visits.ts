/** Which nodes a state stands before, for a thread whose events nobody keeps any more. */
import type { State } from "../server/langgraph.ts";
import type { Visits } from "./progress.ts";

export function nodesFrom(state: State | null): Map<string, Visits> {
  const waiting = (state?.next ?? []).map((name): [string, Visits] => [name, { count: 0, active: 1, failed: false }]);
  return new Map(waiting);
}
