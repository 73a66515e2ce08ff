"""Words and turns of questions that ask the same: English, German and Chinese. Pure.

The table of `checking.concepts` holds the words of reports; this one holds those of questions: how tall something is
and its height, who wrote a book and its author. A word in no group has no synonym: code then takes it as it stands.
"""

from __future__ import annotations

import re
from functools import cache

from nodes.contractive.reading.wording import akin
from nodes.research.checking.stems import stem

# Turns of phrase as one word each, before a text is cut into words.
_ENGLISH_TURNS = (
    (r"\bhow long (?:do|does|did|can|will) ([^?.]{1,60}?) live\b|\b(?:life ?span|life expectancy|lifetime) of\b", lambda m: f"lifespan {m[1] or ''}"),
    (r"\bconvert (?=[\d$€£])([^?.!]{1,40}?) (?:to|into)\b", r"what is \1 in"),
    (r"\bhow (?:tall|high)\b", "height"), (r"\bhow (?:old)\b|\bat what age\b|\bwhat age\b", "age"), (r"\bhow long ago\b", "when"), (r"\bhow long (?:does|did|do|will|would|is|has|have) it take\b|\bhow much time\b|\bhow long (?=(?:can|could|should|must|may|do|does|did|has|have|will|would)\b)", "duration "),
    (r"\bhow long\b", "length"), (r"\bhow far\b", "distance"), (r"\bhow heavy\b", "weight"), (r"\bhow deep\b", "depth"), (r"\bhow wide\b", "width"), (r"\bhow (?:fast|quickly)\b", "speed"), (r"\bhow (?:hot|cold|warm)\b", "temperature"),
    (r"\bhow (?:big|large)\b", "size"), (r"\bhow often\b", "frequency"), (r"\bhow expensive\b|\bhow much (?=(?:does|do|did|is|are|was|were)\b[^?]*\b(?:cost|costs|price)\b)", "price "), (r"\bhow many people (?:live|lived|are living|reside)\b(?: there)?|\bhow many inhabitants\b|\bnumber of (?:people living|inhabitants|residents)\b", "population"),
    (r"\bat what temperature\b|\bwhat temperature\b", "temperature"), (r"\b(?:boiling|melting|freezing) (?:point|temperature)\b", lambda m: m[0].split()[0][:-3] + " temperature"), (r"\b(?:date of birth|birth ?date|birthday|place of birth|birth ?place)\b", "born"), (r"\b(?:date|place|year|cause) of death\b", lambda m: ("cause " if "cause" in m[0].lower() else "") + "die"), (r"\bpass(?:ed|es)? away\b", "die"),
    (r"\bwhat (?:does|do|did) (\S+(?: \S+){0,7}?) (?:do|mean)\b(?=[\s?.!]*$|\s+(?:in|when|if|to|with)\b)", r"what is the meaning of \1"), (r"\b(?:effect|purpose|meaning|function|role) of (?:the )?(?:command|function|flag|option|method|expression|code|call|keyword|statement|line|operator|word|phrase|term|error|message|acronym|abbreviation)?(?= ?[`\"\w-])", "meaning of "),
    (r"\bwhat(?:'s| is| was| are| were) the (?:main |primary )?(?:reasons?|causes?) (?:for|of|behind|why|that)\b|\bfor what reasons?\b|\bhow come\b|\bwhat (?:caused|causes|cause|led to|leads to|made|makes)\b|\bwhat(?:'s| is) the reason\b", "why"),
    (r"\bset up\b", "establish"), (r"\b(?:come|came|comes) up with\b", "invent"), (r"\b(?:die|dies|died|dying) out\b|\b(?:become|becomes|became|go|goes|went|gone) extinct\b", "extinct"), (r"\bget (?=from\b|to\b|there\b)", "travel "), (r"\bgot? rid of\b|\bget rid of\b", "remove"), (r"\bcarry out\b|\bcarried out\b", "perform"), (r"\btake place\b|\btook place\b|\btaken place\b", "happen"), (r"\blook like\b", "appearance"), (r"\ba lot of\b|\blots of\b|\bplenty of\b", "many"),
    (r"\bmade up of\b|\bmade out of\b|\bcomposed of\b|\bconsists? of\b|\bmade of\b", "consist"), (r"\bin order to\b", "to"), (r"\bbig(?:gest)?(?= difference)\b", "main"), (r"\bis it true that\b|\bis it correct that\b|\bis it the case that\b|\bis it a fact that\b", "is"), (r"\bis it (?:possible|feasible) (?:for \w+ )?to\b|\bis there (?:a|any) way to\b", "can"), (r"\b(?:what is|what's) the (?:best |right |correct |proper )?way to\b|\bwhat (?:are the )?steps (?:are needed )?to\b", "how to"),
    (r"\bmost recent\b", "latest"), (r"\bat the moment\b|\bright now\b|\bat present\b|\bthese days\b|\bnowadays\b|\bpresently\b", "currently"), (r"\bfirst language\b|\bmother tongue\b", "native language"), (r"\bsoccer\b", "football"), (r"\bworld war two\b|\bsecond world war\b|\bww ?(?:2|ii)\b", "World War II"), (r"\bworld war one\b|\bfirst world war\b|\bww ?(?:1|i)\b", "World War I"),
)  # fmt: skip
_GERMAN_TURNS = (
    (r"\bwie hoch ist (?=der (?:preis|umsatz|anteil|gewinn)|die (?:temperatur|durchschnittliche|wahrscheinlichkeit|zahl|anzahl|geschwindigkeit|bevölkerung|einwohnerzahl))", "was ist "), (r"\bworaus\b", "aus was"), (r"\bwie (?:groß|hoch|lang|weit) (?:ist|war|sind) (?=(?:die|der|das) (?:\w+ )?(?:entfernung|abstand|fläche|anzahl|zahl|wahrscheinlichkeit|distanz|strecke|bevölkerung|dauer)\b)", "was ist "), (r"\bentfernt\b", "entfernung"), (r"\bzu ende\b", "endete"), (r"\bwie hoch\b", "höhe"), (r"\bwie groß\b", "größe"), (r"\bwie lange dauert\w*\b|\bwie lange\b", "dauer"), (r"\bwie lang\b", "länge"), (r"\bwie weit\b", "entfernung"), (r"\bwie schwer\b", "gewicht"), (r"\bwie tief\b", "tiefe"), (r"\bwie breit\b", "breite"),
    (r"\bwie schnell\b", "geschwindigkeit"), (r"\bwie alt\b", "alter"), (r"\bwie (?:warm|heiß|kalt)\b", "temperatur"), (r"\bwie teuer\b|\bwie viel kostet\b|\bwas kostet\b", "preis"), (r"\bwie viele (?:menschen|leute|einwohner|personen) (?:leben|wohnen|hat|haben|gibt es)\b|\bwie viele einwohner\b", "bevölkerung"),
    (r"\baus welche[mn] gr[uü]nd\w*\b|\bwas (?:ist|war|sind|waren) (?:der grund|die ursachen?|die gründe)(?: dafür, dass| für| dass)?|\b(?:wieso|weshalb|weswegen)\b|\bwas (?:verursachte|verursacht|führte zu)\b", "warum"), (r"\bstimmt es,? dass\b|\bist es wahr,? dass\b", "ist"), (r"\bwelche[rsn]? der folgenden\b", "welches dieser"), (r"\bzurzeit\b|\bzur zeit\b|\bmomentan\b|\bgegenwärtig\b|\baktuell\w*\b|\bheutzutage\b", "derzeit"),
)  # fmt: skip
_HAN_TURNS = (
    (r"(?<=字)来(?=介|解|说|描|回|总|写)", ""), (r"今年(?=多大|几岁|多少岁)", ""), (r"几(?=[个只种本条位名座张辆台块匹艘支颗件次句点项部所家])", "多少"), (r"哪一?[座位条种本部家所项款]", "哪个"),
    (r"能?活多(?:久|长时间)|寿命(?:是|有)?(?:多少|多长|多久)", "寿命多少"), (r"多高", "高度多少"), (r"多长时间|多久", "时间多少"), (r"多长", "长度多少"), (r"多远", "距离多少"), (r"多重", "重量多少"), (r"多深", "深度多少"), (r"多宽", "宽度多少"), (r"多快", "速度多少"), (r"多热|多冷|多少度", "温度多少"), (r"多大年纪|多大岁数|几岁|多少岁", "年龄多少"), (r"多大", "大小多少"), (r"多少人口|有多少人(?!民)", "人口多少"), (r"多少钱", "价格多少"),
    (r"为何|为啥|何以|是什么原因(?:导致|造成|引起)?|什么原因|的原因(?:是什么|有哪些|何在)", "为什么"), (r"怎么样|怎么|怎样|以?什么方(?:式|法)", "如何"), (r"何时|什么时间|几时", "什么时候"), (r"何处|什么地方|哪儿", "哪里"), (r"何人|哪一?位|什么人", "谁"), (r"(?:以下|下列|下面)(?:哪一?[个项种]|哪些|什么)", lambda m: "这些" + m[0][2:]),
)  # fmt: skip
_TURNS = {language: tuple((re.compile(pattern, re.IGNORECASE), new) for pattern, new in turns) for language, turns in (("en", _ENGLISH_TURNS), ("de", _GERMAN_TURNS), ("zh", _HAN_TURNS))}  # fmt: skip

