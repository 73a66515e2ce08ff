"""How questions say what an answer has to keep to: patterns in English, Chinese and German, over folded text."""

from __future__ import annotations

import re

from nodes.contractive.reading.number_named import ENGLISH, GERMAN, HAN

_I = re.IGNORECASE
_N = rf"\d[\d,]*|{ENGLISH}|{GERMAN}|{HAN}"
_BEFORE = r"(?:(?P<before>(?:at (?:the )?(?:most|least)|no more than|not more than|no fewer than|not exceeding|up to|fewer than|less than|more than|under|over|below|above|within|max(?:imum|\.)?(?: of)?|min(?:imum|\.)?(?: of)?|a (?:maximum|minimum) of|exactly|precisely|only|just|about|around|approximately|roughly|circa|ca\.|höchstens|mindestens|maximal|minimal|nicht mehr als|weniger als|mehr als|unter|über|bis zu|genau|etwa|ungefähr|rund|不超过|不多于|最多|至多|不少于|至少|最少|少于|多于|超过|大约|约|恰好|正好))\s*)?"
_UP_TO = rf"(?:\s?(?:-|to|or|bis|oder|至|到|~)\s?(?P<upper>{_N}))?"
_AFTER = r"(?P<after>\s*(?:or (?:less|fewer|more)|at most|at least|maximum|max\.?|minimum|oder (?:weniger|mehr)|以内|之内|以下|以上|左右))?"

AT_MOST = re.compile(
    r"at (?:the )?most|no more than|not more than|not exceeding|up to|within|max|or (?:less|fewer)|höchstens|nicht mehr als|bis zu|oder weniger|不超过|不多于|最多|至多|以内|之内|以下",
    _I,
)
AT_LEAST = re.compile(
    r"at (?:the )?least|no fewer than|min(?:imum|\.)|a minimum|or more|mindestens|minimal|oder mehr|不少于|至少|最少|以上",
    _I,
)
STRICTLY_UNDER = re.compile(
    r"fewer than|less than|(?<!no )\bunder\b|\bbelow\b|weniger als|\bunter\b|少于", _I
)
STRICTLY_OVER = re.compile(
    r"(?<!no )(?<!not )more than|\bover\b|\babove\b|(?<!nicht )mehr als|\büber\b|多于|(?<!不)超过", _I
)
ABOUT = re.compile(r"about|around|approximately|roughly|circa|ca\.|etwa|ungefähr|rund|约", _I)

LENGTHS = (
    ("word", re.compile(rf"(?<![\w]){_BEFORE}(?P<n>\d[\d,]*|{ENGLISH}|{GERMAN}|a single)(?![\w]){_UP_TO}[ -]?(?:words?|wort(?:en|e)?|wörtern?)\b(?! (?:in the|of the|that|which|from|for|can|are|does|do|did|have|contain|begin|start|end)){_AFTER}", _I)),
    ("word", re.compile(rf"{_BEFORE}(?P<n>\d+|{HAN}){_UP_TO}\s?个(?:词|单词|单字|英文单词){_AFTER}")),
    ("sentence", re.compile(rf"(?<![\w]){_BEFORE}(?P<n>\d[\d,]*|{ENGLISH}|{GERMAN}|a single|a)(?![\w]){_UP_TO}[ -](?:(?:short|complete|simple|brief|full|concise|einzigen|kurzen|ganzen) )*(?:sentences?|satz|sätzen?)\b(?! (?:that (?:contains|has)|is|contains|has|mean)){_AFTER}", _I)),
    ("sentence", re.compile(rf"{_BEFORE}(?P<n>\d+|{HAN}){_UP_TO}\s?(?:句话|句){_AFTER}")),
    ("character", re.compile(rf"(?<![\w]){_BEFORE}(?P<n>\d[\d,]*|{ENGLISH}|{GERMAN})(?![\w]){_UP_TO}[ -]?(?:characters?|zeichen)\b{_AFTER}", _I)),
    ("character", re.compile(rf"{_BEFORE}(?P<n>\d+|{HAN}){_UP_TO}\s?(?:个)?(?:汉字|字符(?!串)|字(?!母|词|典|段|符)){_AFTER}")),
    ("paragraph", re.compile(rf"(?<![\w]){_BEFORE}(?P<n>\d[\d,]*|{ENGLISH}|{GERMAN}|a single|a)(?![\w]){_UP_TO}[ -](?:(?:short|brief) )?(?:paragraphs?|absatz|absätzen?)\b{_AFTER}", _I)),
    ("paragraph", re.compile(rf"{_BEFORE}(?P<n>\d+|{HAN})\s?(?:个段落|段话|段){_AFTER}")),
)  # fmt: skip
BRIEFLY = re.compile(
    r"\b(?:briefly|concisely|keep it short|be (?:brief|concise|short)|in short|in brief|short answer|in a nutshell|kurz und knapp|fasse dich kurz|in aller kürze|möglichst kurz)\b|简要|简短|简单(?=地?(?:说|介绍|解释|描述|回答))|简洁|一言以蔽之",
    _I,
)

