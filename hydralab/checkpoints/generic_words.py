"""Words that carry meaning in a sentence, but could stand in the title of any dialogue."""

from __future__ import annotations

__all__ = ["VAGUE"]

_ENGLISH = """
    able actually added adding agree agrees ahead allow allowed almost along already alright although
    among annoying another anybody anyone anything anyway april around arrive arrived arrives ask asked
    asking asks august away back basically best better big bit bits bunch called calls came carried case
    certain chance check checked choose come comes coming cool couple course covers cut cuz day days dear
    december difference different doing done drop drops easy eight either else elsewhere end enough entire
    everybody everyone everything exactly example excellent fact fair fantastic february feel fifty
    filling fills find fine first five folks followed forget forgot found four friday full gets getting
    give given go goes going gone gonna good got great guess guesses guy guys half halfway hand happy hard
    hello help hey hi hold honestly hope hopefully hour hours huge huh hundred idea ideas instead
    interesting issue issues january july june keep keeps kept kind kinds know known large last later less
    let line little lol long look looks lost lot lots lovely made make makes making manage many march
    matter matters maybe mean means meant mentions might mind minute minutes moment monday month months
    morning move moved moves much must name nearly need never new next nice night nine nobody nope note
    notes nothing november number numbers october often okay old one ones ooh oops open paragraph part
    parts people perfect perhaps person piece place places pls plus point points possible probably problem
    problems put puts question questions quick quite rang read ready really reason regards remember remind
    rest right rings run saturday say says second see seem seems seen send sense sent september set seven
    several ships show side sides signed simple since six sixteen small smells somebody someone something
    sometimes soon sort sorts sounds stands start started starting starts stay stays still stop stuff
    sunday sure surprisingly take taken takes taking talk talking tell telling ten tend tends term terms
    thank thanks thing things thinks thirty thought thousand three thursday thx time times today told
    tomorrow tonight took tough true try tuesday turn turned twenty two use used uses using usually
    version wait wanna want watch way ways wednesday week weeks well went whole wish won't wonderful word
    words work worked working works worth wow write written wrong yeah year years yep yes yesterday yup
    zero
"""

_CHINESE = """
    一下 一些 一定 一样 一点 一直 一般 万元 上午 上周 上面 下午 下周 下面 不同 不错 东西 个人 个月 中午
    中间 主要 之前 之后 事 事儿 事情 人 人们 人家 今天 今年 今晚 介绍 以前 以后 会 会儿 作为 作用 使用
    例子 做 先生 免得 具体 内容 准备 几个 分享 分钟 别人 别太 前面 办法 功能 动作 包括 半天 单独 原因 参考
    发现 变化 只能 可惜 可能 各位 合适 同学 后面 听 告诉 周一 周三 周二 周五 周六 周四 周日 周末 呼声 哈哈
    哈哈哈 嗯 嘉宾 回复 回头 回答 地方 基本 处理 多少 大家 大概 大部分 天 头 女士 好 好不好 好像 好处 好的
    子 字 季 安排 完全 完成 实在 家里 容易 对方 对话 小 小时 就是 层面 差不多 希望 帮 帮助 帮忙 年 年前
    应该 建议 开始 开心 强 当时 形式 影响 心里 必须 怎么样 怎样 急 怪不得 总体 情况 想 想法 意义 意思 意见
    感兴趣 感受 感觉 感谢 成功 我会 手 打 打算 找 技巧 把握 报 担心 拿 挺 推荐 提供 提到 提意见 提醒 支持
    收 收到 改 放 效果 数 整个 整体 方便 方向 方式 方法 方面 日子 早上 时候 时间 明天 明年 明白 明确 昨天
    晚上 最后 月 有人 有意思 朋友 本人 本周 本身 机会 来看 来说 某 样 样子 次 款 正好 正常 步 段 比方 比较
    没事 没有 注意 活动 添加 清楚 点 然后 照 特别 状态 现在 理由 理解 用 目前 直接 相关 真 真实 眼 知道
    确定 确实 离 种 稍微 第一 第一个 第三 第三个 第二 第二个 等 答案 简单 算 算了 类 结束 结果 继续 老师
    老板 考虑 联系 肯定 背后 能 能力 自己 花 行 补充 表 要求 观众 观点 觉得 角度 解决 言 计划 认为 认识
    讨论 记 记录 记得 讲 试 话 话题 说 说明 说法 说话 说起来 请教 谈 谢谢 负责 起来 起码 超 路 过程 还有
    这边 进行 适合 选 选择 遇到 道理 那边 部分 里面 重点 长 问 问题 附近 难 难得 需求 需要 非常 顺便 顺序
    顿 领域 题目 首先 高兴 麻烦
"""

VAGUE = frozenset(_ENGLISH.split()) | frozenset(_CHINESE.split())
"""They count little in a title, and never make one by themselves."""
