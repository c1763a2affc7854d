"""Words that leave something to be done: promises, reminders, next steps, dates to keep."""

from __future__ import annotations

from hydralab.texts.cues.rules import CHINESE, LATIN, Rules

__all__ = ["COMMITMENT"]

_REST = r"[^，,。！!？?；;\n]"
_CHINESE_START = r"(?:^|[，,。；;！!\s])(?:那|好[，,]?|行[，,]?)?"
_CHINESE_WHO = r"(?:我|我们|咱们?|你|您|他们?|她|小[^时心组区]|老[^是板师]|[^，,。\s]{1,3}[总哥姐])"
_CHINESE_WHEN = (
    r"(?:这就|马上|立刻|待会儿?|回头|稍后|明[天早晚]|后天|今[天晚]|下午|晚上|周[一二三四五六日末]|下周.?|月底|先|再|"
    r"得|要|会|需要|来|去|负责|打算|准备)"
)
_CHINESE_ACT = (
    r"(?:去|把|给|跟|找|问|联系|确认|安排|准备|整理|更新|提交|完成|发|写|改|做|查|订|买|交|补|约|通知|测|跑|核对|汇报|"
    r"处理|落实|沟通|跟进|预订|盯|催)"
)
_CHINESE_DONE = r"(?:完成|提交|交|发|给|确认|做好|弄好|搞定|定下|付|订|回复|写完|准备好|挪|办)"

_CHINESE = (
    r"(?:待办|未完成|尚未|下一步(?:是|要|：|:)|后续(?:要|需|再|工作|事项)|有待|行动项|todo[:：])",
    r"还没(?:做|写|改|发|交|弄|办|买|订|定|测|上线|完成|处理|确认|回复)",
    rf"(?:记得|别忘了?|不要忘记?|务必|千万要){_REST}{{2,}}",
    rf"{_CHINESE_START}{_CHINESE_WHO}{_CHINESE_WHEN}+{_CHINESE_ACT}",
    r"(?:由|让|交给|请)[^，,。！!？?的]{1,6}(?:负责|跟进|[来去]?(?:做|写|记|办|问|查|谈|定|改|准备|整理|确认|联系|提交))",
    rf"(?:需要|要|得|必须|请)(?:在|于)?{_REST}{{1,12}}(?:之前|以前|前)(?:就?要|必须|得)?{_CHINESE_DONE}",
    rf"(?:周[一二三四五六日末]|星期.|[0-9]+[号日]|月底|年底|明天|后天|下周)(?:之前|以前|前){_REST}{{0,4}}{_CHINESE_DONE}",
    r"(?:截止|最晚|最迟)[^，,。！!？?]{0,4}(?:到|是|为|在|：|:|[0-9]|周|下|明|今)",
)

_ENGLISH_ACT = (
    r"(?:ask|send|call|ring|e-?mail|mail|write|draft|check|book|order|buy|pay|prepare|update|finish|fix|add|put|"
    r"set up|schedule|arrange|talk to|speak to|contact|get back|report|review|test|submit|post|confirm|bring|"
    r"collect|pick up|make|do|try|look into|find|work on|take care of|measure|move|chase|rewrite|decide)\b"
)
_ENGLISH_DAY = (
    r"(?:the end of|end of|next|this|mon|tues|wednes|thurs|fri|satur|sun|tomorrow|tonight|noon|eod|cob|january|"
    r"february|march|april|june|july|august|september|october|november|december|[0-9])"
)
_ENGLISH_WHO = r"(?:i|we|you|he|she|they)"
_ENGLISH_START = r"(?:^|[.,;:!?]\s+|\b(?:and|so|then|but|ok|okay|yes|sure)\s+)"

_ENGLISH = (
    r"\b(?:to-?dos?\b\s*[:–-]|action items?\b|next steps?\b)",
    r"\bstill (?:to do|pending|open|outstanding|missing|waiting (?:for|on))",
    r"\b(?:remember to|don't forget|make sure (?:to|you|we|that)|be sure to|remind (?:me|us|him|her|them) to)\s+\w+",
    rf"{_ENGLISH_START}(?:{_ENGLISH_WHO}|[a-z]+)(?:'ll| will| shall)\s+(?:also |then |just |first )*{_ENGLISH_ACT}",
    rf"\b{_ENGLISH_WHO}\s+(?:still |also |really )*(?:need|needs|have|has|'ve got|ought|got)\s+to\s+{_ENGLISH_ACT}",
    r"\b(?:should|must|needs? to|has to|have to|will|can you|could you|please|to)\s+[^.?!;]{2,50}?"
    rf"\b(?:by|before|no later than|until) {_ENGLISH_DAY}",
    r"\b(?:deadline|due) (?:is|on|by|date)\b",
)

_CHINESE_NEAR_MISS = (
    rf"(?:如果|要是|假如|万一|除非){_REST}*",
    rf"{_REST}*(?:吗|么|呢)[？?]?",
    r"[“「『][^“”「」『』\n]{1,40}[”」』]",
)

_ENGLISH_NEAR_MISS = (
    r"\b(?:if|unless|in case|when|whether)\b[^.,!?;\n]*",
    r"[\"“][^\"“”\n]{1,40}[\"”]",
)

COMMITMENT = (
    Rules(find=_CHINESE, blank=_CHINESE_NEAR_MISS, script=CHINESE),
    Rules(find=_ENGLISH, blank=_ENGLISH_NEAR_MISS, script=LATIN),
)
"""Rules that find a sentence that leaves something to be done, Chinese and English."""