_ORDERS = r"(?:name|list|give|provide|mention|suggest|state|find|write(?: down)?|tell(?: me)?|describe|identify|enumerate|show|recommend|propose|explain|come up with|pick|choose|cite|offer|outline|discuss|think of|what are|which are|what were|nenne|nennen|gib|geben|liste|zähle|beschreibe|schreibe?|finde|erkläre|schlage|was sind)"
ITEMS = re.compile(
    rf"\b(?P<said>{_ORDERS})(?: (?:me|us|mir|uns|bitte|sie|the|your|its|their|any|some|out|top|best|top ten|die|der))*\s+(?:(?P<before>at least|at most|up to|exactly|no more than|no fewer than|a maximum of|a minimum of|mindestens|höchstens|genau|maximal|bis zu)\s+)?(?:the |top )*(?P<n>\d+|{ENGLISH}|{GERMAN})(?:\s?(?:-|to|or|bis|oder)\s?(?P<upper>\d+|{ENGLISH}|{GERMAN}))?(?![\w.,%/°^*+=-]| ?[-+*/^=×])\s+(?P<noun>(?:[^\W\d_]+[ -]){{0,3}}?[^\W\d_]+)"
    rf"|(?:列出|列举|举出?|说出|写出|给出|提供|说明|指出|介绍|推荐|提出|举|给我|列|找出)(?:我)?(?P<han_before>至少|最多|不超过|恰好)?(?P<han_n>\d+|{HAN})\s?(?:个|种|点|条|项|本|位|座|部|款|家|名|首|类|例)(?P<han_noun>[\u3400-\u9fff]{{0,6}})"
    rf"|(?:列出|列举|举出?|说出|写出|给出|提供|说明|指出|介绍|推荐)[^。？?，,]{{1,20}}?的(?P<german_before>至少|最多)?(?P<german_n>\d+|{HAN})\s?(?:个|种|点|条|项|位|座|部)(?P<german_noun>[\u3400-\u9fff]{{0,6}})",
    _I,
)  # fmt: skip
NO_ITEM = re.compile(
    r"(?:\w+ )?(?:words?|sentences?|paragraphs?|characters?|lines?|decimals?|digits?|letters?|decimal places|times?|wörter|sätze|zeichen|字|句|段|times|plus|minus|percent|prozent|million|billion|of)\b|字|句|段",
    _I,
)

