"""Words that names are made of, and words that look like names and are none.

Chinese words are written as folded text has them: simplified.
"""

from __future__ import annotations

from nodes.research.checking.terms import ORGANISATIONS

# Words that begin a sentence with a capital letter and name nothing.
OPENERS = frozenset(
    "in on at by for from with after before since during under over according however moreover meanwhile although though "
    "while when where if because as it its he she they we i this that these those there here the a an but and or yet so "
    "both each all some many most several few more less no not only about around nearly almost roughly overall total "
    "researchers scientists officials authorities analysts experts police sales revenue profit output exports imports "
    "production shares prices growth demand supply turnover unemployment inflation population rainfall temperatures "
    "emissions shipments deliveries operating net gross annual quarterly monthly last next new two three four five six "
    "seven eight nine ten first second third today yesterday spokesman spokeswoman chairman chief president minister "
    "residents workers employees students voters visitors passengers tourists farmers fishermen engineers doctors "
    "patients women men children people company companies government parliament city council court judges "
    "construction work funding investment spending costs staff members participants attendance ticket tickets "
    "volunteers inspectors investigators lawmakers regulators investors shareholders consumers customers users "
    "despite following between among across despite until once then still now also another other such what who why how "
    "earlier later previously currently recently finally instead altogether together data figures results findings "
    "average electricity water power energy rail road traffic housing rents wages salaries tax taxes interest rates".split()
)
TITLES = frozenset("mr mrs ms dr prof professor sir dame lord lady president minister chairman chairwoman ceo director mayor governor senator captain coach chief judge king queen prince princess dean secretary".split())  # fmt: skip
GENERIC = frozenset(
    "inc corp corporation co company ltd limited plc llc group holdings holding ag gmbh sa nv the of and for university institute "
    "college school ministry department bureau agency office council committee commission association society foundation "
    "bank centre center laboratory lab hospital city county state district province river lake mountain island islands "
    "national international public general technologies technology systems industries electronics energy power motors "
    "pharmaceuticals pharma foods airlines railway rail station airport port museum park bridge team club fc united "
    "government administration authority board court party union federation organization organisation report survey study "
    "project programme program plan act law bill news times daily post journal press observatory".split()
)
HEADS = frozenset(
    "gulf strait house school institute centers republic kingdom isle cape mount bay house faculty journal academy chamber league organization".split()
)
NOT_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
    "october november december jan feb mar apr jun jul aug sep sept oct nov dec q1 q2 q3 q4 h1 h2 fy gdp ceo cfo cto ipo r&d "
    "ai pc id ok am pm ad bc bce usd nt us$ nt$ covid km kg mw gw gwh mwh kwh twh mm cm pp pct yoy qoq eps tv it ii iii".split()
)
ALIASES = {
    "us": "united states america american usa u.s u.s.a 美国 美", "uk": "united kingdom britain british u.k england 英国 英",
    "taiwan": "taiwanese taiwan's 台湾 台", "japan": "japanese 日本 日", "china": "chinese 中国 大陆 中", "korea": "korean south-korea 韩国 南韩 韩",
    "germany": "german 德国 德", "france": "french 法国 法", "eu": "european-union 欧盟", "europe": "european 欧洲 欧", "india": "indian 印度",
    "canada": "canadian 加拿大", "australia": "australian 澳洲 澳大利亚", "spain": "spanish 西班牙", "italy": "italian 意大利 义大利",
    "russia": "russian 俄罗斯 俄国", "vietnam": "vietnamese 越南", "thailand": "thai 泰国", "singapore": "singaporean 新加坡",
    "netherlands": "dutch holland 荷兰", "switzerland": "swiss 瑞士", "sweden": "swedish 瑞典", "norway": "norwegian 挪威",
    "denmark": "danish 丹麦", "finland": "finnish 芬兰", "brazil": "brazilian 巴西", "mexico": "mexican 墨西哥", "un": "united-nations u.n 联合国",
    "who": "world-health-organization 世卫 世界卫生组织", "imf": "international-monetary-fund 国际货币基金",
    "tsmc": "taiwan-semiconductor 台积电 台湾积体电路", "taipei": "台北", "kaohsiung": "高雄", "taichung": "台中", "tainan": "台南", "hsinchu": "新竹", "taoyuan": "桃园",
    "hong-kong": "香港", "beijing": "北京", "shanghai": "上海", "tokyo": "东京", "foxconn": "hon-hai 鸿海", "mediatek": "联发科",
    "poland": "polish 波兰", "turkey": "turkish 土耳其", "greece": "greek 希腊", "ireland": "irish 爱尔兰", "portugal": "portuguese 葡萄牙",
    "indonesia": "indonesian 印尼", "malaysia": "malaysian 马来西亚", "philippines": "philippine filipino 菲律宾", "egypt": "egyptian 埃及",
}  # fmt: skip
SAME = {form.replace("-", " "): key for key, forms in ALIASES.items() for form in [key, *forms.split()]}
HAN_SUFFIX = tuple(
    (
        "公司 集团 科技 大学 学院 银行 生技 能源 电力 电子 半导体 工业 实业 企业 建设 航空 海运 医院 基金会 研究院 研究所 研究中心 协会 学会 委员会 政府 "
        "部 局 署 处 院 市 县 区 乡 镇 村 里 州 省 国 岛 港 湾 河 溪 江 湖 山 桥 站 机场 馆 园 队 社 报 台 党 会 厂 店 寺 号 型 级 计划 "
        "股份 控股 金控 人寿 产险 证券 投信 电信 钢铁 化学 制药 药厂 食品 纺织 汽车 物流 光电 精密 材料 资本 球团 农会 渔会 天文台 观测站 实验室 气象站 电厂 水库"
    ).split()
)
ORGANISED = frozenset(
    "风场 电厂 酒厂 船厂 糖厂 渔港 渡轮 客运 铁路 轻轨 捷运 大桥 隧道 灯塔 博物馆 美术馆 图书馆 动物园 植物园 公园 体育馆 体育场 中学 国小 小学 高中 国中 诊所 保护区 "
    "国家公园 湿地 步道 机场 车站 港口 码头 矿场 农场 牧场 林场 渔会 农会 合作社 实验室 天文台 望远镜 园区 书店 剧团 乐团 球队 俱乐部 联盟 工程 大楼 社区 酒庄 茶厂 工厂 风电 快铁 "
    "水泥厂 造船 影城 "
    "公司 集团 科技 大学 学院 银行 生技 能源 电力 电子 半导体 工业 实业 企业 建设 航空 海运 医院 基金会 研究院 研究所 协会 学会 股份 控股 金控 人寿 产险 证券 "
    "投信 电信 钢铁 化学 制药 药厂 食品 纺织 汽车 物流 光电 精密 材料 资本 航运 重工 机械 通讯 网路 软体 水泥 塑胶 生医 电机 餐饮 百货 超商 酒店 饭店 旅行社 出版 影业 "
    "市 县 区 乡 镇 村 岛 港 湾 河 溪 江 湖 山 桥 水库 队 号".split()
)
ORGANISED_ENDS = (
    "中心",
    "大学",
    "公司",
    "医院",
    "银行",
    "集团",
    "协会",
    "研究所",
    "委员会",
    "基金会",
    "学院",
)
SURE_ENDS = tuple(word for word in HAN_SUFFIX if len(word) > 1) + tuple("部署局县市乡镇队")
# Words before such an ending that describe instead of naming.
DESCRIBES = frozenset(
    "再生 绿色 替代 传统 国内 国外 新 旧 风力 太阳 太阳能 各 该 这家 本 其他 其它 大型 中小 中小型 民营 公营 国营 私立 公立 国立 主要 相关 上市 上柜 科技 电子 生技 食品 "
    "电力 能源 制造 外国 本地 当地 地方 中央 都会 离岛 沿海 山区 母 子 分 总 大 小 家 每 全 两 三 多 部分 所有 上述 一般 综合 商业 专科 医学 教学 研究 高 低 人造 "
    "全国 全台 全球 世界 亚洲 欧洲 美洲 非洲 半导体 汽车 航空 金融 保险 建筑 纺织 钢铁 化学 人 货 信 编 型 代 账 问 记".split()
)
TALKS = frozenset(
    "表示 指出 说 宣布 认为 强调 透露 称 坦言 说明 提到 公布 呼吁 回应 证实 主张 质疑 率领 带领 主持 担任 出任 接任 当选".split()
)
SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜戚谢邹喻柏章苏潘葛范彭郎鲁韦马苗凤方俞任袁柳鲍史唐费廉薛雷贺倪汤罗毕郝安常于傅卞齐康伍余顾孟黄穆萧尹姚邵汪毛狄贝明计成戴宋庞纪舒屈项祝董梁杜阮蓝季贾路江童颜郭梅林钟徐邱骆高夏蔡田胡凌霍万柯管卢莫房解应丁邓洪包左石崔龚程邢裴陆翁荀甄曲封储段富焦侯全班仲宫宁栾刘景詹龙叶司黎薄白蒲卓池乔闻翟谭温庄柴阎连习艾向古易廖终居步都耿满欧文沙游简辜涂曾"
)


AGENCIES = frozenset(ORGANISATIONS.split())
NO_AGENCY = frozenset(
    "俱乐部 大部 内部 外部 东南部 东北部 西南部 西北部 中南部 中北部 一部分 指挥部 警察局 派出局 干部".split()
)
NAME_TAGS = ("nr", "ns", "nt", "nz", "nrt", "nrfg")
# Signs that make a word the dictionary lacks a phrase, not a name.
FUNCTION_SIGNS = "以在与和的由对将被向为是于至到从及只失之共下比前较中有每所新旧各该此其等也都就最更再又仍已曾未不没可能会要应需多少大小高低上内外后起得了着过者们个名位座条件次场年月日时分秒度增减升降占达逾约近超破创史首末总全半双单主先发获无另而且并但若如因今昨去本当"
# Gatherings, which end as bodies do: 音乐会 is no 协会.
GATHERINGS = frozenset(
    "音乐会 演唱会 演奏会 运动会 展览会 博览会 展销会 记者会 说明会 听证会 公听会 座谈会 研讨会 发布会 交流会 招商会 法说会 见面会 签名会 庙会 晚会 舞会 酒会 年会 茶会 园游会 同乐会 家长会 庆功会 追思会 拍卖会".split()
)
