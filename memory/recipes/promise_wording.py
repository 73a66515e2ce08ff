"""How English asks for a message, an attachment, or a change of a file that it names."""

from __future__ import annotations

import re

from memory.recipes.lexicon import MARK

# An address before it is marked as a path.
ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
ASKING = (
    r"(?:(?:please|pls|now|then|ok|hi|hey|hello|so)[,!]? )*"
    r"(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to "
    r"|i (?:want|need) (?:you to |to )|let's |go and |just )?(?:please )?"
)
FILLER = r"then |also |please |finally |afterwards |next |(?:can|could|would|will) you "
# Where somebody starts to say what is to be done: at the beginning, or after a stop or an "and".
START = re.compile(
    rf"(?:^{ASKING}|(?P<stop>[,;:.!?]) (?P<after>(?:and |{FILLER})*)"
    rf"|(?P<and> (?:and|then|&) )(?P<filler>(?:{FILLER})*))",
    re.IGNORECASE,
)
# What is asked after these is how, or whether, something happens.
ABOUT = re.compile(
    r"^(?:how|why|where|when|whether|if|is|are|was|were|does|do|did|has|have|should|must|may|might"
    r"|(?:can|could|would) (?!you\b)|what (?:happens|does|do|if|is|are)|who\b|explain|describe)\b",
    re.IGNORECASE,
)
WHICH = re.compile(r"^(?:which|what|whose)\b", re.IGNORECASE)
# What follows a bare "and" in such a question is part of it, unless it speaks of what was asked for.
THEM = re.compile(r"\w[\w-]* (?:them|the list|the results?)\b", re.IGNORECASE)
RELATIVE = re.compile(r"\b(?:that|which|who|what)\b", re.IGNORECASE)
EMBEDDED = re.compile(r"\b(?:where|how|why|whether|when|if)\b", re.IGNORECASE)

PRONOUN = r"(?:it|them|this|that|these|those|everything|all of (?:it|them|these|those))"
# "Send me the list" asks for an answer; "e-mail me the list" does not.
OTHERS = (
    r"(?:him|her|everyone|everybody|my [a-z]+|our [a-z]+|the team"
    r"|(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?![\w./]))"
)
TO = rf"(?P<to>«@\d+»|me|us|{OTHERS})"
TO_OTHERS = rf"(?P<to>«@\d+»|{OTHERS})"
END = r"(?= *(?:$|[,;.!?]| and | then | as | with | by | via | in an? e-?mail| please))"
# The gap between a verb and its recipient: no stop, no other recipient.
OBJECT = r"(?P<object>[^,;.!?]{1,160}?)"
MAIL = r"(?:e-?mail|mail)"
DELIVERIES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:send|write) (?:an?|another|the) {MAIL} (?:message )?to {TO}(?P<rest>[^,;.!?]*)",
        rf"send {TO} an? {MAIL}(?P<rest>[^,;.!?]*)",
        rf"{MAIL} {OBJECT} to {TO}(?P<rest> (?:by|via|as|in|with) [^,;.!?]*)?{END}",
        rf"(?:send|forward) {OBJECT} to {TO_OTHERS}(?P<rest> (?:by|via|as|in|with) [^,;.!?]*)?{END}",
        rf"{MAIL} {TO}(?: (?:with |about )?{OBJECT})?(?= *(?:$|[,;.!?]))",
        rf"(?:send|forward) {TO_OTHERS} {OBJECT}(?= *(?:$|[,;.!?]))",
        rf"{MAIL} (?P<object>{PRONOUN}|the (?:results?|list|answer|output|findings|summary)){END}",
        rf"(?:send|forward) {OBJECT} (?:by|via|in an?|as an?) {MAIL}(?P<rest>[^,;.!?]*)",
    )
]
FILE_NOUN = (
    r"(?:files?|documents?|docs|reports?|pdfs?|notes?|images?|pictures?|results?|lists?|scripts?|logs?"
    r"|spreadsheets?)"
)
ATTACH = re.compile(
    rf"attach (?P<object>{PRONOUN}|(?:the|all|both|every|my|each)\b[^,;.!?]*?\b{FILE_NOUN}|{MARK})"
    r"(?: (?:to|in) [^,;.!?]*)?"
    r"(?= *(?:$|[,;.!?]| and | then ))",
    re.IGNORECASE,
)
ATTACHED = re.compile(
    rf"\b(?:as (?:an )?attachments?\b"
    rf"|with (?:{PRONOUN}|(?:the|all|my)[^,;.!?]*?\b{FILE_NOUN}|{MARK}) attached\b)",
    re.IGNORECASE,
)

DETERMINER = r"(?:an? |the |my |our |this )?"
FILE = rf"(?P<file>{MARK})"
CALLED = r"(?:called |named )?"
SAVE = re.compile(
    r"(?:save|export|write|store|dump|put|output|record) (?!to\b|in\b|into\b)[^,;.!?«»]{1,80}? "
    rf"(?:in|to|into|as) {DETERMINER}(?:new )?(?:\w+ )?(?:file )?{CALLED}{FILE}",
    re.IGNORECASE,
)
KIND = r"(?:(?:new|empty|blank|small|short|text|markdown|python|json|yaml|csv|html) )*"
A_FILE = r"(?:file|document|script|note|page) "
CREATE = re.compile(
    rf"(?:(?:create|write|generate|touch) {DETERMINER}{KIND}(?:{A_FILE})?"
    rf"|(?:make|add) {DETERMINER}{KIND}{A_FILE}){CALLED}{FILE}(?!\w)"
    # "Write setup.py documentation" makes no setup.py.
    r"(?= *(?:$|[,;:.!?]| (?:with|that|containing|in|under|from|and|using|which|saying|for|as|then|to)\b))",
    re.IGNORECASE,
)
DELETE = re.compile(
    rf"(?:delete|remove|erase|trash) (?:the )?(?:file |folder |directory )?{CALLED}{FILE}"
    r"(?= *(?:$|[,;.!?]| and | then | please))",
    re.IGNORECASE,
)
MOVE = re.compile(
    rf"(?:rename|move) (?:the )?(?:file |folder |directory )?{CALLED}{FILE} (?:to|into|as) ", re.IGNORECASE
)
NEW_DIRECTORY = re.compile(
    rf"(?:(?:create|make|add) {DETERMINER}(?:(?:new|empty) )*(?:sub-?)?(?:folder|directory|dir) "
    r"(?:called |named )"
    rf"|mkdir (?:-p )?){DETERMINER}(?P<file>{MARK}|[\w.-]+)",
    re.IGNORECASE,
)
CHANGES = (
    ("write_file", SAVE),
    ("write_file", CREATE),
    ("delete_file", DELETE),
    ("move_file", MOVE),
    ("make_directory", NEW_DIRECTORY),
)