_ANSWER = r"(?:answer|reply|respond|response|output|return|give|write|say|format|provide|present|express|print|state|use|antworte|gib|schreibe?)"
FORMATS = (
    ("json", re.compile(r"\b(?:as|in|using|return|output|into|valid|als|im|to|a|only) (?:a |an |the |valid |ein |einen )*json\b(?:[ -]?(?:format|object|array|list|objekt|liste))?|\bjson (?:format|object|array|output|only)\b|(?:以|用|按)\s?json|json\s?(?:格式|形式|对象|数组)", _I)),
    ("number", re.compile(r"\b(?:only|just) (?:with )?(?:the |a |one |as a )?(?:(?:final|single|exact|numeric|numerical|resulting) )*(?:number|figure|digits?|numeral|integer|numeric value|value)\b|\b(?:the )?(?:number|value|figure|digits?) (?:only|alone)\b|\bwith (?:the|a|one) (?:single )?number(?: only)?\b|\bas a (?:single )?number\b|\b(?:nur|lediglich) (?:mit )?(?:der |die |eine |einer )?(?:zahl|nummer)\b|(?:只|仅)(?:需|要|用|给出?|写|回答|输出|说)*(?:一个)?(?:数字|数值)|用(?:一个)?数字回答", _I)),
    ("yes or no", re.compile(r"(?:^|[.?!:,;(]\s*|\b(?:answer|reply|respond|say|write|state|only|just|with|either|simply|antworte|sage?|nur|mit|by|using|a|einfach)\s+)(?P<words>(?:yes or no|yes/no|true or false|true/false|ja oder nein|wahr oder falsch))\b|(?:回答|只说|只答|用)(?P<han>“?是”?或“?(?:否|不是)”?|对或错)", _I)),
    ("letter", re.compile(r"\b(?:only|just) (?:with )?(?:the |a |one )?(?:single )?(?:letter|option letter)\b|\bthe letter only\b|\bwith (?:the|a|one) (?:single )?letter\b|\bnur (?:mit )?(?:den|dem) buchstaben\b|(?:只|仅)(?:需|要|用|给出?|写|回答)*(?:字母|选项)", _I)),
    ("only the answer", re.compile(r"\b(?:only|just) (?:with )?(?:the |a |its |his |her |your )?(?:(?:final|short|correct|full) )?(?:answer|name|names|result|year|date|word|city|country|title|option)\b(?! (?:of|to|that|who|which))|\b(?:answer|name|year|result) only\b|\b(?:without|no) (?:any |further |an )?(?:explanation|explanations|reasoning|commentary|justification)\b|\bdo(?:n't| not) explain\b|\bnothing else\b|\bohne (?:erklärung|begründung)\b|\bnur (?:die antwort|den namen|das ergebnis|das jahr|der name)\b|(?:不要|无需|不用|不必)(?:任何)?解释|(?:只|仅)(?:需|要|给出?|写|回答|输出)*(?:答案|结果|名字|年份)", _I)),
    ("numbered list", re.compile(r"\b(?:numbered|ordered) list\b|\bnummerierte liste\b|编号列表|分点编号", _I)),
    ("bullets", re.compile(r"\b(?:bullet(?:ed|-point)?(?: points?| list)?|as a list|in list form|in bullets)\b|\b(?:stichpunkt\w*|aufzählung|als liste)\b|(?:分点|要点|列表)(?:形式|列出|说明|回答)?", _I)),
    ("table", re.compile(r"\b(?:as|in) a (?:\w+ )?table\b|\bin (?:table|tabular) (?:form|format)\b|\bals tabelle\b|(?:用|以)表格|表格形式", _I)),
    ("commas", re.compile(r"\b(?:comma[- ]separated|separated by commas|kommagetrennt|durch kommas? getrennt|mit kommas? getrennt)\b|用逗号(?:分隔|隔开)|逗号分隔", _I)),
    ("upper case", re.compile(r"\b(?:in|all) (?:upper[- ]?case|capital letters|capitals|caps)\b|\bin großbuchstaben\b|大写字母", _I)),
    ("lower case", re.compile(r"\b(?:in|all) (?:lower[- ]?case|small letters)\b|\bin kleinbuchstaben\b|小写字母", _I)),
    ("iso date", re.compile(r"\byyyy-mm-dd\b|\biso[- ]?8601\b|\biso (?:date )?format\b|\bjjjj-mm-tt\b", _I)),
    ("fraction", re.compile(r"\bas a (?:\w+ )?fraction\b|\bals bruch\b|用分数表示|以分数", _I)),
    ("code block", re.compile(r"\b(?:in|as) a code block\b|\bonly (?:the )?code\b|\bcode only\b|\bals codeblock\b|代码块|只(?:给|写|输出)代码", _I)),
    ("xml", re.compile(r"\b(?:as|in) (?:valid )?xml\b|以\s?xml", _I)),
    ("yaml", re.compile(r"\b(?:as|in) (?:valid )?yaml\b|以\s?yaml", _I)),
    ("csv", re.compile(r"\b(?:as|in) (?:valid )?csv\b|以\s?csv", _I)),
    ("markdown", re.compile(r"\b(?:as|in) markdown\b|以\s?markdown", _I)),
    ("roman numerals", re.compile(r"\b(?:in|as|using) roman numerals?\b|\bin römischen zahlen\b|罗马数字", _I)),
    ("scientific notation", re.compile(r"\bin scientific notation\b|\bin wissenschaftlicher schreibweise\b|科学计数法", _I)),
)  # fmt: skip

