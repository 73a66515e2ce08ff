"""A report as one self-contained page: each sentence leads to the words of its source, without a script.

Everything in a report may come from sources and models, so every text goes through `escaped`; tags are
written here and in `configs/pages` only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any
from urllib.parse import urlsplit

from cli.report_facts import report_facts
from cli.trace_page import escaped
from tools.search.tokens import language_of

_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}\.)\s+")
_QUOTE = re.compile(r">\s+")
_INLINE = re.compile(r"\[(?P<name>[^\[\]\n]+)\]\((?P<url>[^()\s]+)\)|\*\*(?P<bold>[^*\n]+)\*\*")
_SHOWN_CHARS = 1200
LEVELS = {"High": "good", "Medium": "warn", "Low": "bad"}


def page_of(item: Mapping[str, Any]) -> str:
    """The page of a report, as text that has a UTF-8 form.

    Args:
        item: the NLWeb Item of a report, of any of its kinds.
    """
    folder = files("configs") / "pages"
    facts = report_facts(item)
    confidence = str(facts.get("confidence", "Low"))
    about = [
        str(facts.get("@type", "")),
        f"mode {facts.get('mode', '')}",
        _counted(facts.get("total_sources_analyzed", 0), "source") + " read",
        _counted(facts.get("iterations", 0), "iteration"),
    ]
    return Template((folder / "research.html").read_text("utf-8")).substitute(
        title=escaped(_title(item)),
        language=language_of(str(item.get("description", ""))[:2000]) or "",
        style=(folder / "trace.css").read_text("utf-8") + (folder / "research.css").read_text("utf-8"),
        about=escaped(" · ".join(about)),
        tone=LEVELS.get(confidence, "warn"),
        confidence=escaped(confidence),
        score=escaped(str(item.get("score", 0))),
        body=body_of(text_for_people(item), _sentences(facts)),
        proof=_proof(_evidence(facts)),
        sections="".join(
            _section(heading, content)
            for heading, content in (
                ("Contradiction map", _map(facts)),
                ("Sources", _sources(facts)),
                ("Taken out or reworded", _removed(facts)),
                ("Timeline", _timeline(facts)),
                ("Notes", _listed([*facts.get("confidence_reasons", []), *facts.get("notes", [])])),
            )
            if content
        ),
    )


def text_for_people(item: Mapping[str, Any]) -> str:
    """An item's text; below a report of none, the passages that stand nearest to an answer."""
    from nodes.research.nearest import nearest_markdown

    facts = dict(item.get("schema_object") or {})
    text, near = str(item.get("description", "")), facts.get("nearest_passages")
    if facts.get("@type") != "NoDataReport" or not isinstance(near, list):
        return text
    return f"{text.rstrip()}\n\n{nearest_markdown(near, str(facts.get('query', '')))}"


def _title(item: Mapping[str, Any]) -> str:
    """The report's own heading, which is in the language of the query."""
    heading = _HEADING.match(str(item.get("description", "")).split("\n", 1)[0])
    return heading[2] if heading else str(item.get("name", ""))


def _proof(evidence: str) -> str:
    if not evidence:
        return ""
    return f'<aside class="block proof">\n<h3>Evidence: choose a sentence</h3>\n{evidence}\n</aside>'


