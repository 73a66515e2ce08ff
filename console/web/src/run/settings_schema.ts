/** The settings of a run as a form: read from the graph's context schema, with what is in force beside it. */
import type { SettingValue } from "../server/shapes.ts";

export interface Setting {
  key: string;
  help: string;
  kind: "integer" | "number" | "boolean" | "choice" | "text" | "lines" | "json";
  choices: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export interface Section {
  name: string;
  settings: Setting[];
}

interface Property {
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Property;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** Fields the page has a place of its own for. */
const ELSEWHERE = ["root", "model", "settings"];
/** Fields that are short names of settings; the layer of a setting is told under its whole name. */
const WHOLE_NAMES: Record<string, string> = { strategy: "reasoning.strategy", approval: "tools.approval" };

export function sectionsOf(schema: unknown): Section[] {
  const properties = ((schema as { properties?: Record<string, Property> } | null)?.properties ?? {}) as Record<string, Property>;
  const sections = new Map<string, Setting[]>();
  for (const [key, property] of Object.entries(properties)) {
    if (ELSEWHERE.includes(key)) continue;
    const name = key.includes(".") ? (key.split(".")[0] ?? "") : "run";
    sections.set(name, [...(sections.get(name) ?? []), settingOf(key, property)]);
  }
  return [...sections].map(([name, settings]) => ({ name, settings }));
}

function settingOf(key: string, property: Property): Setting {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = property;
  const choices = property.const !== undefined ? [String(property.const)] : (property.enum ?? []).map(String);
  const bounds = { minimum, maximum, exclusiveMinimum, exclusiveMaximum };
  const given = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
  return { key, help: property.description ?? "", kind: kindOf(property), choices, ...given };
}

function kindOf(property: Property): Setting["kind"] {
  if (property.type === "boolean") return "boolean";
  if (property.enum) return "choice";
  if (property.type === "integer" || property.type === "number") return property.type;
  if (property.type === "string") return "text";
  if (property.type === "array" && property.items?.type === "string" && !property.items.enum) return "lines";
  return "json";
}

export function inForce(setting: Setting, values: Map<string, SettingValue>): SettingValue | undefined {
  return values.get(WHOLE_NAMES[setting.key] ?? setting.key);
}

/** The value a field's text stands for; undefined for an empty field. A text that is none is an error. */
export function valueOf(setting: Setting, text: string): unknown {
  if (!text.trim()) return undefined;
  switch (setting.kind) {
    case "boolean":
      return text === "true";
    case "integer":
    case "number":
      return numberOf(setting, text);
    case "lines":
      return text.split("\n").map((line) => line.trim()).filter(Boolean);
    case "json":
      return JSON.parse(text) as unknown;
    default:
      return text;
  }
}

function numberOf(setting: Setting, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error("This is no number.");
  if (setting.kind === "integer" && !Number.isInteger(value)) throw new Error("This is no whole number.");
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = setting;
  if (minimum !== undefined && value < minimum) throw new Error(`At least ${minimum}.`);
  if (maximum !== undefined && value > maximum) throw new Error(`At most ${maximum}.`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) throw new Error(`More than ${exclusiveMinimum}.`);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) throw new Error(`Less than ${exclusiveMaximum}.`);
  return value;
}

/** Why a field's text cannot be used; empty if it can. */
export function problemOf(setting: Setting, text: string): string {
  try {
    valueOf(setting, text);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