LANGUAGE_CODES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "dutch": "nl", "chinese": "zh", "mandarin": "zh", "simplified chinese": "zh", "traditional chinese": "zh", "japanese": "ja", "korean": "ko", "russian": "ru", "arabic": "ar", "greek": "el", "hebrew": "he", "hindi": "hi", "thai": "th",
    "englisch": "en", "deutsch": "de", "französisch": "fr", "spanisch": "es", "italienisch": "it", "portugiesisch": "pt", "niederländisch": "nl", "chinesisch": "zh", "japanisch": "ja", "koreanisch": "ko", "russisch": "ru", "arabisch": "ar",
    "英文": "en", "英语": "en", "德文": "de", "德语": "de", "法文": "fr", "法语": "fr", "西班牙语": "es", "西班牙文": "es", "意大利语": "it", "中文": "zh", "汉语": "zh", "日文": "ja", "日语": "ja", "韩文": "ko", "韩语": "ko", "俄语": "ru", "俄文": "ru",
    "deutscher": "de", "englischer": "en", "französischer": "fr", "spanischer": "es", "简体中文": "zh", "繁体中文": "zh",
}  # fmt: skip
_TONGUES = "|".join(sorted(LANGUAGE_CODES, key=len, reverse=True))
LANGUAGES = (
    re.compile(rf"\b(?:answer|answers|reply|respond|response|write|explain|describe|responding|answering|summari[sz]e|tell me|say it|speak|in your answer)\b[^.?!\n]{{0,60}}?\b(?:in|using) ({_TONGUES})\b(?! (?:history|literature|culture|society|cities|class))", _I),
    re.compile(rf"(?:^|[.?!,(]\s*)(?:please )?in ({_TONGUES})(?=\s*(?:[,:.)!?]|please|$))", _I),
    re.compile(rf"\b(?:use|speak) ({_TONGUES})(?= (?:only|please|for|in your)|[.!]|$)", _I),
    re.compile(rf"\b(?:antworte|antworten sie|schreibe?|erkläre|beschreibe|sag|antwort)\b[^.?!\n]{{0,50}}?\b(?:auf|in) ({_TONGUES})(?:er sprache)?\b|(?:^|[.?!,(]\s*)(?:bitte )?auf ({_TONGUES})\b(?! übersetzen)", _I),
    re.compile(rf"(?:请)?用({_TONGUES})(?:来)?(?:回答|作答|回复|解释|写|说明|描述|介绍|输出|告诉)|以({_TONGUES})(?:回答|作答|回复|解释|写)"),
)  # fmt: skip

