"""The Markdown of a report: the checked words, citations as [N], disagreements, and the numbered sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from nodes.research.citations import rendered
from nodes.research.languages import about_languages
from nodes.research.passages import CJK
from nodes.research.state import ClaimStances, ResearchState, Source, Stance
from tools.search.own_reports import TITLES

# (English, Chinese)
WORDS = {
    "title": TITLES,
    "disputed": ("Sources disagree", "來源說法不一"),
    "older": ("Older and newer versions", "新舊版本"),
    "missing": ("What the sources do not tell", "來源未說明"),
    "unread": ("Not read, or not whole", "未讀取或未完整讀取的檔案"),
    "languages": ("Sources in other languages", "其他語言的來源"),
    "more": ("and {} more", "另有 {} 項"),
    "sources": ("Sources", "資料來源"),
    "rejected": (
        "This report was not approved by the review and is a draft of low confidence.",
        "本報告未通過審查，請視為低可信度草稿。",
    ),
    "copied": (
        "This report copies sentences from its sources; no model worded it.",
        "本報告由程式摘錄來源原句，未經模型改寫。",
    ),
    "not_understood": (
        "This report was not narrowed: the answer to what the question means was none of the readings.",
        "本報告未縮小範圍：對問題意思的回答不是所列的任何一項。",
    ),
    "tier": ("tier", "等級"),
    "unknown": ("unknown", "未知"),
    "no_date": ("no date", "無日期"),
    "says_from": ("says it is from", "自稱來自"),
    "says": ("says", "稱"),
    "no_data": ("Not enough evidence", "證據不足"),
    "no_data_text": (
        "The available sources do not answer this question, so no answer is given.",
        "現有來源無法回答這個問題，因此不提供答案。",
    ),
    "nearest": ("Nearest passages, which may not answer it", "最接近的段落（未必能回答）"),
    "searched": ("Searched for", "已搜尋"),
    "why": ("Why", "原因"),
    "error": ("The research could not be done", "研究無法完成"),
    "remedy": ("What helps", "處理方式"),
}
# Why there is no report, for readers of Chinese.
REASONS = {
    "The search found no document for this query.": "搜尋沒有找到任何相關文件。",
    "The question names nothing to look for.": "問題沒有指出要查找的對象。",
    "No source says enough about this query.": "沒有任何來源足以回答這個問題。",
    "No sentence of the report is what its sources say.": "報告中沒有一句話能由來源證實。",
    "No sentence of the report is what its sources say, so none is left.": "報告中沒有一句話能由來源證實。",
    "The sources do not answer this.": "來源沒有回答這個問題。",
    "The sources do not tell everything that was asked.": "來源沒有回答問題的全部內容。",
    "The draft is empty.": "草稿是空的。",
}
MOST_DISPUTES = 6
MOST_OF_A_SIDE = 3
MOST_UNREAD = 12
# How the index ranked is told among the notes; it leaves nothing out.
MULTILINGUAL = "multilingual-e5"
HOW_FOUND = "Passages were found by "
LONGEST_QUOTE = 400
LONGEST_TITLE = 300
# Schemes under which documents lie; another one could run something.
LINKED = ("http", "https", "chroma", "mcp")
# What would end an address in Markdown, and what Markdown reads as another sign.
_IN_NO_ADDRESS = re.compile(r"[\s()<>\[\]\"'`\\]|&(?=#?\w+;)")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def fixed_text(key: str, query: str) -> str:
    """A fixed text in the query's language."""
    return WORDS[key][1 if re.search(rf"[{CJK}]", query) else 0]


def reason_text(reason: str, query: str) -> str:
    """Why there is no report, in the query's language where it is one of the known reasons."""
    return REASONS.get(reason, reason) if re.search(rf"[{CJK}]", query) else reason


