/** What is different between two states, field by field. Pure. */

export interface Difference {
  path: string;
  kind: "added" | "removed" | "changed";
  before: unknown;
  after: unknown;
}

const DEEPEST = 3;
const MOST = 200;

/** Differences of two JSON values; below a few floors a value counts as one. */
export function differences(before: unknown, after: unknown, path = "", depth = 0): Difference[] {
  if (same(before, after)) return [];
  if (!isObject(before) || !isObject(after) || depth >= DEEPEST) return [{ path: path || "state", kind: "changed", before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const found = keys.flatMap((key): Difference[] => {
    const inner = path ? `${path}.${key}` : key;
    if (!(key in before)) return [{ path: inner, kind: "added", before: undefined, after: after[key] }];
    if (!(key in after)) return [{ path: inner, kind: "removed", before: before[key], after: undefined }];
    return differences(before[key], after[key], inner, depth + 1);
  });
  return found.slice(0, MOST);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