_UNIT_WORDS = r"(?P<unit>(?:°\s?[CFK]|[A-Za-zµ°ÄÖÜäöüß€$²³%]+(?:/[A-Za-z]+[²³]?)?)(?: (?:per|pro|[A-Za-zµ°ÄÖÜäöüß²³]+)){0,3})"
UNITS = (
    (re.compile(rf"(?<![\w])(?:in|as|auf) (?:(?:the )?units? of |whole |der einheit |einer? |full )?{_UNIT_WORDS}", _I), False),
    (re.compile(r"(?:以|用|按)(?P<unit>[\u3400-\u9fffA-Za-z/°℃%]{1,8}?)(?:为单位|表示|计算|作答|回答|作为单位)"), False),
    (re.compile(rf"\b(?:how many|wie viele?)\s+{_UNIT_WORDS}", _I), True),
    (re.compile(rf"\bconvert\b[^.?!]{{1,40}}? (?:to|into) {_UNIT_WORDS}", _I), False),
    (re.compile(r"多少(?P<unit>(?:平方|立方)?(?:公里/小时|米/秒|公里|千米|英里|海里|毫米|厘米|公分|公尺|米|英尺|英寸|公斤|千克|公克|克|吨|磅|升|毫升|摄氏度|华氏度|小时|分钟|秒|天|周|个月|年|元|美元|欧元|人民币|平方公里|平方米|公顷|度|瓦|焦耳|伏|赫兹))"), True),
)  # fmt: skip

RANGES = (
    re.compile(r"\b(?:on|auf) (?:a|the|an|einer) (?:scale|skala) (?:from|of|between|von) (?P<low>\d+)(?: to | and |-| bis )(?P<high>\d+)", _I),
    re.compile(r"\b(?:an? (?:whole |integer )?(?:number|integer|score|rating|value|probability)|eine (?:ganze )?zahl|eine note|ein wert) (?:from|between|in the range|von|zwischen) (?P<low>\d+(?:\.\d+)?)(?: to | and |-| bis | und )(?P<high>\d+(?:\.\d+)?)", _I),
    re.compile(r"\b(?:rate|score|grade|bewerte)\b[^.?!]{0,60}?\b(?:from|between|von|mit) (?P<low>\d+)(?: to | and |-| bis )(?P<high>\d+)", _I),
    re.compile(r"(?:用|给出|打分|评分|以|选)[^。？]{0,10}?(?P<low>\d+)\s?(?:到|至|-|~)\s?(?P<high>\d+)\s?(?:分|之间|的(?:整数|数字|分数))"),
)  # fmt: skip
CHOICES = re.compile(r"\b(?:one of(?: the following)?(?: options| choices| labels| categories| words| values)?:?|choose (?:from|between|among)(?: the following)?:?|pick (?:from|between|one of)(?: the following)?:?|select (?:from|one of)(?: the following)?:?|options:|choices:|possible answers:|wähle (?:aus|zwischen)(?: folgenden)?:?|eine der folgenden(?: optionen| möglichkeiten)?:|(?:从|在)(?:以下|下列)?(?:选项)?[:：]?)\s*(?P<options>[^.?!。？\n]*?(?:,|、|\bor\b|\boder\b|\band\b|/|或)[^.?!。？\n]*?)(?=[.?!。？\n]|中选|之中|里选|$)", _I)  # fmt: skip
BETWEEN_OPTIONS = re.compile(
    r"\s*(?:,\s*(?:and|or|und|oder)\s+|,|;|、|/|\s+(?:and|or|und|oder|nor)\s+|或者?|和|以及)\s*", _I
)
ARTICLE = re.compile(
    r"^(?:the|a|an|any|der|die|das|den|dem|ein|eine|einen|using|mention(?:ing)?|the words?|the letters?|function)\s+",
    _I,
)