def _counted(number: object, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _sentences(facts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = facts.get("sentences")
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def body_of(text: str, sentences: Sequence[Mapping[str, Any]]) -> str:
    """The report's Markdown as tags, each checked sentence a link to its evidence.

    Args:
        text: headings, bullets and paragraphs; anything else is shown as it is.
        sentences: with offsets in the text.
    """
    lines: list[str] = []
    at = 0
    for line in text.split("\n"):
        end = at + len(line)
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        if heading:
            level = min(6, len(heading[1]) + 1)
            inner = _linked(text, at + heading.start(2), end, sentences)
            lines.append(f"<h{level}>{inner}</h{level}>")
        elif bullet:
            inner = _linked(text, at + bullet.end(), end, sentences)
            mark = bullet[0].strip()
            label = f'<span class="mark">{escaped(mark)}</span> ' if mark[0].isdigit() else ""
            lines.append(f'<p class="item">{label}{inner}</p>')
        elif quote := _QUOTE.match(line):
            inner = _linked(text, at + quote.end(), end, sentences)
            lines.append(f'<p class="aside">{inner}</p>')
        elif line.strip():
            lines.append(f"<p>{_linked(text, at, end, sentences)}</p>")
        at = end + 1
    return "\n".join(lines)


def _linked(text: str, start: int, end: int, sentences: Sequence[Mapping[str, Any]]) -> str:
    """A stretch of the text in which the sentences that stand in it are links."""
    parts: list[str] = []
    at = start
    for number, sentence in enumerate(sentences, start=1):
        first, last = max(at, int(sentence.get("start", 0))), min(end, int(sentence.get("end", 0)))
        if first >= last:
            continue
        verdict = escaped(str(sentence.get("verdict", "")))
        parts.append(_inline(text[at:first]))
        parts.append(f'<a class="s {verdict}" href="#e{number}">{escaped(text[first:last])}</a>')
        at = last
    parts.append(_inline(text[at:end]))
    return "".join(parts)


def _inline(text: str) -> str:
    """Links and emphasis as the Markdown of a report writes them."""
    parts: list[str] = []
    at = 0
    for match in _INLINE.finditer(text):
        parts.append(escaped(text[at : match.start()]))
        bold = match["bold"]
        parts.append(f"<strong>{escaped(bold)}</strong>" if bold else _address(match["url"], match["name"]))
        at = match.end()
    return "".join([*parts, escaped(text[at:])])


def _evidence(facts: Mapping[str, Any]) -> str:
    """For each sentence its verdict and the exact words of its sources."""
    tiers = {str(source.get("url")): source for source in facts.get("sources", [])}
    blocks = []
    for number, sentence in enumerate(_sentences(facts), start=1):
        spans = "".join(
            _span(span, tiers.get(str(span.get("url")), {})) for span in sentence.get("spans", [])
        )
        verdict = str(sentence.get("verdict", ""))
        tone = "good" if verdict == "supported" else "bad"
        blocks.append(
            f'<li id="e{number}"><p class="text">{escaped(str(sentence.get("sentence", "")))}</p>'
            f'<span class="badge small {tone}">{escaped(verdict)}</span> '
            f'<span class="why">{escaped(str(sentence.get("reason", "")))}</span>{spans}</li>'
        )
    return f'<ol class="evidence">\n{"".join(blocks)}</ol>' if blocks else ""


def _span(span: Mapping[str, Any], source: Mapping[str, Any]) -> str:
    digest = str(span.get("digest", ""))[:12]
    place = f"characters {span.get('start', 0)} to {span.get('end', 0)}, sha256 {digest}"
    name = str(source.get("name") or span.get("url", ""))
    return (
        # Lines of a file are as long as its editor was wide; hard blanks would keep words from being parted.
        f"<blockquote><p>{escaped(' '.join(str(span.get('text', '')).split())[:_SHOWN_CHARS])}</p>"
        f"<footer>{_tier(source.get('tier', 0))} {_address(str(span.get('url', '')), name)} · "
        f"{escaped(place)}</footer>"
        "</blockquote>"
    )


def _tier(tier: object) -> str:
    number = tier if isinstance(tier, int) and 0 <= tier <= 5 else 0
    return (
        f'<span class="badge small tier{number}">{"tier " + str(number) if number else "tier unknown"}</span>'
    )


def _address(url: str, name: str) -> str:
    """A link where the address is one of the web; other schemes could run something."""
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        scheme = ""
    if scheme in ("http", "https"):
        return f'<a href="{escaped(url)}" rel="noreferrer noopener">{escaped(name)}</a>'
    where = f' <span class="why">{escaped(url)}</span>' if url and url != name else ""
    return f"<span>{escaped(name)}</span>{where}"


def _map(facts: Mapping[str, Any]) -> str:
    rows = []
    for claim in facts.get("contradictions", []):
        stances = claim.get("stances", [])
        for place, stance in enumerate(stances):
            head = (
                f'<td rowspan="{len(stances)}">{escaped(str(claim.get("claim", "")))}</td>'
                if place == 0
                else ""
            )
            copies, url = len(stance.get("copies", [])), str(stance.get("url", ""))
            more = f" (+{copies} copies)" if copies else ""
            tone = "good" if stance.get("stance") == "supports" else "bad"
            rows.append(
                f'<tr>{head}<td><span class="badge small {tone}">{_text(stance, "stance")}</span></td>'
                f"<td>{_address(url, str(stance.get('site') or url))}{more}</td>"
                f"<td>{_tier(stance.get('tier', 0))}</td><td>{escaped(str(stance.get('date') or ''))}</td>"
                f"<td>{escaped(str(stance.get('text', ''))[:400])}</td></tr>\n"
            )
    head = "<tr><th>Claim</th><th>Stance</th><th>Source</th><th>Tier</th><th>Date</th><th>Words</th></tr>\n"
    return f'<table class="map">{head}{"".join(rows)}</table>' if rows else ""


def _sources(facts: Mapping[str, Any]) -> str:
    items = "".join(
        f"<li>{_tier(source.get('tier', 0))} "
        f"{_address(str(source.get('url', '')), str(source.get('name', '')))} "
        f'<span class="why">{_text(source, "site")} {_text(source, "date")}{_says_from(source)}</span></li>\n'
        for source in facts.get("sources", [])
    )
    return f'<ol class="sources">{items}</ol>' if items else ""


def _says_from(source: Mapping[str, Any]) -> str:
    named = _text(source, "says_from")
    return f" · says it is from {named}" if named else ""


def _removed(facts: Mapping[str, Any]) -> str:
    items = "".join(
        f'<li><span class="badge small bad">{escaped(str(one.get("action", "")))}</span> '
        f'<span class="text">{escaped(str(one.get("sentence", "")))}</span> '
        f'<span class="why">{escaped(str(one.get("reason", "")))}</span></li>\n'
        for one in facts.get("removed_sentences", [])
    )
    return f'<ul class="owed">{items}</ul>' if items else ""


def _timeline(facts: Mapping[str, Any]) -> str:
    items = "".join(
        f'<li><div class="moment"><p class="text"><strong>{_text(one, "node").upper()}</strong> '
        f'{_text(one, "what")}</p><p class="aside">iteration {_text(one, "iteration")}'
        "</p></div></li>\n"
        for one in facts.get("timeline", [])
    )
    return f'<ol class="timeline">{items}</ol>' if items else ""


def _listed(lines: Sequence[object]) -> str:
    items = "".join(f"<li>{escaped(str(line))}</li>" for line in lines)
    return f'<ul class="plain">{items}</ul>' if items else ""


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return escaped("" if value is None else str(value))


def _section(heading: str, content: str) -> str:
    return f'<div class="block"><h3>{escaped(heading)}</h3>\n{content}</div>\n'