def report_markdown(state: ResearchState, body: str, listed: Sequence[Source]) -> str:
    """The whole report.

    Args:
        state: at the end of the run.
        body: the checked words with {cite:N}, N from 1 as in `listed`.
        listed: the sources in the order they are numbered.
    """
    query = state.query
    parts = [f"# {heading(query)}"]
    if state.rejected:
        parts.append(f"> **{fixed_text('rejected', query)}**")
    if state.extractive or not state.judges:
        parts.append(f"> {fixed_text('copied', query)}")
    if not state.asked.understood:
        parts.append(f"> {fixed_text('not_understood', query)}")
    parts.append(rendered(_without_title(body)))
    disputes = disputes_markdown(state.contradictions, listed)
    if disputes:
        parts.append(f"## {fixed_text('disputed', query)}\n\n{disputes}")
    versions = versions_markdown(state.contradictions, listed, query)
    if versions:
        parts.append(f"## {fixed_text('older', query)}\n\n{versions}")
    parts.append(missing_markdown(state))
    parts.append(f"## {fixed_text('sources', query)}\n\n{source_list(listed, query)}")
    parts += [languages_markdown(state), unread_markdown(unread(state), query)]
    return "\n\n".join(part for part in parts if part.strip()) + "\n"


def missing_markdown(state: ResearchState) -> str:
    """The section on what the sources do not tell; empty where nothing is known to be missing."""
    missing = state.analysis.missing_information if state.analysis is not None else []
    told = [line for line in missing if line != state.no_data]
    lines = [f"- {' '.join(unmarked(reason_text(line, state.query)).split())}" for line in told]
    return f"## {fixed_text('missing', state.query)}\n\n" + "\n".join(lines) if lines else ""


def unread(state: ResearchState) -> list[str]:
    """What the searches could not read, or not whole, and what they left aside, each once."""
    notes = dict.fromkeys(note for search in state.searches for note in search.notes)
    return [note for note in notes if not note.startswith(HOW_FOUND)]


def languages_markdown(state: ResearchState) -> str:
    """The section on sources in other languages; empty where there are none, or every part is answered."""
    told = languages_told(state)
    return f"## {fixed_text('languages', state.query)}\n\n{told}" if told else ""


def languages_told(state: ResearchState) -> str:
    """What to say of sources in other languages, and what helps."""
    notes = [note for search in state.searches for note in search.notes if note.startswith(HOW_FOUND)]
    multilingual = not notes or any(MULTILINGUAL in note and "not used" not in note for note in notes)
    return about_languages(state.query, state.other_languages, len(state.sources), multilingual=multilingual)


def unread_markdown(notes: Sequence[str], query: str) -> str:
    """The section that tells what was not read; empty if everything was.

    It stands below the sources, quoted: no name of a file can pass for an entry of their list.
    """
    if not notes:
        return ""
    lines = [f"- “{unmarked(' '.join(note.split()))[:LONGEST_QUOTE]}”" for note in notes[:MOST_UNREAD]]
    if len(notes) > MOST_UNREAD:
        lines.append(f"- {fixed_text('more', query).format(len(notes) - MOST_UNREAD)}")
    return f"## {fixed_text('unread', query)}\n\n" + "\n".join(lines)


def title(query: str) -> str:
    """The report's title as the NLWeb Item has it."""
    return f"深度研究報告：{' '.join(query.split())}"


def heading(query: str) -> str:
    """The report's heading, in the query's language."""
    words = " ".join(query.split())
    return fixed_text("title", query) + (
        words if len(words) <= LONGEST_TITLE else f"{words[:LONGEST_TITLE]}…"
    )


def asked_in(report: str) -> str:
    """The query a report names in its title as `heading` writes it; empty for any other text."""
    words = "|".join(re.escape(one) for one in WORDS["title"])
    found = re.match(rf"\s*#[ \t]+(?:{words})([^\n]*)", report)
    return found[1] if found else ""


