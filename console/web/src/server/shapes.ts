/** What `/console/api` answers; `console/shapes.py` says what each field means. */

export type FieldKind = "text" | "long_text" | "choice" | "integer" | "number" | "boolean" | "list";

export interface InputField {
  name: string;
  title: string;
  help: string;
  kind: FieldKind;
  required: boolean;
  default: unknown;
  choices: string[];
  minimum: number | null;
  maximum: number | null;
}

export interface Example {
  text: string;
  input: Record<string, unknown>;
}

export interface GraphAbout {
  name: string;
  title: string;
  summary: string;
  fields: InputField[];
  examples: Example[];
}

export interface About {
  version: string;
  token_required: boolean;
  welcome: boolean;
  default_root: string | null;
  roots: string[];
  graphs: GraphAbout[];
  notes?: string[];
}

export interface ModelAbout {
  name: string;
  provider: string;
  size_bytes: number | null;
  loaded: boolean | null;
}

export interface Models {
  default: string | null;
  reason: string;
  available: ModelAbout[];
  problems: string[];
}

export interface SettingValue {
  key: string;
  value: unknown;
  source: string;
}

export interface SettingsInForce {
  root: string;
  values: SettingValue[];
  warnings: string[];
}

export interface CheckResult {
  name: string;
  ok: boolean;
  level: string;
  detail: string;
  remedy: string;
}

export interface Checks {
  checks: CheckResult[];
}

export type CorpusScope = "project" | "global";

export interface ExperienceRecord {
  id: string;
  kind: string;
  goal: string;
  text: string;
  at: string;
  status: string;
  scope: CorpusScope;
  score: number | null;
  shown: number;
  helped: number;
  harmed: number;
  facts: Record<string, unknown>;
}

export interface ExperiencePage {
  scope: CorpusScope;
  query: string;
  offset: number;
  total: number;
  records: ExperienceRecord[];
  notes: string[];
}

export interface ThreadAbout {
  id: string;
  graph: string;
  goal: string;
  standing: string;
  step: number;
  at: string;
  waiting: boolean;
  root: string;
  served: boolean;
}

export interface ProjectThreads {
  root: string;
  total: number;
  offset: number;
  threads: ThreadAbout[];
}

export interface MemoryHit {
  run: number;
  id: string;
  goal: string;
  scope: string;
  score: number | null;
  use: string;
  outcome: string;
  why: string;
}

export interface ThreadFacts {
  thread: string;
  root: string;
  graph: string;
  memory: MemoryHit[];
  has_trace: boolean;
  has_report: boolean;
  notes: string[];
}
