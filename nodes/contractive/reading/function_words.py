"""Words of a question that do not carry it by themselves: other checks speak for them, or nothing does."""

from __future__ import annotations

from nodes.contractive.reading.wording import STOP

# Words that tags, kinds, numbers and constraints speak for.
ENGLISH_TOLD = frozenset(
    "not no never none without neither nor least most more less fewer than all every each only both some any before after since until till during between over under above below at up to now currently current today "
    "i'm it's what's who's that's i'd i've don't doesn't didn't isn't aren't wasn't weren't can't cannot couldn't won't wouldn't shouldn't other else another must should may might will would shall have has had need needs yes or no true false isn aren wasn doesn don didn t s whether if then so such same still yet ago per via within through off out onto toward towards against around across along behind beside besides except while although though because thus hence however therefore just even too very quite rather enough almost nearly much many few several lot own these those here there every everyone everything someone something anyone anything nothing nobody ".split()
)  # fmt: skip
GERMAN_TOLD = frozenset(
    "nicht kein keine keinen keinem keiner keines nie ohne mehr weniger als alle aller allen jede jeder jedes jeden nur beide manche einige vor nach seit bis zwischen über unter am um zu zum zur an auf aus bei mit von vom im ins in beim durch für gegen ohne oder und aber wenn ob dass so auch noch schon sehr hier dort da dann man sich er sie es wir ihr ihm ihn ihnen sein seine seiner seinem seinen ihre ihrer ihrem ihren mein meine dein deine unser der die das den dem des ein eine einer einem einen eines dieser diese dieses diesem diesen jener welcher welche welches welchen welchem wer wie was wo wann warum wem wen wessen ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können soll sollte muss müssen darf mal je pro höchstens mindestens maximal genau etwa jetzt derzeit heute gestern morgen darin davon damit dazu daran darauf dabei".split()
)  # fmt: skip
HAN_TOLD = frozenset("不 没 没有 未 无 非 所有 全部 都 只 仅 至少 最多 至多 超过 不超过 大于 小于 多于 少于 高于 低于 之前 以前 之后 以后 现在 目前 今天 昨天 明天 必须 应该 每 每个 有的 有些 一些 大约 最 更 比 吗 是不是 有没有 能不能 也 又 即 等 该 各 某 第 约 不是 不能 不会 上 不同".split())  # fmt: skip
NUMBERS = frozenset("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend million millionen milliarde milliarden".split())  # fmt: skip
# Verbs that only join an answer to its question, and still tell one question from another.
STOPPED = STOP - frozenset(
    "die cause caused causes use uses used using main mainly name named known become becomes became get gets primarily really".split()
)
# Two ends of one relation whose stems are one.
_APART = ("employer employee", "interviewer interviewee", "lender lendee", "trainer trainee", "payer payee", "addresser addressee", "import important", "international internal", "organ organization", "universe university", "general generation", "economic economical", "marine marinade", "numeral numerous", "author authority", "desert dessert")  # fmt: skip
PAIRS_APART = frozenset(frozenset(pair.split()) for pair in _APART)
