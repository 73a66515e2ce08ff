/** A report or a trace of a thread, a page of its own in a frame that runs no script. */
import { useMemo, useRef } from "preact/hooks";

import { Notice } from "../parts/notice.tsx";
import { useAsked } from "../parts/loading.ts";
import { remembered } from "../remembered.ts";
import { route } from "../routing.ts";
import { askPage } from "../server/connection.ts";
import { ThreadTabs } from "../thread/thread_tabs.tsx";

const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style>/gi;
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
  const page = useMemo(() => undressed(html), [html]);
  const dress = () => frame.current && dressed(frame.current, page.styles);
  return <iframe ref={frame} title={title} sandbox="allow-same-origin" srcdoc={page.html} onLoad={dress} />;
}

interface Undressed {
  html: string;
  styles: string[];
}

/**
 * The page without its styles, and these. They are cut out of the text: to parse a page with styles would
 * already be to break this page's policy.
 */
function undressed(page: string): Undressed {
  const styles: string[] = [];
  const html = page.replace(STYLE, (_whole, text: string) => (styles.push(text), ""));
  return { html, styles };
}

function dressed(frame: HTMLIFrameElement, styles: string[]): void {
  const inner = frame.contentDocument;
  const view = frame.contentWindow as (Window & { CSSStyleSheet: typeof CSSStyleSheet }) | null;
  if (!inner || !view) return;
  inner.adoptedStyleSheets = styles.map((text) => {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}
