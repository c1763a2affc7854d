"""Function words of English and Chinese: they join words and carry little meaning of their own."""

from __future__ import annotations

__all__ = ["CHINESE", "CHINESE_CHARACTERS", "ENGLISH", "ENGLISH_PLAIN"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH_PLAIN = _words("""
a about above after again against all also am an and any anybody anyone anything are as at be because been
before being below between both but by can could did didnt do does doesnt doing don dont down during each
ever every few for from further gets gonna got had hadnt has hasnt have havent he hello her here hers
herself hey hi him himself his how however i if im in into is isnt it its itself ive just lot lots many
maybe me might more most much must my myself now of off oh ok okay on once one only onto or other others
ought our ours ourselves out over per quite rather re really shall she should so some somebody someone
something still such sure than that thats the their theirs them themselves then there theres these they
thing things this those though through thus to too under until up upon ve very via was wasnt we well went
were werent what whatever when where whether which while whoever whom whose why with within would wouldnt
yeah yes yet you your youre yours yourself yourselves
""")
"""Words that a lexical index leaves out: none is a name, an answer or a negation."""

ENGLISH = ENGLISH_PLAIN | _words("""
cannot cant get getting go goes going know let lets like look make makes may near need no nor not own please
said same say says see tell thank thanks think told try us want wanted wants who will without wont
""")
"""Words that are no content words, apostrophes left out."""

CHINESE_CHARACTERS = frozenset(
    "的了吗呢吧啊呀嘛哦哈嗯呗啦么着过地得之乎者也与及或和跟同而且但就都又还再很太更最"
    "在于把被让给对从向到由为以是有我你您他她它们这那哪谁啥个些"
)
"""Characters that are grammar; a pair with one is a lexical term only where it is a word."""

CHINESE = CHINESE_CHARACTERS | _words("""
我们 你们 他们 她们 它们 咱们 咱 大家 自己 人家 这个 那个 哪个 这些 那些 哪些 这样 那样 怎样
这么 那么 怎么 怎么样 什么 为什么 为何 如何 多少 几 哪里 哪儿 这里 那里 这儿 那儿 这边 那边 何时
是否 是不是 有没有 能不能 可不可以 要不要 可以 可能 能 能够 会 应该 应当 必须 需要 要 想 想要 希望
觉得 认为 知道 看看 看 说 说说 讲 讲讲 告诉 请 请问 请教 麻烦 帮 帮忙 帮我 一下 一下子 一些 一点
一点儿 一个 有点 有点儿 有些 没有 没 不 不是 不要 不用 不能 不会 别 非常 十分 特别 比较 真的 真 确实
其实 当然 好 好的 好吧 行 嗯嗯 哦哦 是的 对的 没错 谢谢 多谢 感谢 不客气 你好 您好 哈哈 哈哈哈 呵呵
嘿 喂 哎 唉 因为 所以 因此 由于 如果 假如 要是 虽然 但是 可是 不过 然而 而且 并且 以及 或者 还是
还有 另外 此外 同时 然后 接着 于是 首先 其次 最后 总之 比如 例如 像 比如说 就是 就是说 也就是说 关于
对于 根据 按照 通过 除了 包括 以外 之外 之间 之前 之后 以后 以前 里面 外面 上面 下面 中 里 上 下 内
外 前 后 时 时候 的时候 的话 现在 刚才 刚刚 已经 曾经 正在 将 将要 马上 立刻 一直 总是 经常 有时
有时候 仍然 仍 只 只是 只有 仅 仅仅 才 全 全部 所有 每 每个 各 各个 任何 某 某个 其他 其它 其 此 该
本 等 等等 之类 左右 大概 大约 差不多 几乎 做 去 来 出来 起来 下来 上来 过来 过去 出去 进行 得到
成为 使 使得 令 叫 叫做 即 即使 尽管 无论 不管 只要 除非 否则 并 等于 似乎 好像 一样 一般 一定 肯定
怎 嘞 哟 噢 哇 呃 额 嘿嘿 拜拜 再见 个 位 次 种 名 条 张 只 件 句 份 场 段 批 套 项 届 类 很 此 每 仍 期间
附近 面前 以下 中间 之下 周围 最近 前面 后面 旁边 之上 之内 里边 外边 上边 下边 今 您 虽 甚 非
""")
"""Chinese words that are no content words."""
