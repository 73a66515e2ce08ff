"""Currencies by name and sign, English and Chinese, and which names may mean the same one. Pure.

Chinese forms are written as folded text has them: simplified.
"""

from __future__ import annotations

# dimension -> {factor: forms}; a name that several countries share has a dimension of its own.
CURRENCIES: dict[str, dict[float, str]] = {
    "currency:TWD": {1.0: "NT dollars?|new taiwan dollars?|taiwan dollars?|TWD|NTD|新台币|台币"},
    "currency:USD": {1.0: "US dollars?|U\\.S\\. dollars?|american dollars?|USD|美元|美金|美圆", 0.01: "美分"},
    "currency:$": {1.0: "dollars?", 0.01: "cents?"},
    "currency:EUR": {1.0: "euros?|EUR|欧元"},
    "currency:GBP": {1.0: "pounds? sterling|british pounds?|GBP|英镑"},
    "currency:JPY": {1.0: "yen|japanese yen|JPY|日元|日圆|日币"},
    "currency:CNY": {1.0: "yuan|renminbi|RMB|CNY|人民币"},
    "currency:HKD": {1.0: "Hong Kong dollars?|HKD|港元|港币"},
    "currency:KRW": {1.0: "won|KRW|韩元|韩圆"},
    "currency:AUD": {1.0: "Australian dollars?|AUD|澳元|澳币"},
    "currency:CAD": {1.0: "Canadian dollars?|CAD|加元|加币"},
    "currency:SGD": {1.0: "Singapore dollars?|SGD|新加坡元|新币"},
    "currency:INR": {1.0: "rupees?|INR|卢比"},
    "currency:CHF": {1.0: "Swiss francs?|CHF|瑞士法郎"},
    "currency:krone": {1.0: "kron(?:er|or|e|a)|kronur|(?:norwegian|danish|swedish|icelandic) (?:kron(?:er|or|e|a|ur)|crowns?)|NOK|DKK|SEK|ISK|挪威克朗|丹麦克朗|瑞典克朗|冰岛克朗|克朗"},
    "currency:crown": {1.0: "crowns?|korunas?|koruny|korun|(?:czech|slovak) (?:crowns?|korunas?)|CZK|捷克克朗"},
    "currency:franc": {1.0: "francs?|(?:belgian|french|CFA) francs?|法郎|非洲法郎"},
    "currency:zloty": {1.0: "zlot(?:ys?|ych|e)|z\u0142ot(?:ys?|ych|e)|PLN|兹罗提"},
    "currency:forint": {1.0: "forints?|HUF|福林"},
    "currency:leu": {1.0: "lei|leu|RON|列伊"},
    "currency:lev": {1.0: "leva|lev|BGN|列弗"},
    "currency:rouble": {1.0: "rou?bles?|RUB|卢布"},
    "currency:hryvnia": {1.0: "hryvnias?|hryvni|UAH|格里夫纳"},
    "currency:lira": {1.0: "liras?|lire|turkish liras?|TRY|里拉"},
    "currency:dinar": {1.0: "dinars?|第纳尔"},
    "currency:dirham": {1.0: "dirhams?|AED|MAD|迪拉姆|迪拉姆币"},
    "currency:riyal": {1.0: "ri[y]?als?|SAR|QAR|IRR|里亚尔"},
    "currency:shekel": {1.0: "shekels?|ILS|谢克尔"},
    "currency:rupiah": {1.0: "rupiahs?|IDR|印尼盾|印尼卢比|盾"},
    "currency:ringgit": {1.0: "ringgits?|MYR|林吉特|令吉|马币"},
    "currency:baht": {1.0: "bahts?|THB|泰铢|铢"},
    "currency:dong": {1.0: "dongs?|VND|越南盾"},
    "currency:peso": {1.0: "pesos?|MXN|PHP|ARS|CLP|COP|比索|披索"},
    "currency:real": {1.0: "reais|BRL|雷亚尔"},
    "currency:rand": {1.0: "rands?|ZAR|兰特"},
    "currency:naira": {1.0: "nairas?|NGN|奈拉"},
    "currency:shilling": {1.0: "shillings?|KES|UGX|TZS|先令"},
    "currency:cedi": {1.0: "cedis?|GHS|塞地"},
    "currency:birr": {1.0: "birrs?|ETB|比尔"},
    "currency:taka": {1.0: "takas?|BDT|塔卡"},
    "currency:tenge": {1.0: "tenges?|KZT|坚戈"},
    "currency:sol": {1.0: "soles|PEN|索尔"},
    "currency:guilder": {1.0: "guilders?|荷兰盾|盾币"},
    "currency:mark": {1.0: "deutschmarks?|deutsche marks?|德国马克|马克"},
    "currency:drachma": {1.0: "drachmas?|德拉克马"},
    "currency:escudo": {1.0: "escudos?|埃斯库多"},
    "currency:peseta": {1.0: "pesetas?|比塞塔"},
    "currency:NZD": {1.0: "New Zealand dollars?|NZD|新西兰元|纽西兰元|纽币"},
    "currency:MOP": {1.0: "patacas?|MOP|澳门元|澳门币"},
}  # fmt: skip
PREFIXES = {
    "nz$": "currency:NZD", "r$": "currency:real", "kr": "currency:krone", "chf": "currency:CHF", "sek": "currency:krone", "nok": "currency:krone", "dkk": "currency:krone",
    "rs": "currency:INR", "zł": "currency:zloty", "₽": "currency:rouble", "₺": "currency:lira", "฿": "currency:baht", "₫": "currency:dong", "₪": "currency:shekel", "₱": "currency:peso",
    "nt$": "currency:TWD", "us$": "currency:USD", "hk$": "currency:HKD", "a$": "currency:AUD", "au$": "currency:AUD",
    "c$": "currency:CAD", "ca$": "currency:CAD", "s$": "currency:SGD", "$": "currency:$", "€": "currency:EUR",
    "£": "currency:GBP", "¥": "currency:JPY", "jp¥": "currency:JPY", "cn¥": "currency:CNY", "rmb": "currency:CNY",
    "₩": "currency:KRW", "₹": "currency:INR", "usd": "currency:USD", "twd": "currency:TWD", "ntd": "currency:TWD",
    "eur": "currency:EUR", "gbp": "currency:GBP", "jpy": "currency:JPY", "cny": "currency:CNY", "hkd": "currency:HKD",
    "新台币": "currency:TWD", "台币": "currency:TWD", "人民币": "currency:CNY", "美金": "currency:USD", "港币": "currency:HKD",
    "日币": "currency:JPY",
}  # fmt: skip
_DOLLARS = frozenset(f"currency:{code}" for code in ("USD", "TWD", "HKD", "AUD", "CAD", "SGD", "NZD", "$"))
_YUAN = frozenset(f"currency:{code}" for code in ("TWD", "CNY", "HKD", "JPY", "KRW", "MOP", ""))
_NAMESAKES = (
    {"currency:krone", "currency:crown"},
    {"currency:CHF", "currency:franc"},
    {"currency:rupiah", "currency:guilder"},
)


def same_currency(one: str, other: str) -> bool:
    """True if two names of money may mean one: 元 is the dollar of Taiwan too, "$" that of many."""
    both = {one, other}
    if len(both) == 1:
        return True
    if "currency:" in both:
        return both <= _YUAN
    if "currency:$" in both:
        return both <= _DOLLARS
    return any(both <= names for names in _NAMESAKES)
