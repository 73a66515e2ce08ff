/** A change as a person approves it: every line of it, each with its sign, added and removed ones coloured. */
import { printable } from "../parts/printable.ts";

const KINDS: Record<string, string> = { "+": "added", "-": "removed", "@": "place" };

/** The two lines that name the file, before the first place of a change. */
function names(lines: readonly string[], index: number): boolean {
  const first = lines[index]?.startsWith("+++ ") ? index - 1 : index;
  const [before, after, place] = lines.slice(Math.max(0, first), first + 3);
  return Boolean(before?.startsWith("--- ") && after?.startsWith("+++ ") && place?.startsWith("@@"));
}

export function Diff({ text }: { text: string }) {
  const lines = printable(text).split("\n");
  return (
    <div class="diff" tabIndex={0} role="group" aria-label="The change, whole">
      {lines.map((line, index) => (
        <div key={index} class={names(lines, index) ? "file" : (KINDS[line[0] ?? ""] ?? "")}>
          {line || " "}
        </div>
      ))}
    </div>
  );
}
