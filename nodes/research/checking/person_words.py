"""Words that stand beside a name and tell what kind of thing it names. Pure.

Chinese words are written as folded text has them: simplified.
"""

from __future__ import annotations

import re

# Nouns of people that no ending tells: "captain Maclean", "judge Oduya".
_PEOPLE = (
    "secretary captain coach judge dr mr mrs ms prof professor president minister mayor chief executive substitute head "
    "midfielder lead spokesman spokeswoman spokesperson commissioner goalkeeper pastor priest analyst general sergeant "
    "colonel lieutenant major architect artist chef nurse pilot scientist economist historian student witness plaintiff "
    "defendant chair chairwoman chairman queen king prince princess saint sir dame lord lady senator governor deputy "
    "principal dean rector curator author poet neighbour resident master skipper sailor attorney widow wife husband son "
    "daughter brother sister father mother cousin athlete champion wing-half striker winger apprentice trainee colleague"
)
PEOPLE = frozenset(_PEOPLE.split())
# Nouns that look like people's and stand before the names of firms, ships and places.
FIRMS = frozenset(
    "operator insurer competitor maker producer retailer lender carrier manufacturer developer publisher broker rival "
    "steamer tanker river border harbor supplier contractor builder brewer carmaker chipmaker airline utility company firm "
    "group bank charity club team side agency union association federation trust museum hospital university school ferry "
    "freighter trawler ship vessel cutter newspaper magazine provider consultant grocer miner refiner distributor importer "
    "exporter trader monitor vendor processor tracker cooperative startup subsidiary parent unit brand label network "
    "".split()
)
COMPARED = frozenset(
    "larger smaller nearer older younger bigger lower higher upper newer cheaper later earlier greater longer shorter stronger "
    "wider inner outer whether rather either neither together former latter eastern western northern southern "
    "owner corner manor water paper number order tower quarter letter major minor other another under over after however never ever per for nor chapter center october november december september further farther weaker richer poorer deeper summer winter easter easier harder better faster slower than".split()
)
GOVERN = "|".join(
    "said says say told added argued announced stated noted explained warned reported estimated wrote confirmed claimed insisted "
    "stressed replied promised admitted complained commented remarked acknowledged conceded declared believes thinks maintains "
    "recalled predicted suggested emphasised emphasized pointed contended asserted described called demanded quipped joked saying calling arguing adding insisting warning noting writing declaring "
    "concluded observed mused lamented boasted asked assured denies denied puts cautioned vowed pledged disclosed revealed".split()
)
SPEAKS = re.compile(rf"\b(?:{GOVERN})\b", re.IGNORECASE)
PERSON_ENDING = re.compile(r"(?:er|or|ist|man|woman|ian|eer|ess)$")

