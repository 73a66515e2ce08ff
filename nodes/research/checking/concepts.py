"""Words that say the same in reports, English and Chinese together, and which concepts are opposites. Pure.

A concept lets a paraphrase meet its source ("climbed" and 攀升 are `rise`) and tells when a word was turned round.
Chinese forms are written as folded text has them: simplified. English forms are stems or irregular forms.
"""

from __future__ import annotations

from functools import cache

# concept [>opposites] : English words ; Chinese words
_TABLE = """
rise>fall,less: rise rose risen increase grow grew grown growth climb gain up jump surge soar expand expansion advance higher add added gained ease-up firm put-on uptick hike swell swelled accelerate rebound upturn ; 增加 成长 上升 攀升 提高 提升 上涨 增长 扩大 增幅 成长率 年增 月增 季增 增 涨 升 走高 上扬 飙升 激增 大增 回升 扩增 扩张 涨幅 升高 增至 升至 成长至 涨至 上调 调高 上修 走升 劲扬 倍增 增添 拉高 推升 升温 新高
fall>rise,more: fall fell fallen decrease decline drop down reduce reduction shrink shrank shrunk slump plunge plummet lower slip slid slide dip lose cut contract contraction dwindle tumble sank sink downturn less shed ease slacken ; 减少 下降 下滑 衰退 降低 下跌 缩减 萎缩 年减 月减 季减 减 跌 降 走低 下挫 重挫 锐减 大减 骤降 缩小 减幅 跌幅 降至 跌至 减至 下调 调降 下修 调低 滑落 低落 回落 缩水 探底 负成长 负增长
more>less,fall,low: more exceed surpass above over outnumber outpace ; 多 多了 多出 多于 超过 高于 更多 较多 大于 优于 胜过 突破 逾 超
less>more,rise,high: less fewer below under trail ; 少 少了 少于 低于 不到 更少 较少 小于 不足 未达 不及
high>low,less: high highest peak record maximum ; 最高 高 新高 高峰 顶峰
low>high,more: low lowest trough minimum ; 最低 低 新低 低谷 谷底
large>small: large largest big biggest bigger major great greatest huge ; 最大 大 较大 最多 庞大
small>large: small smallest tiny minor smaller least ; 最小 小 较小 最少
first>last: first earliest initial pioneer ; 首 首次 首度 首先 最早 首位 第一 首个
last>first: last final finally latest ; 最后 最终 末 最晚
profit>loss: profit profitable earn earnings surplus ; 获利 盈余 盈利 利润 赚 净利 黑字 顺差 盈馀
loss>profit: loss losses deficit lossmaking ; 亏损 赤字 损失 亏 逆差 净损
win>lose: win won winner victory beat beaten defeat triumph champion ; 赢 胜 获胜 击败 战胜 夺冠 打败 胜出 夺得 力克 拿下
lose>win,keep: lose lost loser defeated ; 输 败 落败 败给 输给 吞败
approve>reject,failure: approve approval accept pass passed endorse ratify adopt agree consent greenlight authorise authorize license licence nod permit renew ; 通过 批准 核准 同意 接受 核定 核可 赞成 认可 准许 采纳
reject>approve: reject refuse rejection refusal veto dismiss deny denied block disapprove rebuff quash ; 拒绝 否决 驳回 反对 否认 退回 回绝 打回票 搁置 喊停 封杀 撤案 叫停 作罢 破局
support>oppose: support favour favor back ; 支持 赞成 力挺 声援
oppose>support: oppose opposition against object ; 反对 抵制 抗议
before>after: before prior earlier ahead ; 之前 以前 前 早于 事前
after>before: after following later since behind ; 之后 以后 后 晚于 事后
buy>sell: buy bought purchase acquire acquisition takeover ; 购买 收购 买 并购 买进 采购 买下 购入 购置
sell>buy: sell divest ; 出售 卖 贩售 销售 售出 卖出 脱手
export>import: export ; 出口 外销 输出
import>export: import ; 进口 输入
open>close: open opened reopen launch inaugurate ; 开放 开幕 启用 开张 开业 开启 落成 揭幕 开
close>open: close closed shut shutdown shutter ; 关闭 停业 关 停用 歇业 关厂 封闭 结束营业
start>end: start begin began begun commence kick-off launch ; 开始 启动 展开 着手 动工 起 开工
end>start: end finish complete conclude terminate stop halt cease ; 结束 终止 完成 停止 完工 终结 竣工 中止
allow>ban: allow permit legalise legalize authorise authorize ; 允许 准许 许可 开放 解禁
ban>allow: ban prohibit forbid outlaw bar ; 禁止 禁 封杀 不准 禁用
positive>negative: positive beneficial ; 正面 正 阳性 有利 正向
negative>positive: negative adverse harmful ; 负面 负 阴性 不利 负向
fast>slow: fast faster fastest quick quickly rapid rapidly ; 快 迅速 快速 最快 加快 加速
slow>fast: slow slower slowest slowly sluggish ; 慢 缓慢 最慢 放缓 趋缓 减速 减缓
strong>weak: strong stronger strongest strengthen robust ; 强 增强 强劲 强化 走强
weak>strong: weak weaker weakest weaken ; 弱 减弱 疲软 弱化 走弱 疲弱
male>female: male man men boy boys ; 男性 男 男子 男生
female>male: female woman women girl girls ; 女性 女 女子 女生
north>south: north northern northward ; 北部 北 北方 以北 北侧 北边 北面 北岸 北上
south>north: south southern southward ; 南部 南 南方 以南 南侧 南边 南面 南岸 南下
east>west: east eastern eastward ; 东部 东 东方 以东 东侧 东边 东面 东岸
west>east: west western westward ; 西部 西 西方 以西 西侧 西边 西面 西岸
urban>rural: urban city cities ; 都市 城市
rural>urban: rural countryside ; 乡村 农村 乡下
domestic>foreign: domestic local home ; 国内 本国 境内 内需
foreign>domestic: foreign overseas abroad international ; 国外 外国 海外 境外 国际
best>worst: best ; 最佳 最好
worst>best: worst ; 最差 最糟
improve>worsen: improve improvement better recover recovery ; 改善 好转 复苏 恢复 进步
worsen>improve: worsen deteriorate worse ; 恶化 变差 变糟 退步
hire>layoff: hire recruit ; 招募 聘用 录用 征才 雇用
layoff>hire: layoff lay-off dismissal fire redundancy redundant ; 裁员 解雇 资遣 裁撤
success>failure: succeed success successful successfully ; 成功
failure>success,approve,meet: fail failure unsuccessful failed ; 失败 未果
delay>early: delay postpone late later defer ; 延后 延迟 推迟 延宕 延期 展延 晚 较晚
early>delay: early earlier ahead-of-schedule ; 提前 提早 早 较早
widen>narrow: widen wider broaden ; 扩大 拉大 加大 拉开
narrow>widen: narrow narrower ; 收窄 缩小 缩窄 拉近 收敛
recommend: recommend advise urge suggest advice recommendation ; 建议 呼吁 劝 促请
public>private: public state-owned ; 公立 公营 国营 公有
private>public: private privately ; 私立 民营 私营 私人
warm>cold: warm warmer hot hotter hottest heat warmest ; 温暖 暖 热 炎热 最热
cold>warm: cold colder coldest cool cooler ; 冷 寒冷 最冷 凉
old>young: oldest older elderly ; 最老 年长 高龄 老年
young>old: youngest younger ; 最年轻 年轻 年幼
safe>dangerous: safe safety ; 安全
dangerous>safe: dangerous unsafe hazardous risky ; 危险
keep>abolish,lose: keep kept retain maintain preserve unchanged ; 保留 维持 留任 续任 不变 照旧 保持
abolish>keep: abolish scrap cancel repeal withdraw withdrew revoke ; 取消 废除 撤销 撤回 废止
join>leave: join joined enter entered ; 加入 参加 进入 投入
leave>join,stay: leave left quit exit depart resign ; 离开 退出 离职 辞职 请辞
stay>leave: stay remain ; 留任 留在 留下 续留
meet>miss,failure: meet met fulfil fulfill achieve ; 达成 达标 符合
miss>meet: miss missed ; 未达标 错过 落空
include>exclude: include included contain ; 包括 包含 纳入
exclude>include: exclude excluded omit ; 排除 剔除
legal>illegal: legal lawful ; 合法
illegal>legal: illegal unlawful ; 非法 违法
guilty>acquit: guilty convict convicted ; 有罪 定罪
acquit>guilty: acquit acquitted innocent ; 无罪 清白
accurate>inaccurate: accurate correct ; 准确 正确 无误 准确无误 正确无误 属实
inaccurate>accurate: inaccurate incorrect erroneous mistaken ; 有误 错误 失实 不实
confirm>denied: confirm confirmed ; 证实
denied>confirm: deny denied refute ; 否认 驳斥
available>unavailable: available ; 可用
unavailable>available: unavailable ; 停售 缺货
resume>suspend: resume resumed restart reinstate ; 恢复 重启 复工
suspend>resume: suspend suspended halt halted pause ; 暂停 中断 停摆
majority>minority: majority most mostly ; 多数 大多数 大部分 过半
minority>majority: minority ; 少数
increase_tax: tax duty levy tariff ; 税 关税 税率
revenue: revenue sale turnover takings ; 营收 营业额 收入 营业收入 销售额 业绩
netprofit: netprofit ; 净利 税后净利 纯益 税后纯益
people: people person resident inhabitant citizen individual populace ; 人 民众 居民 市民 人民 国人 人士 百姓
population: population ; 人口 总人口 人口数
employee: employee employ staff worker workforce headcount personnel payroll ; 员工 职员 雇员 工人 员工数 人力 劳工 员额
student: student pupil ; 学生 生员
company: company firm corporation business enterprise maker manufacturer ; 公司 企业 业者 厂商 集团 厂
factory: factory plant facility works mill ; 工厂 厂房 厂 厂区
say: say said state report announce tell told disclose reveal note declare confirm publish unveil explain point estimate according release ; 表示 指出 说 宣布 公布 称 说明 透露 揭露 发布 强调 证实 提到 认为 宣称 报告 显示 发表 声明 据 根据 统计
show: show indicate find found suggest demonstrate reveal data figure ; 显示 发现 指出 证明 结果 资料 数据
research: research study investigate scientist researcher survey team analyst ; 研究 研究人员 调查 学者 科学家 团队 专家
plan: plan intend aim expect forecast project predict target anticipate will would ; 计划 预计 预期 预估 预测 目标 打算 规划 计画 拟 将 可望
total: total altogether combined overall whole aggregate sum ; 总计 合计 总共 共 共计 总数 总额 全部 累计 总
reach: reach hit stand amount total come came record register post stood attain number ; 达 达到 为 共 来到 有 录得 创下 高达 落在 计
rate: rate ratio share proportion percentage portion ; 率 比率 比例 占比 比重
market: market ; 市场
price: price cost fee charge rate priced ; 价格 售价 费用 成本 价 单价
house: house home housing dwelling apartment flat ; 房屋 住宅 住房 房子 公寓
vehicle: vehicle car automobile auto ; 车 汽车 车辆
build: build built construct construction erect ; 兴建 建造 建设 盖 建 打造 建置
make: make made produce production manufacture output generate yield ; 生产 制造 产量 产出 制作
invest: invest investment spend spent spending expenditure pour outlay ; 投资 支出 花费 斥资 投入 砸 经费
create: create created establish found founded founding set-up form formed ; 成立 创立 设立 建立 创办 创建 创设
lead: lead led head headed chair chaired run ran ; 领导 率领 带领 主持 领先 主导
chief: chief ceo president chairman chairwoman chair director executive head boss ; 执行长 总裁 董事长 主席 主任 局长 部长 总经理 院长 首长 负责人
died: die died death dead kill killed fatality fatalities ; 死亡 死 丧生 罹难 身亡 过世 去世 死者
injured: injure injured injury wounded hurt ; 受伤 伤 伤者 轻伤 重伤
patient: patient case infection infect ; 病人 患者 病患 病例 个案 确诊
treat: treat treatment therapy cure ; 治疗 疗法 医治
test: test trial experiment ; 测试 试验 实验 检测
drug: drug medicine medication ; 药 药物 药品 新药
year_on_year: year-on-year year-over-year yearly annual annually year-earlier yoy ; 年增 年减 较去年同期 同比 较前一年 年 每年 年度 全年
last_year: previous-year ; 去年 前一年 上年
month: month monthly ; 月 每月 单月
school: school university college academy ; 学校 大学 学院
government: government ministry authority cabinet administration council ; 政府 当局 部门 官方
law: law bill act legislation regulation statute rule ; 法律 法案 法规 条例 法
game: game match fixture ; 比赛 场 赛事 场次
season: season ; 赛季 球季
goal: goal score point run ; 得分 进球 分
area: area region district zone ; 地区 区域 区 面积 范围
water: water ; 水
power: power electricity energy ; 电力 电 能源 用电
emission: emission carbon emit ; 排放 碳排 排放量
species: species ; 物种 种
rain: rain rainfall precipitation ; 雨 降雨 降水 雨量 降雨量
temperature: temperature ; 气温 温度 均温
train: train rail railway ; 列车 火车 铁路
passenger: passenger rider ridership commuter traveller traveler ; 乘客 旅客 运量 搭乘
visitor: visitor tourist traveller traveler ; 游客 观光客 访客 旅客
road: road highway street ; 道路 公路 路
bridge: bridge ; 桥 大桥 桥梁
hospital: hospital clinic ; 医院 诊所
child: child children kid ; 儿童 小孩 孩子 孩童
vote: vote ballot poll ; 投票 票 选票 得票
election: election elect elected ; 选举 当选 选出
agreement: agreement deal contract pact treaty accord ; 协议 合约 契约 协定 条约
order: order booking ; 订单
product: product goods item ; 产品 商品 货品
ship: ship shipment deliver delivery shipped ; 出货 交货 交付 运送 出货量
unit: unit ; 台 辆
use: use used using usage consume consumption utilise utilize ; 使用 用 用量 采用 利用 消耗
need: need require demand ; 需要 需求 需
provide: provide supply offer give gave ; 提供 供应 给 供给
receive: receive get got obtain won-award ; 获得 收到 取得 得到 获
subsidy: subsidy grant aid fund funding ; 补助 补贴 经费 资金 津贴
budget: budget ; 预算
loan: loan lend lending borrow debt ; 贷款 借款 放款 债务
bank: bank lender ; 银行
interest: interest ; 利息 利率
stock: stock share equity ; 股票 股 股价
dividend: dividend payout ; 股利 股息 配息
farm: farm farmer agriculture crop ; 农业 农民 农田 农
fish: fish fishery fishing fishermen ; 渔业 鱼 渔民 捕捞
forest: forest woodland tree ; 森林 林 树
disease: disease illness ; 疾病 病 症
earthquake: earthquake quake tremor ; 地震
typhoon: typhoon storm hurricane cyclone ; 台风 风暴
damage: damage destroy destroyed ; 损害 破坏 毁损 受损 摧毁
cause: cause lead due because result owing driven trigger ; 造成 导致 因为 由于 因 引发 致 使得 带动 受惠
important: important key crucial ; 重要 关键
new: new ; 新
average: average mean ; 平均 均
double: double twice twofold ; 倍 翻倍 两倍 加倍 一倍
appoint: appoint name nominate named install hire ; 任命 出任 指派 接任 担任 提名
member: member ; 成员 会员
locate: locate located base based situated ; 位于 坐落 设于 位在 总部
move: move relocate shift transfer ; 搬迁 迁移 转移 移转 移 迁入 迁出 迁往 迁至 搬入 搬到
visit: visit visited ; 访问 参访 造访
discover: discover discovery spot identified identify ; 发现 找到 发掘
sample: sample specimen ; 样本 样品 标本
measure: measure measured survey ; 测量 量测 测得
long: long length ; 长 长度 全长
tall: tall height high ; 高 高度
weigh: weigh weight ; 重 重量 体重
cover: cover span ; 涵盖 覆盖 横跨
help: help assist ; 协助 帮助
protect: protect conserve conservation protection ; 保护 保育
launch_space: rocket satellite spacecraft ; 火箭 卫星
"""


@cache
def _words() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Each word's concepts, and each concept's opposites."""
    from nodes.research.checking.stems import stem

    words: dict[str, set[str]] = {}
    opposites: dict[str, frozenset[str]] = {}
    for line in _TABLE.strip().splitlines():
        head, _, forms = line.partition(":")
        concept, _, opposite = head.partition(">")
        if opposite:
            opposites[concept] = frozenset(opposite.split(","))
        english, _, chinese = forms.partition(";")
        for word in english.split():
            words.setdefault(stem(word), set()).add(concept)
        for word in chinese.split():
            words.setdefault(word, set()).add(concept)
    return {word: frozenset(concepts) for word, concepts in words.items()}, opposites


def concepts_of(word: str) -> frozenset[str]:
    """The concepts a stem or a Chinese word stands for; none for a word that is not in the table."""
    return _words()[0].get(word, frozenset())


def opposites_of(concept: str) -> frozenset[str]:
    """The concepts that say the contrary."""
    return _words()[1].get(concept, frozenset())


def chinese_words() -> list[str]:
    """The Chinese words of two characters and more that stand for a concept."""
    return [word for word in _words()[0] if len(word) > 1 and not word.isascii()]