def source_list(listed: Sequence[Source], query: str) -> str:
    """Numbered sources, one a line."""
    lines = []
    for number, source in enumerate(listed, start=1):
        tier = str(source.tier) if source.tier else fixed_text("unknown", query)
        name = _named(source.name or source.url)
        date = source.date or fixed_text("no_date", query)
        about = f"{_named(source.site)}, {fixed_text('tier', query)} {tier}, {_named(date)}"
        if source.says_from:
            about += f", {fixed_text('says_from', query)} `{_named(source.says_from)}`"
        lines.append(f"{number}. [{name}]({_address(source.url)}) — {' '.join(about.split())}")
    return "\n".join(lines)


def _named(text: str) -> str:
    """A name or a site on one line, in which nothing is a tag, a link or the end of one."""
    return " ".join(re.sub(r"[\[\]<>`\\]", " ", text).split())


def _address(url: str) -> str:
    """An address that ends where it ends and leads to a document: of any other scheme it is no link."""
    # Line ends and tabs inside a scheme are passed over by browsers.
    plain = _IN_NO_ADDRESS.sub(lambda found: quote(found[0]), re.sub(r"[\x00-\x1f\x7f]", "", url))
    scheme = _SCHEME.match(plain)
    if scheme is None or scheme[1].lower() in LINKED:
        return plain
    return plain.replace(":", "%3A", 1)


def disputes_markdown(claims: Sequence[ClaimStances], listed: Sequence[Source]) -> str:
    """The words of each side, quoted from its source."""
    blocks: list[list[tuple[Stance, str]]] = []
    for claim in claims:
        told = _quoted(claim, ("supports", "contradicts"), listed)
        if claim.disputed and len({stance.stance for stance, _ in told}) > 1 and _new(told, blocks):
            blocks.append(told)
    return "\n".join(line for told in blocks[:MOST_DISPUTES] for _, line in told)


def versions_markdown(claims: Sequence[ClaimStances], listed: Sequence[Source], query: str) -> str:
    """What sources told earlier or later of the same, under the date of each source."""
    blocks: list[list[tuple[Stance, str]]] = []
    for claim in claims:
        told = _quoted(claim, ("older", "newer"), listed)
        if claim.superseded and told and _new(told, blocks):
            blocks.append(told)
    by_date: dict[str, list[str]] = {}
    for stance, line in (pair for told in blocks[:MOST_DISPUTES] for pair in told):
        by_date.setdefault(stance.date or fixed_text("no_date", query), []).append(line)
    return "\n\n".join(f"### {day}\n\n" + "\n".join(by_date[day]) for day in sorted(by_date))


def _quoted(
    claim: ClaimStances, stances: Sequence[str], listed: Sequence[Source]
) -> list[tuple[Stance, str]]:
    """A few quotations of each stance, with the number of their source."""
    numbers = {source.url: number for number, source in enumerate(listed, start=1)}
    told: list[tuple[Stance, str]] = []
    for stance in claim.stances:
        text = unmarked(" ".join(stance.text.split()))
        side = sum(other.stance == stance.stance for other, _ in told)
        if (
            stance.stance in stances
            and stance.url in numbers
            and len(text) <= LONGEST_QUOTE
            and side < MOST_OF_A_SIDE
        ):
            told.append((stance, f"- “{text}” [{numbers[stance.url]}]"))
    return told


def _new(told: Sequence[tuple[Stance, str]], blocks: Sequence[Sequence[tuple[Stance, str]]]) -> bool:
    """False if one of the quotations stands in a block already: two claims of one thing need one block."""
    before = {line for block in blocks for _, line in block}
    return not any(line in before for _, line in told)


def _without_title(body: str) -> str:
    return re.sub(r"\A\s*#\s[^\n]*\n+", "", body)


def unmarked(text: str) -> str:
    """Words without what Markdown or a citation would be made of."""
    return re.sub(r"[\[\]{}<>`*#|]", "", text)
