/** What a person tells a graph: the fields `/console/api/about` names, and what of it a run is given. */
import type { InputField } from "../server/shapes.ts";

export type Given = Record<string, string>;

export function GoalFields({ fields, given, change }: { fields: InputField[]; given: Given; change: (given: Given) => void }) {
  const [first, ...others] = fields;
  const set = (name: string) => (text: string) => change({ ...given, [name]: text });
  const required = others.filter((field) => field.required);
  const rest = others.filter((field) => !field.required);
  return (
    <>
      {first && <GoalField field={first} first text={given[first.name] ?? ""} set={set(first.name)} />}
      {required.map((field) => (
        <GoalField key={field.name} field={field} text={given[field.name] ?? ""} set={set(field.name)} />
      ))}
      {rest.length > 0 && (
        <details class="more" open={rest.some((field) => given[field.name])}>
          <summary>More about it</summary>
          {rest.map((field) => (
            <GoalField key={field.name} field={field} text={given[field.name] ?? ""} set={set(field.name)} />
          ))}
        </details>
      )}
    </>
  );
}

interface GoalFieldProps {
  field: InputField;
  first?: boolean;
  text: string;
  set: (text: string) => void;
}

function GoalField({ field, first = false, text, set }: GoalFieldProps) {
  const id = `goal-${field.name}`;
  return (
    <div class="field">
      <label for={id}>{field.title}</label>
      <GoalControl field={field} first={first} text={text} set={set} id={id} />
      {field.help && (
        <p class="muted help" id={`${id}-help`}>
          {field.help}
        </p>
      )}
    </div>
  );
}

function GoalControl({ field, first = false, text, set, id }: GoalFieldProps & { id: string }) {
  const described = { id, "aria-describedby": field.help ? `${id}-help` : undefined, required: first || field.required };
  const empty = field.default === null || field.default === undefined ? "" : String(field.default);
  if (field.kind === "choice" || field.kind === "boolean") {
    const choices = field.kind === "boolean" ? ["true", "false"] : field.choices;
    return (
      <select {...described} value={text} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{empty ? `${empty} (default)` : "not set"}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {field.kind === "boolean" ? (choice === "true" ? "yes" : "no") : choice}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === "list" && field.choices.length) return <Several field={field} text={text} set={set} />;
  if (first || field.kind === "long_text" || field.kind === "list") {
    const placeholder = field.kind === "list" ? "one a line" : "";
    return <textarea {...described} rows={first ? 3 : 4} placeholder={placeholder} value={text} onInput={(event) => set(event.currentTarget.value)} onKeyDown={first ? sendByKey : undefined} />;
  }
  const typed = { ...described, placeholder: empty, value: text, onInput: (event: { currentTarget: HTMLInputElement }) => set(event.currentTarget.value) };
  if (field.kind === "text") return <input {...typed} type="text" />;
  return <input {...typed} type="number" min={field.minimum ?? undefined} max={field.maximum ?? undefined} step={field.kind === "integer" ? 1 : "any"} />;
}

/** Control and Enter, as many editors have it: a plain Enter is a new line. */
function sendByKey(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }
}

function Several({ field, text, set }: GoalFieldProps) {
  const chosen = text.split("\n").filter(Boolean);
  const toggle = (choice: string) => set(field.choices.filter((one) => (one === choice) !== chosen.includes(one)).join("\n"));
  return (
    <div role="group" aria-label={field.title} class="several">
      {field.choices.map((choice) => (
        <label class="choice" key={choice}>
          <input type="checkbox" checked={chosen.includes(choice)} onChange={() => toggle(choice)} />
          <span>{choice}</span>
        </label>
      ))}
    </div>
  );
}

/** The input of a run: what was filled in, in the types the graph's state has. */
export function inputFrom(fields: InputField[], given: Given): Record<string, unknown> {
  const filled = fields.filter((field) => (given[field.name] ?? "").trim() !== "");
  return Object.fromEntries(filled.map((field) => [field.name, valueOf(field, given[field.name] ?? "")]));
}

function valueOf(field: InputField, text: string): unknown {
  if (field.kind === "integer" || field.kind === "number") return Number(text);
  if (field.kind === "boolean") return text === "true";
  if (field.kind === "list") return text.split("\n").map((line) => line.trim()).filter(Boolean);
  return text;
}

/** An input as the form's texts, for an example that was clicked. */
export function givenFrom(fields: InputField[], input: Record<string, unknown>): Given {
  const told = fields.filter((field) => input[field.name] !== undefined && input[field.name] !== null);
  return Object.fromEntries(told.map((field) => [field.name, textOf(input[field.name])]));
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join("\n") : String(value);
}
