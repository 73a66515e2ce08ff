"""What a goal says that the recipes for questions do not read: they would answer a shorter one.

They know files, texts, counts and history. The form of an output, the order, the parts of a line, a second
action, or a fact about the machine is beyond them, and a goal that asks for it is left to whoever reads it whole.
"""

from __future__ import annotations

import re

from memory.recipes.lexicon import load_lexicon
from memory.recipes.reading import Reading
from memory.recipes.requests.marked import mark
from memory.recipes.requests.wording import plain

ASKED = re.compile(
    r"\W*(?:how|which|what|what's|who|whose|where|when|why|(?:is|are|was|were|do|does|did|has|have|can) )",
    re.IGNORECASE,
)
DONE_NEXT = (
    "append archive calculate change compress compute convert copy create cut delete display encode extract format "
    "group join link list make merge move number order output pipe print put redirect remove rename replace report "
    "reverse save show sort split store strip sum trim truncate write"
).replace(" ", "|")
MORE = re.compile(
    # another action, or somewhere to put the answer
    rf"(?:\b(?:and|then|but)|;|, then)(?: then| also)?(?: only)? (?:{DONE_NEXT})\b|\b(?:save|saved|redirect|redirected|store|stored)\b"
    r"|\b(?:in)?to (?:a |the )?(?:new )?(?:text )?file\b"
    r"|^(?:print|dump|output|cat) ‹[PQ]\d+› (?:in)?to ‹[PQ]\d+›$|^(?:pack|dump)\b.* into ‹[PQ]\d+›$"
    # order and form
    r"|\b(?:sort(?:ed|ing)?|order(?:ed)? by|(?:ascending|descending|alphabetical|numeric|numerical|reverse)(?: order)?|reversed?|alphabetically|numerically)\b"
    r"|\bfirst$|\b(?:absolute|relative|base) ?(?:path|name)(?:s|names?)?\b|\bhuman[- ]readable\b|\bin (?:kb|mb|gb|kib|mib|kilobytes|megabytes|gigabytes|blocks|octal|hex\w*|json|csv)\b"
    r"|\blong (?:listing|format)\b|\bwithout (?:the |their |any |its )?(?:paths?|directory|extensions?|suffix|header|names?|leading|trailing)\b"
    r"|\b(?:one|each) (?:per|on (?:a|its)) |\bseparated\b|\bon (?:one|a single) line\b|\bformat(?:ted)?\b|\bprefix(?:ed)?\b|\bsuffix(?:ed)?\b"
    # what is used on disk is counted in blocks, not in bytes of contents
    r"|\bdisk (?:usage|space)\b|\bspace (?:used|taken|occupied)\b|\bsizes? on disk\b"
    # parts of lines
    r"|\b(?:in|for|of) each(?: of them| one)?$|\b(?:each|every) (?:line|word|row|column|character|field|entry)\b|\b(?:first|last|second|third|nth|\d+(?:st|nd|rd|th)) (?:word|column|field|character|letter|byte)s?\b"
    r"|\bline numbers?\b|\bnumbered\b|\bdelimit\w*|\bseparat\w+|\bmatching parts?\b|\bonly the match\w*|\bregular expressions?\b|\bregex\b|\bpattern\b"
    r"|\b(?:digits?|vowels?|consonants?|capital letters?|whitespace)\b|\b(?:in|to|into|as|all) (?:upper|lower)[ -]?case\b|\bsquee?ze\b"
    r"|\blines? (?:between|from .+ to|\d+ (?:to|through|and))|\bcontext\b|\b(?:before|after) (?:each|every|the) match\w*|\bpairs? of\b|\bexcept\b.*\b(?:first|last)\b"
    # facts of an entry
    r"|\b(?:permissions?|access rights?|inodes?|hard links?|access times?|owned by|belong(?:s|ing)? to|owners?|for user|of user|group owner|setuid|sticky)\b"
    r"|\bdirector(?:y|ies) (?:named|called|that|which|with|containing|whose|matching)\b|\bfolders? (?:named|called|that|which|with|containing|whose|matching)\b"
    r"|\bonly (?:the )?(?:director|folder|sub|symlink|symbolic)|\bsymbolic|\bsymlinks?\b|\bmax(?:imum)? depth\b|\bnot recurs\w+|\bnon-?recurs\w+|\bsub-?(?:directories|folders)\b(?=.*\bnot\b)",
    re.IGNORECASE,
)
MACHINE = re.compile(
    r"\b(?:cpus?|cpu cores?|processors?|ram|swap(?: space)?|(?:free|physical|total|available|used|system) memory|memory (?:usage|use|is|used|available|free|consumption)"
    r"|load average|uptime|(?:been )?(?:running|up) (?:for|since)|last (?:re)?boot\w*|booted)\b"
    r"|\b(?:running|active|background|zombie|system|current|top) (?:process(?:es)?|services?|jobs|programs)\b|\bprocess(?:es)?\b|\bprocess ids?\b|\bpids?\b|\bparent process\b"
    r"|\blogged[- ]?(?:in|on)\b|\bhost ?name\b|\bmy ip\b|\bip address(?:es)? of (?:this|the)\b|\bnetwork (?:interfaces?|cards?|connections?|configuration)\b|\b(?:open|listening) (?:network )?(?:ports?|sockets?)\b"
    r"|\b(?:default )?gateway\b|\brouting table\b|\bmac address\b|\bmounted\b|\bmount points?\b|\bpartitions?\b|\bblock devices?\b|\b(?:free|available|used|remaining) (?:disk )?space\b|\bdisk space\b|\bfile ?systems?\b"
    r"|\benvironment\b(?! file)|\benv vars?\b|\$[A-Z]\w*\b|\bPATH variable\b|\b(?:login|default|current|my) shell\b|\binstalled (?:packages?|programs?|software|version)\b|\bkernel\b|\boperating system\b|\bdistribution\b"
    r"|\b(?:of|on|in|for) (?:the|this|my) (?:system|machine|computer|server|host|laptop|box|os)\b|\bsystem (?:users?|groups?|information|time|date|load)\b|\b(?:all|list|local) users\b|\buser accounts?\b|\bhome director(?:y|ies)\b",
    re.IGNORECASE,
)
# Where a link leads is read from the link, however it is asked.
LINK = re.compile(r"‹[QP]\d+› (?:points?|leads?)(?: to)?\W*$", re.IGNORECASE)
# A goal that speaks of these, or names a path or a text, asks of the project what the words above mean there.
PROJECT = re.compile(
    r"\b(?:files?(?! ?systems?)|scripts?|code|source|functions?|methods?|class(?:es)?|modules?|repo(?:sitory)?|project|commits?|lines?|docs?|documentation|readme"
    r"|tests?|defined?|defines|set|config\w*|documented|mention\w*|imports?|implement\w*|handles?|settings?|tools?|graph|author\w*|ci|jobs?|workflows?|images?)\b|\w_\w",
    re.IGNORECASE,
)


