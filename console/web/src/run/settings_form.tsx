/** All settings of a run: grouped, searchable, and only what is changed is sent. */
import { useMemo, useState } from "preact/hooks";

import { Notice } from "../parts/notice.tsx";
import { useAsked } from "../parts/loading.ts";
import { ask } from "../server/connection.ts";
import { assistantOf, client } from "../server/langgraph.ts";
import type { SettingsInForce, SettingValue } from "../server/shapes.ts";
import { inForce, problemOf, sectionsOf, type Section, type Setting } from "./settings_schema.ts";

export type Changed = Record<string, string>;

interface FormProps {
  graph: string;
  root: string;
  changed: Changed;
  change: (changed: Changed) => void;
}

async function schemaOf(graph: string): Promise<Section[]> {
  const assistant = await assistantOf(graph);
  return sectionsOf((await client.assistants.getSchemas(assistant.assistant_id)).context_schema);
}

export function SettingsForm({ graph, root, changed, change }: FormProps) {
  const [search, setSearch] = useState("");
  const schema = useAsked(graph, () => schemaOf(graph));
  const force = useAsked(root, () => ask<SettingsInForce>("settings", { root }));
  const values = useMemo(() => new Map(force.value.value?.values.map((one) => [one.key, one])), [force.value.value]);
  const sections = schema.value.value ?? [];
  const count = sections.reduce((total, section) => total + section.settings.length, 0);
  const set = (key: string, text: string) => {
    const { [key]: _, ...others } = changed;
    change(text === "" ? others : { ...others, [key]: text });
  };
  return (
    <div class="settings">
      {schema.value.problem && <Notice kind="bad">{schema.value.problem}</Notice>}
      {force.value.problem && <Notice kind="warn">What is in force cannot be shown: {force.value.problem}</Notice>}
      {force.value.value?.warnings.map((warning) => (
        <Notice kind="warn" key={warning}>
          {warning}
        </Notice>
      ))}
      <label class="field">
        <span>Search {count} settings</span>
        <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} placeholder="timeout, temperature, approval …" />
      </label>
      {found(sections, search).map((section) => (
        <SectionView key={section.name} section={section} open={Boolean(search.trim())} values={values} changed={changed} set={set} />
      ))}
    </div>
  );
}

function found(sections: Section[], search: string): Section[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return sections;
  const fits = (setting: Setting) => words.every((word) => `${setting.key} ${setting.help}`.toLowerCase().includes(word));
  return sections
    .map((section) => ({ ...section, settings: section.settings.filter(fits) }))
    .filter((section) => section.settings.length);
}

interface SectionProps {
  section: Section;
  open: boolean;
  values: Map<string, SettingValue>;
  changed: Changed;
  set: (key: string, text: string) => void;
}

function SectionView({ section, open, values, changed, set }: SectionProps) {
  const [opened, setOpened] = useState(false);
  const here = section.settings.filter((one) => one.key in changed).length;
  const shown = open || opened;
  return (
    <details open={shown} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        {section.name} <span class="muted">({section.settings.length})</span> {here > 0 && <span class="badge good">{here} changed</span>}
      </summary>
      {shown &&
        section.settings.map((setting) => (
          <SettingField key={setting.key} setting={setting} force={inForce(setting, values)} text={changed[setting.key] ?? ""} set={(text) => set(setting.key, text)} />
        ))}
    </details>
  );
}

interface FieldProps {
  setting: Setting;
  force: SettingValue | undefined;
  text: string;
  set: (text: string) => void;
}

function SettingField(props: FieldProps) {
  const { setting, force, text } = props;
  const problem = problemOf(setting, text);
  const id = `setting-${setting.key}`;
  return (
    <div class={text ? "field setting changed" : "field setting"}>
      <label for={id}>{setting.key}</label>
      <Control {...props} id={id} />
      {problem && (
        <p class="bad-text" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      <p class="muted help" id={`${id}-help`}>
        {setting.help} {force && `In force: ${shown(force.value)} (${force.source}).`}
      </p>
    </div>
  );
}

function shown(value: unknown): string {
  return value === null || value === undefined ? "unset" : typeof value === "string" ? value || '""' : JSON.stringify(value);
}

function Control({ setting, force, text, set, id }: FieldProps & { id: string }) {
  const placeholder = force ? `${shown(force.value)} (${force.source})` : "unset";
  const invalid = Boolean(problemOf(setting, text));
  const described = { id, "aria-invalid": invalid, "aria-describedby": invalid ? `${id}-problem ${id}-help` : `${id}-help` };
  if (setting.kind === "choice" || setting.kind === "boolean") {
    const choices = setting.kind === "boolean" ? (setting.choices.length ? setting.choices.map((one) => one.toLowerCase()) : ["true", "false"]) : setting.choices;
    return (
      <select {...described} value={text} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{placeholder}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {setting.kind === "boolean" ? (choice === "true" ? "yes" : "no") : choice}
          </option>
        ))}
      </select>
    );
  }
  if (setting.kind === "lines" || setting.kind === "json") {
    const rows = setting.kind === "lines" ? "one a line" : "JSON";
    return <textarea {...described} class="mono" rows={2} value={text} placeholder={`${rows}; ${placeholder}`.slice(0, 300)} onInput={(event) => set(event.currentTarget.value)} />;
  }
  const numeric = setting.kind !== "text";
  return (
    <input
      {...described}
      type="text"
      inputMode={setting.kind === "integer" ? "numeric" : numeric ? "decimal" : undefined}
      value={text}
      placeholder={placeholder}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
}