_ENGLISH = """
height tall high altitude elevation|length long|weight heavy weigh|width wide|depth deep|age old|price cost expensive costs|size big large|population inhabitants residents people|author writer wrote write written|inventor invent invention develop developed devise devised conceived|discoverer discover discovery|founder found founded establish established create created creator start
|painter paint painting painted|composer compose composed|born birth birthplace|die death died dead|begin start commence began begun beginning|end finish conclude ended ending over|buy purchase|close near nearest closest|fast quick rapid speed quickly swift fastest quickest|boil boiling|melt melting|freeze freezing|cause reason why because responsible
|advantage benefit pro upside|disadvantage drawback con downside|difference differ distinguish distinction different|happen occur occurrence|car automobile|film movie|job occupation profession|country nation|build construct built construction|make produce manufacture made production|help assist|use utilize usage employ|need require necessary requirement|show display
|explain describe explanation description|calculate compute|error mistake|fix repair solve resolve|big large huge|biggest largest greatest|smallest tiniest|small little|hard difficult|easy simple|sick ill|sickness illness disease|doctor physician|kid child|stop halt|get obtain receive|live reside|method way technique approach|choose select pick|error exception|delete remove erase|run execute
|work function operate|join enter|leave exit|teach instruct|rich wealthy|angry mad|smart intelligent clever|happy glad|famous renowned well-known|main primary principal chief major|important significant|whole entire total|nearby close|currency money|study research|photo picture photograph|begin initial|earth globe world|ocean sea|moon satellite|autumn fall|lawyer attorney|win victory winner won|lose loss loser lost
|defeat beat conquer defeated beaten|kill murder slay assassinate killed|rule reign govern|leader head|president leader|language tongue|religion faith|symptom sign|treatment therapy treat cure|medicine drug medication|danger risk hazard|dangerous hazardous risky|safe secure|allow permit|forbid ban prohibit|rise increase grow climb|fall decrease decline drop|grow growth|improve enhance better|reduce lower decrease|weather climate|twice double|half|opposite antonym|similar alike|synonym
|definition define meaning mean|example instance|list enumerate|name called|convert change transform conversion|translate translation|test check|speak spoken talk|sell sale sold|send transmit|contain include hold|surround border adjoin|share|connect link|split divide|combine merge|sum add total|average mean|consist made composed|last final|contribute|influence affect impact effect|feature characteristic property|component part|type kind sort|capital|travel go journey|fly flight|eat consume|drink|fire flame|stone rock|ship boat vessel|street road|house home|company firm business corporation|worker employee|boss manager|salary wage pay|revenue turnover|profit earnings|tax|law|crime|police|war|battle|city town|reverse invert|remain left rest|equal|appearance look|perform do|attend visit|launch release publish issue|invade attack|location situated located place where|step|undo revert|store save|receive|spouse married marry|film|singer sing sang sung|director direct directed|architect design designed designer|own owner|actor actress act acted star starred play played|nobel|signed sign
|host hosted organise organize organised organized|regard consider view deem|remain stay continue|show reveal demonstrate|occur happen arise|assemble construct|rank place|stop prevent avoid|spread transmit|damage destroy ruin|feed eat|sing perform|drive steer|guess estimate|price fee charge|task job work|idea concept notion|area region zone|way path route|side edge|border boundary frontier|top peak summit|bottom base|tool instrument|machine device|photo picture image|road street highway|law rule|story tale|gift present|error mistake fault|trip journey voyage|crew staff team|shop store|clothes clothing|trash garbage rubbish|film movie|cookie biscuit|candy sweets|soccer football|truck lorry|pants trousers|have has hold holds held possess own contain contains include includes got|win receive get obtain earn awarded|begin beginning start origin|hottest warmest|coldest chilliest|hot warm|cold chilly|tell distinguish|find locate|locate location situated|stay remain|allow let permit|want wish desire|try attempt|look search|select choose|illness sickness disease condition|physician doctor|harmful dangerous bad unhealthy|healthy good beneficial|purpose reason goal aim|outcome result consequence effect|occur happen|form formed formation|change alter modify|correct right true|wrong incorrect false|rule regulation law|teach explain|child kid children|mother mom mum|father dad
|flat apartment|lift elevator|underground subway metro|petrol gasoline gas|holiday vacation|university college|pupil student|teacher instructor|jail prison|huge enormous|tiny small|ancient old|modern contemporary|ruler king monarch|revolt rebellion uprising|army military|soldier troop|weapon arm|plane airplane aircraft|train railway|bicycle bike|motorcycle motorbike|tv television|phone telephone|laptop notebook|folder directory|file document|bug error defect|crash fail|start launch boot|shut close|compute evaluate|print output display|loop iterate|array list|string text|variable|argument parameter|install setup|update upgrade|password passcode|account|log
|cure heal treat|pain ache|fever temperature|baby infant|pregnant pregnancy|gene genetic|cell cellular|atom atomic|planet|star stellar|sun solar|moon lunar|earth terrestrial|energy|force|speed velocity|acceleration accelerate|electricity electric electrical|magnet magnetic magnetism|chemical chemistry|acid acidic|poison poisonous toxic toxin|metal metallic|vapor vapour steam|liquid fluid|solid|gas gaseous|mix mixture blend mixed|dissolve soluble|separate|economy economic|politics political|history historical|culture cultural|music musical|art artistic|math mathematics maths|biology biological|physics physical
|survive survival|protect protection|move movement motion|rotate rotation spin turn|orbit revolve|shine glow|sleep asleep|breathe breathing breath respiration|digest digestion|grow growth|evolve evolution|invent|vote voting election elect|elected|marry married marriage|divorce divorced|retire retirement|employ hire|fire dismiss|train training|sign signed signature|agree agreement|decide decision|believe belief|know knowledge|think thought|love|fear scared afraid|anger angry|hunger hungry|thirst thirsty|strong strength|weak weakness|deep depth|hide conceal|throw toss|carry transport|arrive arrival|depart departure|enter entry entrance|pay payment|borrow loan|lend loan|insure insurance|earn earnings income|save saving|invest investment|return come|keep retain|collect gather|cut chop|cook cooking|bake baked baking|clean wash|break broken|damage harm hurt injure|attack assault|defend defense|escape flee|hunt hunting|plant planted|water|rain rainfall precipitation|snow snowfall|wind|storm|earthquake quake|flood flooding|volcano volcanic|desert|forest woods|mountain peak|island|lake|river|coast shore coastline|beach
|usually normally typically generally commonly|often frequently|rarely seldom|quickly fast rapidly|approximately about roughly|maybe perhaps|particularly especially|entire whole complete full|single one|various several|identical same|unique|typical usual normal common|rare uncommon|popular|necessary required needed essential|possible feasible|impossible infeasible|legal lawful allowed|illegal unlawful forbidden prohibited|free gratis|empty vacant|correct accurate|simple easy|complex complicated|difficult hard tough|cheap inexpensive|expensive costly pricey|quiet silent|noisy loud|beautiful pretty|ugly|young youthful
"""
_GERMAN = """
höhe hoch|länge lang|größe groß|gewicht schwer wiegen wiegt|breite breit|tiefe tief|alter alt|preis kosten kostet teuer|bevölkerung einwohner einwohnerzahl bewohner|autor schriftsteller schrieb geschrieben schreiben verfasst verfasser verfasste|erfinder erfunden erfand erfinden|entdecker entdeckt entdeckte entdecken|gründer gegründet gründete gründung gründen|maler gemalt malte malen|komponist komponiert komponierte|geboren geburt geburtsort geburtsdatum|gestorben starb tod sterben
|beginn anfang begann begonnen anfing beginnen|ende endete geendet beendet enden|kaufen erwerben gekauft|nah nächste|schnell geschwindigkeit rasch|vorteil nutzen|nachteil|unterschied unterscheiden unterscheidet|passieren geschehen passiert geschah ereignen|auto wagen pkw|land staat|bauen gebaut baute errichtet erbaut|herstellen hergestellt produziert produzieren|brauchen benötigen|benutzen verwenden nutzen|grund ursache warum|fehler|löschen entfernen|funktioniert arbeitet funktionieren|funktionsweise|siegte gewann gewonnen gewinner sieger gewinnen|besiegt geschlagen schlug besiegte schlagen|größte|kleinste|hauptstadt|währung|krankheit|arzt|schiff|stadt|temperatur|dauer|entfernung weit|größer|folgend dieser
|machen herstellen stellen her produzieren erzeugen|haben besitzen besitzt verfügen|liegen befinden befindet gelegen liegt|erhalten bekommen gewinnen bekam erhielt|finden|benötigen brauchen benötigt braucht|helfen unterstützen|ändern verändern|verbessern|senken reduzieren verringern|steigern erhöhen|wachsen wachstum|sprechen sprache spricht|heiraten verheiratet ehe|wählen wahl|leben wohnen lebt wohnt|schädlich gefährlich ungesund|gesund|erlaubt dürfen gestattet|verboten untersagt|günstig billig|einfach leicht|schwierig schwer kompliziert|häufig oft|normalerweise gewöhnlich üblicherweise|entstehen entsteht entstand entstehung|bedeuten bedeutung bedeutet|wirken wirkung auswirkung folge effekt|ursprung herkunft|ziel zweck|beispiel|arbeiter angestellter mitarbeiter|firma unternehmen|gehalt lohn|rechner computer|datei|ordner verzeichnis|löschen|speichern sichern|installieren|starten|film|buch|lied song|krieg|könig|arzt mediziner|medikament arznei medizin|schmerz schmerzen|fluss|berg|meer ozean|insel|regen niederschlag|unterzeichnen unterschreiben unterzeichnet unterschrieben|sinken sank untergehen gesunken untergegangen|fallen fiel gefallen|brechen|siedepunkt kochen siedet kocht|schmelzpunkt schmelzen schmilzt
"""
_HAN = """
高度 高|长度 长|重量 重|宽度 宽|深度 深|速度 快 快慢|距离 远|年龄 岁数 年纪|大小 大|人口 居民|作者 写 撰写 著 著作|发明 发明者 发明人 发明家|发现 发现者|创立 成立 建立 创办 创始人 创建|画 绘制 画家 绘画 作画|出生 生于 诞生 出生地|去世 死 逝世 死亡 过世 病逝|开始 起始|结束 终结|购买 买|最近 靠近|原因 为什么 成因|优点 好处 长处 优势|缺点 坏处 劣势|区别 差别 差异 不同 不同点|发生 出现|汽车 车|电影 影片|国家 国|制造 生产 制作|需要 必须|使用 用 运用|解释 说明 阐述|计算 求 算|错误 差错|工作 运作 运行 工作原理|气温 温度|平均 均|行驶 开 走|剩 剩下 余下 还剩|苹果|吃 吃掉 吃了|首都|治疗 治疗方法 疗法|症状|最大 最大的|洋 大洋 海洋|价格 价钱 售价|获胜 赢 打败 击败 战胜|意思 含义 意义|方法 办法 方式|什么时候 时间 日期|城市 都市|倒塌 倒下|位于 在 地点 位置
|河流 河 江河|山 山峰|湖 湖泊|动物|水果 果实|蔬菜|医生 大夫|疾病 病|药 药物 药品|疼痛 痛|老师 教师|学生|孩子 儿童 小孩|母亲 妈妈|父亲 爸爸|丈夫 先生|妻子 太太|电脑 计算机|手机|文件|文件夹 目录|删除 去除|安装|启动 开启|修复 修理|程序 软件|函数|字符串|列表|循环|运行 执行|输出 打印|公司 企业|工资 薪水 薪资|员工 雇员|利润 盈利|收入 营收|法律 法规|战争|皇帝 国王|总统|选举 投票|获得 得到 取得 赢得|拥有 有 具有|包含 包括|影响 作用|结果 后果|目的 目标|例子 实例|原理|特点 特征|步骤|形成 产生|改变 变化|增加 提高|减少 降低|安全|危险|健康|有害|常见|著名 有名|重要|简单 容易|复杂 困难|便宜|昂贵 贵|快速 迅速|经常 常常|通常 一般|流经 流过|发布 推出 上市|签署 签订|沉没|酿 酿造 制造|建造 修建 建成 兴建
"""
# What may be added or left out: it says no more than the question word does.
_ENGLISH_EMPTY = """name value number amount kind type sort one ones thing located situated contain contains contained include includes considered regarded deemed seen viewed hold holds held exact exactly precise precisely specific specifically given following answer question please tell know explain describe give list state provide identify show determine find calculate compute define let ask wonder say term call known
actually really basically just simply quickly kindly also there exist available possible certain particular different various overall detail think believe guess curious true false fact correct you your me my i we our us user person someone somebody people's mean refer work out etc able like want would need help thanks do does did done have has had get got take takes took come be been being am evaluate result solution solve equation expression why when where who what which how whose whom
each other's respective respectively within amongst among upon regarding concerning about related relate of"""
_ENGLISH_CATEGORY = "city country state year date day time person man woman place location word command process event animal planet language book person's people human age temperature distance price level degree point effect company item option element object phenomenon choice alternative reason way method form use used step abbreviation acronym algorithm expression term formula variable program computer programming total quantity meaning unit statement feature"
_GERMAN_EMPTY = "bitte nenne nennen name heißt lautet gib geben erkläre erklären beschreibe sagen genau genaue eigentlich wert zahl anzahl art folgende folgenden dieser dieses diese welche welcher welches was wer wie wo wann wem wen womit wovon viel viele gibt es man ich mir mich du sie denn mal doch etwa antwort frage berechne finde liste aufzählen ist sind war waren wird wurde wurden worden werden hat haben hatte hatten kann dafür dass ob möglich möglichst verursacht jeweils unser unsere unserem unserer unseren herum eins beide beiden enthält enthalten stattfinden statt fand fanden gilt gelten besitzt besitzen beträgt betragen existiert existieren"
_GERMAN_CATEGORY = "stadt land jahr datum tag zeit person ort wort begriff sache tiere tier"
_HAN_EMPTY = "请 请问 告诉 列出 列举 说出 写出 给出 解释 说明 描述 介绍 回答 计算 求 算 一下 名称 名字 叫 叫做 叫作 数值 数量 总共 一共 具体 到底 究竟 分别 一个 一种 一只 一名 哪 哪个 哪些 哪一个 哪里 什么 谁 多少 几 几个 吗 呢 吧 啊 是否 如何 怎么 怎样 为什么 时候 什么时候 能 能够 可以 会 可 是 有 在 的 了 着 过 地 得 被 把 由 对 于 从 到 中 里 内 之 及 其 它 他 她 它们 他们 那 这 这些 那些 以下 下列 以上 其中 哪一 哪种 哪位 我 你 您 我们 想 知道 了解 问 问题 答案 是什么 等于 个 只 位 名 种 项 件 所 为 将 让 使 与 和 或 或者 还是 也 并 而 并且 以及 且 就 还 才 又 再 所以 因为 那么 呀 啦 嘛 时 时间 年 月 日 当 用 者 人 上 下 来 去 后 之后 ，多少 大小 是否 属于 作为 关于 有关 存在 进行 出 起 完 里面 当中 之中 情况 含 含有 包含 拥有 具有 如果 假如 假设 要 需要 请用 一句 次 多 话".split()
_HAN_CATEGORY = "城市 国家 地方 地点 年份 日期 人物 动物 语言 事件 单词".split()


