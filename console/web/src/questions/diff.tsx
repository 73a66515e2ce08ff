/** A change as a person approves it: every line of it, each with its sign, added and removed ones coloured. */
import { printable } from "../parts/printable.ts";

const KINDS: Record<string, string> = { "+": "added", "-": "removed", "@": "place" };

export function Diff({ text }: { text: string }) {
  const lines = printable(text).split("\n");
  return (
    <div class="diff" tabIndex={0} role="group" aria-label="The change, whole">
      {lines.map((line, index) => (
        <div key={index} class={KINDS[line[0] ?? ""] ?? ""}>
          {line || " "}
        </div>
      ))}
    </div>
  );
}
