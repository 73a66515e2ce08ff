/** A report or a trace of a thread, a page of its own in a frame that runs no script. */
import { useRef } from "preact/hooks";

import { Notice } from "../parts/notice.tsx";
import { useAsked } from "../parts/loading.ts";
import { remembered } from "../remembered.ts";
import { route } from "../routing.ts";
import { askPage } from "../server/connection.ts";
import { ThreadTabs } from "../thread/thread_tabs.tsx";

const TITLES = { report: "Report", trace: "Trace" };

/**
 * The page is asked for with the token and put into the frame as it is. A frame made so keeps to this page's
 * policy, which knows no styles inside of a page: they are handed over as style sheets instead.
 */
export function PageView({ id, page }: { id: string; page: keyof typeof TITLES }) {
  const root = route.value.query.get("root") ?? remembered("root");
  const asked = useAsked(`${id} ${page} ${root}`, () => askPage(`threads/${encodeURIComponent(id)}/${page}`, { root }));
  const { value, problem, loading } = asked.value;
  return (
    <div class="framed">
      <ThreadTabs id={id} now={page} root={root} />
      <h1 tabIndex={-1}>{TITLES[page]}</h1>
      {problem && <Notice kind="warn">{problem}</Notice>}
      {loading && <p class="muted">Loading…</p>}
      {value !== null && <Frame html={value} title={TITLES[page]} />}
    </div>
  );
}

function Frame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  return <iframe ref={frame} title={title} sandbox="allow-same-origin" srcdoc={html} onLoad={() => frame.current && dressed(frame.current)} />;
}

function dressed(frame: HTMLIFrameElement): void {
  const inner = frame.contentDocument;
  const view = frame.contentWindow as (Window & { CSSStyleSheet: typeof CSSStyleSheet }) | null;
  if (!inner || !view) return;
  inner.adoptedStyleSheets = [...inner.querySelectorAll("style")].map((style) => {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(style.textContent ?? "");
    return sheet;
  });
  for (const element of inner.querySelectorAll<HTMLElement>("[style]")) element.style.cssText = element.getAttribute("style") ?? "";
}