@cache
def _stemmer(language: str) -> object:
    import snowballstemmer

    return snowballstemmer.stemmer("german")


def stem_of(word: str, language: str) -> str:
    """The stem of a word in lower case; a Chinese word is its own."""
    if language == "de":
        return str(_stemmer("de").stemWord(word))  # type: ignore[attr-defined]
    return stem(word) if language == "en" else word


@cache
def _groups(language: str) -> dict[str, frozenset[int]]:
    table = {"en": _ENGLISH, "de": _GERMAN, "zh": _HAN}[language]
    found: dict[str, set[int]] = {}
    for number, line in enumerate(table.replace("\n", "").split("|")):
        for word in line.split():
            found.setdefault(stem_of(word, language), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def empty_words(language: str) -> frozenset[str]:
    """Stems of words that say no more than the question word does."""
    words = {"en": _ENGLISH_EMPTY.split(), "de": _GERMAN_EMPTY.split(), "zh": _HAN_EMPTY}[language]
    return frozenset(stem_of(word, language) for word in words) | frozenset(words)


@cache
def category_words(language: str) -> frozenset[str]:
    """Stems of words that say what kind of thing is named or asked for, and may be added: the city Lyon."""
    words = {"en": _ENGLISH_CATEGORY.split(), "de": _GERMAN_CATEGORY.split(), "zh": _HAN_CATEGORY}[language]
    return frozenset(stem_of(word, language) for word in words) | frozenset(words)


def with_turns(text: str, language: str) -> str:
    """A folded text with its turns of phrase as single words."""
    for pattern, new in _TURNS[language]:
        text = pattern.sub(new, text)
    return text


def synonyms(one: str, other: str, language: str) -> bool:
    """True if two stems stand in one group, or are two forms of a word."""
    groups = _groups(language)
    if groups.get(one, frozenset()) & groups.get(other, frozenset()):
        return True
    return language != "zh" and akin(one, other)


def in_group_with(word: str, text: str) -> bool:
    """True if a Chinese text holds a synonym of a word, two characters long at least or the whole word."""
    mine = _groups("zh").get(word, frozenset())
    return bool(mine) and any(mine & numbers and other in text for other, numbers in _groups("zh").items())
