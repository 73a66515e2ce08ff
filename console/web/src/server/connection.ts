/**
 * The one way to the server: its own origin, the token if one is needed, and errors in words.
 *
 * The token is kept in the session's storage of this tab only, so it goes when the tab does.
 */
import { signal } from "@preact/signals";

const TOKEN = "console-token";

/** What went wrong with a request, in words for people; `status` is 0 if the server was not reached. */
export class ServerProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Address of the server, without a stroke at its end. */
export const server = location.origin + location.pathname.replace(/\/console(\/.*)?$/, "");

/** True once the server refused a request for want of the right token. */
export const refused = signal(false);

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  refused.value = false;
}

/** `fetch` with the token; what is not an answer is a `ServerProblem`. */
export const reach: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  let response: Response;
  try {
    response = await fetch(input, { ...init, headers });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ServerProblem(0, "The server cannot be reached. Is it still running?");
  }
  if (response.ok) return response;
  if (response.status === 401) refused.value = true;
  throw new ServerProblem(response.status, await wordsOf(response));
};

async function wordsOf(response: Response): Promise<string> {
  const text = await response.text();
  const told = messageOf(text);
  if (response.status === 401) return "The server asks for its token.";
  if (told) return told;
  return `The server answered ${response.status} ${response.statusText}: ${text.slice(0, 300) || "nothing"}`;
}

function messageOf(text: string): string {
  try {
    const read: unknown = JSON.parse(text);
    const { error, detail } = read as { error?: unknown; detail?: unknown };
    const said = error ?? detail;
    return typeof said === "string" ? said : said === undefined ? "" : JSON.stringify(said);
  } catch {
    return "";
  }
}

/** What a route of `/console/api` answers. */
export async function ask<T>(path: string, query: Record<string, string | number | undefined> = {}): Promise<T> {
  const response = await reach(`${server}/console/api/${path}${queryOf(query)}`);
  return (await response.json()) as T;
}

/** A page of `/console/api`, as text. */
export async function askPage(path: string, query: Record<string, string | undefined>): Promise<string> {
  return (await reach(`${server}/console/api/${path}${queryOf(query)}`)).text();
}

function queryOf(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}

/** An error as it is shown. */
export function inWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