_STOPS = r"[^.?!;:。？，\n]"
EXCLUSIONS = (
    ("answer", re.compile(rf"\b(?:other than|except(?: for)?|excluding|not counting|not including|aside from|apart from|besides|but not|abgesehen von|außer|nicht mitgezählt|ausgenommen)\s+(?P<x1>{_STOPS}{{1,60}}?)(?=\s+(?:that|which|who|is|are|was|were|has|have|does|do|did|can|in the|on the|of the|at the|begin|start|by|hat|ist|sind|gibt|haben)\b|[.?!,;:]|$)", _I)),
    ("answer", re.compile(r"除了?(?P<x1>[^，。？,?]{1,20}?)(?:以外|之外|外|,|，)|不包括(?P<x2>[^，。？,?]{1,20})|(?<!不)不算(?P<x3>[^，。？,?]{1,20})")),
    ("anywhere", re.compile(rf"\b(?:without (?:using|the use of|mentioning|the word|any use of|calling|importing|saying|relying on)|do(?:n't| not) (?:use|mention|include|say|import|call)|avoid(?: using)?(?: the words?)?|never (?:use|mention)|must not (?:use|contain|mention|include))\s+(?P<x1>{_STOPS}{{1,60}}?)(?=\s+(?:in your|in the|to |when|while|for|as|at|because)\b|[.?!,;:]|$)", _I)),
    ("anywhere", re.compile(rf"\bohne (?P<x1>{_STOPS}{{1,50}}?) (?:zu (?:verwenden|benutzen|nutzen|erwähnen)|zu gebrauchen)|\b(?:verwende|benutze|erwähne) (?:bitte )?(?:nicht|kein\w*) (?P<x2>{_STOPS}{{1,50}}?)(?=[.?!,;:]|$)", _I)),
    ("anywhere", re.compile(r"(?:不要|不得|不能|禁止|别|不)(?:使用|用|提到|提及|出现|包含)(?P<x1>[^，。？,?]{1,20}?)(?=[，。？,?]|$|来|的情况|写|解释|说明|回答|排序)")),
)  # fmt: skip

_PLACES = r"(?:decimal(?: place| digit)?s?|decimal places?|places after the (?:decimal )?(?:point|comma)|dp|d\.p\.|(?:nach)?kommastellen?|stellen? nach dem komma|dezimalstellen?)"
ROUNDINGS = (
    ("decimals", re.compile(rf"\b(?:(?:rounded?|correct|accurate|precise|gerundet|runde|runden|genau|exact)\s+(?:\w+ ){{0,4}}?)?(?:to|with|auf|mit|using|in)\s+(?:exactly |genau )?(?P<n>\d+|{ENGLISH}|{GERMAN})\s+{_PLACES}(?: gerundet| genau)?", _I)),
    ("decimals", re.compile(rf"(?:保留|精确到|四舍五入到|取到?|近似到)(?:小数点后)?(?P<n>\d+|{HAN})位?(?:小数)?")),
    ("digits", re.compile(rf"\b(?:to|with|auf|mit)\s+(?P<n>\d+|{ENGLISH}|{GERMAN})\s+(?:significant (?:figures?|digits?)|sig\.? figs?|signifikante (?:stellen|ziffern))", _I)),
    ("step", re.compile(r"\b(?:to|auf) (?:the )?(?:nearest|nächsten?|volle) (?P<n>ten|hundred|thousand|10|100|1000|1,000|zehner?|hunderter?)\b", _I)),
)  # fmt: skip
WHOLE = re.compile(
    r"\b(?:to|as|auf|als) (?:the |a |an |eine )?(?:nearest |closest )?(?:whole number|integer|whole|unit|ganze zahl(?:en)?|ganzzahl)\b|\b(?:round(?:ed)? (?:up|down|off)|whole number only)\b|四舍五入(?:到|取)整数?|取整|精确到(?:个位|整数)",
    _I,
)
_YEARS = r"(?:\d{4}|\w+ \d{1,2},? \d{4}|\w+ \d{4})"
TIMES = re.compile(
    rf"\b(?:as of|as at|stand|bis einschließlich) (?:\w+ ){{0,2}}?{_YEARS}\b|\bas of (?:now|today)\b|\bcurrently\b|\bderzeit\b|截至(?:目前|今天|\d{{4}}年(?:\d{{1,2}}月)?(?:\d{{1,2}}日)?)|目前",
    _I,
)
