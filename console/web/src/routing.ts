/** Where the page is: everything that can be linked to stands in the address, behind its `#`. */
import { computed, signal } from "@preact/signals";

export interface Route {
  /** Parts of the path, without their escapes. */
  path: string[];
  query: URLSearchParams;
}

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(unescaped), query: new URLSearchParams(query) };
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = signal<Route>(read());

addEventListener("hashchange", () => {
  route.value = read();
});

/** What names the view; a change of the query alone is no new view. */
export const place = computed(() => route.value.path.join("/"));

/** An address of the page. */
export function to(path: string[], query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const asked = given.length ? `?${new URLSearchParams(given)}` : "";
  return `#/${path.map(encodeURIComponent).join("/")}${asked}`;
}

export function goTo(path: string[], query: Record<string, string | undefined> = {}): void {
  location.hash = to(path, query);
}

/** The same view with other words behind the question mark, without a step back to the ones before. */
export function replaceQuery(query: Record<string, string | undefined>): void {
  history.replaceState(null, "", to(route.value.path, query));
  route.value = read();
}