def asks_of_machine(goal: str) -> bool:
    """True if a goal asks about the machine, not about files: no file of a project holds that answer."""
    text = plain(mark(goal).text)
    return MACHINE.search(text) is not None and PROJECT.search(text) is None and "‹" not in text


JOINED = re.compile(
    r"\b(?:and|or|plus|&),? (?:then |also )?(?:(?:all|the|any|its|their|my|of|in|under|from|for|both|other) )*(?P<next>\S+)",
    re.IGNORECASE,
)
# What is asked beside the first question is told with it: how many, which, and of which.
ASKED_BESIDE = re.compile(r"(?:how|which|what|what's|who|where|when|tell|give)\b", re.IGNORECASE)


def orders_more(goal: str, reading: Reading) -> bool:
    """True if words of an order are left over that narrow it or add to it: "A and print B", "A but not B".

    A question is answered whole without them; what is ordered is to be done as stated.
    """
    text = plain(goal)
    if ASKED.match(text) or text.rstrip().endswith("?"):
        return False
    return bool(reading.weighty) or any(
        not _is_listed(match["next"].strip(".,;:()'\"`"), reading) for match in JOINED.finditer(text)
    )


def _is_listed(word: str, reading: Reading) -> bool:
    """True if a word after "and" is one more of the things named before it, which the reading has taken up."""
    lexicon = load_lexicon()
    named = [mention.text for mention in reading.mentions] + ([reading.literal] if reading.literal else [])
    if ASKED_BESIDE.match(word) or any(word in (text, *re.split(r"[/\s]", text)) for text in named):
        return True
    if re.search(r"[./_*]|^[A-Z]", word):
        return True
    kinds = (kind.pattern for kind in lexicon.kinds)
    # Only what lists a first level takes files and directories alike.
    alike = (lexicon.file_nouns, lexicon.facets["things"]["directory"]) if "top" in reading.things else ()
    return any(pattern.search(word) for pattern in (*alike, *kinds))


def asks_more(goal: str) -> bool:
    """True if a recipe for questions would leave a part of a goal out.

    People who ask get a sentence, and what surrounds it; what is ordered is to be done as stated.
    """
    text = plain(mark(goal).text)
    return (
        asks_of_machine(goal)
        or LINK.search(text) is not None
        or (ASKED.match(text) is None and MORE.search(text) is not None)
    )