HAN_TITLES = (
    "局长 市长 县长 处长 署长 部长 院长 所长 校长 队长 馆长 厂长 站长 店长 会长 社长 船长 机长 镇长 乡长 村长 里长 省长 州长 科长 组长 董事长 执行长 "
    "财务长 营运长 技术长 秘书长 审判长 检察长 理事长 议长 园长 行长 台长 団长 团长 总长 次长 司长 董座 总经理 副总经理 经理 副总 总裁 发言人 主任 教授 讲师 "
    "医师 医生 护理师 律师 教练 选手 投手 捕手 打者 球员 名将 小将 老将 前锋 门将 后卫 中场 议员 立委 总监 工程师 研究员 领队 主席 创办人 创始人 总编辑 编辑 "
    "记者 被告 原告 导演 作家 书记 委员 法官 检察官 分析师 经济学家 科学家 学家 博士 先生 女士 小姐 农民 居民 村民 志工 负责人 主持人 设计师 建筑师 会计师 策展人 "
    "店主 业者 船员 司机 艺术家 画家 诗人 歌手 演员 球星 跑者 泳将 车手 棋手 骑士 冠军 亚军 季军 卫冕冠军 终结者 技师 专员 干事 总干事 代表 顾问 学者 老师 教师 "
    "校友 学生 妻子 丈夫 儿子 女儿 弟弟 哥哥 姐姐 妹妹 母亲 父亲 合伙人 投资人 股东 督导 队员 主将 主帅 总教头 教头 发起人 召集人 执委 理事 监事 馆员 住民 屋主 "
    "死者 伤者 嫌犯 证人 同事 镇民 渔民 牧师 住持 耆老 头目 族长 参议员 众议员 特使 大使 总统 总理 首相 副手 后任 前任 继任者 执行董事 首席执行官 首席财务官 "
    "师傅 匠人 工匠 主厨 老人 主演 编剧 评论家 作曲家 书法家 摄影师 厨师 面包师 茶商 粮商 盘商 得主 新秀 老板 园主 场主 当事人 受害人 受害者 指挥 主唱 飞行员 探险家 收藏家 企业家 运动员 消防员 救生员 店长 船东 工人 志愿者 护士 社工 检察总长 参选人 候选人 遗孀 "
    "首席科学家 车间主任 班长 院士 助理 副研究员 第一作者 通讯作者 作者"
).split()
# Beside those of `SURNAMES`, which an unknown word must begin with to be taken for a name without a title.
RARER_SURNAMES = (
    "赖岳佟邬覃鄢冀尤瞿谷尚牛芦巫巩冼饶隋鞠丛麦佘阚蔺殷屠祁茹刁缪芮靳窦闵闫岑甘牟晏竺桂牧祖符臧盛尧宿纽束"
    "娄訾裴褚冼窦佘骆阎邬廉祁鲍甄苗韦邵龚倪滕毕卞禹狄臧茅庞舒屈闵虞裘郁杭嵇邢荀嬴邴糜宓郗仇栾郜蓟鄂籍逄冉郦雍璩濮扈郏浦艾戈庾衡沃蔚夔厍聂晁敖訾阚逯盖闾蒯喻缑亢郈宰滑班"
)
DOUBLE_SURNAMES = "欧阳 司马 上官 诸葛 东方 夏侯 皇甫 尉迟 公孙 慕容 钟离 令狐 宇文 长孙 司徒 司空 端木 申屠 仲长 独孤 南宫 西门 百里 呼延 闻人 澹台 公冶 濮阳 淳于 单于 太叔 轩辕 第五 拓跋 叱干 完颜 纳兰".split()
HAN_SPEAKS = (
    "表示|指出|说明|说道|说|宣布|认为|强调|透露|坦言|坦承|提到|呼吁|回应|证实|主张|质疑|分析|介绍|解释|告诉|补充|批评|承诺|承认|称|直言|感叹|回忆|预估|预期|估计|推算|"
    "判断|研判|反驳|否认|抱怨|警告|提醒|建议|要求|痛批|澄清|谈到|写道|笑称|笑说|自承|认定|裁定|评估|喊话|保证|看好|形容|总结"
)
# Signs that follow a name of two characters and would be taken for its third.
AFTER_HAN_NAME = "则以因由在说表指认称也都将曾已对向就把被与和及的于从为是有并又还再才均各共等一二三四五六七八九十获率赛赢夺担接当出去今昨前后上下率当表透坦强宣提呼回证主质分介解告补批承直感预估推判研反否抱警提建要痛澄谈写笑自裁评喊保看形总始虽仍即便更最不没未可能会应需另以及其原本这那任跑投击打拿赞"
ADVERBS = "则也都均亦却还再曾将已"
HAN_GROUPS = (
    "股份有限公司 有限公司 公司 集团 科技 大学 学院 银行 生技 能源 绿能 电力 电子 半导体 工业 实业 企业 营造 建设 航空 海运 航运 重工 机械 医院 基金会 研究院 研究所 "
    "研究中心 协会 学会 工会 公会 农会 渔会 委员会 法院 检察署 电信 钢铁 化学 制药 药业 食品 纺织 汽车 物流 光电 精密 材料 资本 控股 金控 证券 人寿 保险 水泥 造船 "
    "铁路 客运 轨道 机器人 影业 餐饮 百货 统计局 环保局 教育局 卫生局 交通局 港务局 水利局 文化局 消防局 警察局 工务局 观光局 实验室 天文台 博物馆 美术馆 图书馆 "
    "电机 机电 通讯 网路 软体 塑胶 生医 生物 医药 建筑 地产 置业 零售 超市 传媒 影视 船务 渔业 农业 林业 矿业 石化 石油 燃气 水务 智能 智慧 数据 网络 资讯 软件 服饰 "
    "鞋业 家具 玻璃 陶瓷 纸业 印刷 珠宝 风电 光伏 新能源 储能 电池 机车 精机 酒业 啤酒 饮料 乳业 商社 商行 疾控中心 队 俱乐部 联盟 工作室 剧团 乐团 车队 创投 水产 研究会 商会 营建 海产 国小 国中 电视台 报社 日报 晚报 时报 出版社 事务所 合作社 部落 酒庄 酒厂 船厂 糖厂 药厂 电厂 水厂 纸厂 钢厂"
).split()
HAN_PLACES = (
    "省 市 县 镇 乡 区 村 岛 港 湾 河 溪 江 湖 山 岭 遗址 电站 水库 风场 桥 大桥 隧道 机场 车站 园区 保护区 湿地 国家公园 步道 灯塔 矿场 油田 "
    "剧场 剧院 大剧院 影院 书店 饭店 餐厅 体育馆 体育场 棒球场 中学 小学 高中 植物园 动物园 公园 教堂 "
    "峡谷 海峡 沙洲 礁 庄园 古城 老街"
).split()
