"""Which sentences of a report state something a source could bear out. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.facts import Facts

_EVIDENCE = re.compile(
    r"\b(?:not enough|insufficient|no(?: reliable| sufficient| direct)?) (?:evidence|information|data|source)|\b(?:sources?|documents?|evidence) (?:do(?:es)? not|did not|don't|are silent|is silent|says? nothing)"
    r"|\b(?:could|can) ?not be (?:found|verified|determined|confirmed|answered|established|checked)|\bnone of the (?:sources|documents)\b|\bno (?:cited )?source\b"
    r"|证据不足|资料不足|资讯不足|信息不足|没有(?:找到|足够|任何来源)|查无|无法(?:确认|判断|得知|回答|查证|验证|确定)|(?:来源|资料|文件|证据)(?:中)?(?:并未|未|没有|皆未|均未)(?:提及|提到|说明|显示|记载|提供|指出)",
    re.IGNORECASE,
)
_ABOUT_ITSELF = re.compile(
    r"^(?:\W*)(?:(?:this|the present|the following|our) (?:report|section|summary|analysis|article|brief|table|list|page|document|overview|answer|review)\b|(?:sources?|methodology|method|confidence(?: level)?|limitations?|mode|query|question|note|notes|date|generated|title|author|keywords)\b\s*[:：(]"
    r"|(?:here|below|above|what follows)\b|(?:本|这份|此份|此|该)(?:报告|摘要|节|文|表|段|分析|综述)|(?:以下|下列|下文|下面|上述)|(?:信心|置信|可信)(?:程度|水准|度|水平)?\s*[:为]|(?:方法|研究方法|方法说明|资料来源|来源|备注|说明|注|模式|查询|问题)\s*[:：])",
    re.IGNORECASE,
)
_TRANSITION = re.compile(
    r"^(?:\W*)(?:in (?:summary|conclusion|short|brief|sum)|to (?:summari[sz]e|conclude|sum up)|overall|taken together|finally|turning to|let us|next|we (?:now|next|first|then|also)|it is (?:worth|important) |as (?:noted|shown|discussed)|several (?:points|findings)|the (?:evidence|sources|findings|picture)\b"
    r"|总结|综上|总而言之|总的来说|整体而言|综合而言|接下来|首先|最后|值得注意|如上|由此可见|换言之|我们)",
    re.IGNORECASE,
)

# What a definition list says of a term.
_DEFINED = re.compile(r"\S\s*\n[ \t]*[:：][ \t]+\w")


def makes_claim(text: str, facts: Facts, kind: str, cited: bool) -> bool:
    """True if a source could bear a sentence out or contradict it.

    Args:
        text: the sentence, folded, without citations.
        facts: of the sentence.
        kind: "prose", "heading", "row" or "code".
        cited: it carries a citation.
    """
    if kind in ("heading", "code"):
        return False
    bare = text.strip(" *_>#-|:\n")
    if not facts.terms and not facts.quantities and not facts.names:
        return False
    if cited:
        return True
    if _DEFINED.search(text):
        return True
    solid = bool(facts.quantities or facts.names or facts.moments)
    if re.fullmatch(r"(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__)\s*:?", text.strip()) or (
        text.rstrip(" *_").endswith((":", "：")) and not solid
    ):
        return False
    if bare.endswith(("?", "？")) or _EVIDENCE.search(text) or _ABOUT_ITSELF.match(bare):
        return False
    if _TRANSITION.match(bare) and not solid:
        return False
    if kind == "row":
        return bool(facts.quantities)
    size = len(facts.terms) + 2 * len(facts.quantities)
    return size >= 2
