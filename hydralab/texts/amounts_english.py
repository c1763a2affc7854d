"""Dates, times, money, percentages and quantities in English."""

from __future__ import annotations

import re

from hydralab.texts.marks import Rule

__all__ = ["DIGITS", "ENGLISH_AMOUNTS", "amount_rule"]

DIGITS = r"\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?"
"""Repeats are bounded: a megabyte of digits is read in one pass."""


def amount_rule(kind: str, pattern: str, flags: int = re.IGNORECASE) -> Rule:
    """Return a rule of a verbose pattern."""
    return kind, re.compile(pattern, re.VERBOSE | re.ASCII | flags)


_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_ONES = rf"one|two|three|four|five|six|seven|eight|nine|{_TEENS}|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SCALES = "hundred|thousand|million|billion|trillion"
_SPELLED = (
    rf"(?:(?:{_ONES})(?:[ -](?:{_ONES}))?(?:[ ](?:and[ ])?(?:{_SCALES}|{_ONES})){{0,6}}"
    rf"|(?:a|half[ ]a)[ ](?:{_SCALES}|dozen))"
)
_SHORT = r"[kmb]n?(?![a-z])"
_ONE = rf"(?:(?:{DIGITS})(?:[ ]?(?:{_SCALES}|{_SHORT}))?|{_SPELLED})"
_NUMBER = rf"(?:(?:(?:{DIGITS})[ ]?(?:-|–|to)[ ]?|(?:{_ONES})[ ](?:to|or)[ ])?{_ONE})"

_MONTH = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_WEEKDAY = "(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:Mon|Tues?|Wed|Thurs?|Fri)(?![a-z]))"
_DAY = r"(?:[12]?\d|3[01])(?:st|nd|rd|th)?"
_ORDINAL = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|fifteenth|twentieth|thirtieth"
)
_HOLIDAY = (
    "Christmas(?:[ ](?:Eve|Day))?|Easter(?:[ ](?:Sunday|Monday))?|Thanksgiving|Hallowe['’]?en|"
    "New[ ]Year(?:['’]s)?(?:[ ](?:Eve|Day))?|Valentine['’]s[ ]Day|Hanukkah|Ramadan|Diwali|Eid|Passover|Good[ ]Friday|"
    "Black[ ]Friday|Labou?r[ ]Day|Memorial[ ]Day|Boxing[ ]Day|(?:Lunar|Chinese)[ ]New[ ]Year|"
    "(?:Mother|Father)['’]s[ ]Day|Independence[ ]Day|Bastille[ ]Day|St[.]?[ ]Patrick['’]s[ ]Day"
)
_PART = "morning|afternoon|evening|night"
_SEASON = "spring|summer|autumn|fall|winter"
_PERIOD = f"week|weekend|month|quarter|year|term|semester|{_SEASON}|{_PART}"
_CLOCK = r"(?:[01]?\d|2[0-3])[:.][0-5]\d"
_ZONE = r"(?:[ ](?:UTC|GMT|EST|EDT|CST|PST|PDT|CET|CEST|BST|JST|ET|PT)(?:[+-]\d+)?\b)?"
_CODES = "USD|EUR|GBP|CNY|RMB|JPY|INR|CHF|AUD|CAD|HKD|SGD|KRW|SEK|NOK|DKK|NZD|ZAR|PLN|BRL|MXN"
_CURRENCY = (
    "(?:(?:US[ ]|Canadian[ ]|Australian[ ]|Hong[ ]Kong[ ])?dollars?|bucks?|euros?|pounds?(?:[ ]sterling)?|quid|"
    "grand|cents?|pence|yuan|renminbi|yen|rupees?|(?:Swiss[ ])?francs?|won|kron(?:or|er|a|e)|pesos?|rand|zloty|"
    f"{_CODES})"
)
_SIGN = rf"(?:(?:{_CODES})[ ]|(?:US|A|C|CA|HK|S|R|NZ)?\$|[€£¥￥₹₩])"
_UNIT = (
    "(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|nights?|weeks?|weekends?|fortnights?|months?|quarters?|"
    "years?(?:[ ]old)?|decades?|mins?|hrs?|secs?|ms|km/h|mph|kph|inch(?:es)?|f(?:oo|ee)t|ft|yards?|yds?|miles?|"
    "(?:kilo|centi|milli)?met(?:er|re)s?|[kcm]?m|[km]?g|(?:kilo|milli)?grams?|kilos?|tonn?es?|tons?|lbs?|pounds|"
    "ounces?|oz|stone|"
    "[mc]?l|(?:milli)?lit(?:er|re)s?|gallons?|pints?|cups?|tablespoons?|teaspoons?|tbsp|tsp|acres?|hectares?|"
    "square[ ](?:feet|met(?:er|re)s|miles|kilomet(?:er|re)s)|sq[ ]?(?:ft|m)|[kmgt]i?b|[kmgt]bps|"
    "(?:mega|giga|tera)?bytes?|[kmg]?hz|kw|mw|w|kwh|watts?|volts?|amps?|mah|degrees?(?:[ ](?:celsius|fahrenheit))?|"
    "°[ ]?[cf]?|pixels?|px|dpi|fps|"
    "calories|kcal|people|persons?|children|kids|men|women"
)

ENGLISH_AMOUNTS: tuple[Rule, ...] = (
    amount_rule(
        "percent",
        rf"(?<![\w.,-]) (?:{_NUMBER}|(?:{DIGITS})%?[ ]?[-–][ ]?(?:{DIGITS})) (?:[ ]?%|[ -]per[ ]?cent\b)",
    ),
    amount_rule(
        "money",
        rf"(?<![\w.]) {_SIGN}[ ]?(?:{DIGITS})(?:[ ]?(?:{_SCALES}|{_SHORT}))?"
        rf"(?:[ ]?[-–][ ]?{_SIGN}?(?:{DIGITS})[kmb]?)?",
    ),
    amount_rule("money", rf"(?<![\w.,-]) {_NUMBER}(?:[ -]?{_CURRENCY}(?!\w)|[ ]?[$€£](?!\d)|p\b)"),
    # Dates.
    amount_rule("date", r"(?<![\w.-]) \d{4}[-/]\d{1,2}[-/]\d{1,2} (?![\d-])"),
    amount_rule("date", r"(?<![\w./-]) \d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2}) (?![\w/-])"),
    amount_rule(
        "date",
        rf"\b (?:(?:the[ ])?{_DAY}[ ](?:of[ ])?{_MONTH}|{_MONTH}[ ]{_DAY}(?!\d|:|[ ][ap]m)) (?:,?[ ]\d{{4}}\b)?",
        0,
    ),
    amount_rule("date", rf"\b (?:the[ ])?(?:{_ORDINAL}|twenty-(?:{_ORDINAL}))[ ]of[ ]{_MONTH}\b"),
    amount_rule(
        "date",
        rf"\b (?:(?:[Ee]arly|[Mm]id|[Ll]ate)[ -])? (?:{_MONTH}|(?i:{_SEASON}))[ ,]+(?:of[ ])?\d{{4}}\b",
        0,
    ),
    amount_rule("date", rf"\b (?:[Ee]arly|[Mm]id|[Ll]ate)[ -]{_MONTH}\b", 0),
    amount_rule(
        "date",
        r"\b the[ ](?:[12]?\d|3[01])(?:st|nd|rd|th)\b"
        r"(?![ ](?:floor|century|time|place|grade|edition|version|birthday|of))",
    ),
    amount_rule("date", r"\b (?:the[ ])?day[ ](?:after[ ]tomorrow|before[ ]yesterday)\b"),
    amount_rule("date", rf"\b (?:today|tonight|(?:tomorrow|yesterday)(?:[ ](?:{_PART}))?|last[ ]night)\b"),
    amount_rule(
        "date",
        rf"\b (?:(?:[Tt]his|[Nn]ext|[Ll]ast|[Ee]very|[Cc]oming)[ ])? {_WEEKDAY}\b (?:[ ](?:{_PART})s?\b)?",
        0,
    ),
    amount_rule(
        "date", rf"\b (?:this|next|last|the[ ]coming|the[ ]following)[ ](?:{_PERIOD}|{_WEEKDAY}|{_MONTH})\b"
    ),
    amount_rule("date", rf"\b (?:{_HOLIDAY}) (?!\w)", 0),
    amount_rule(
        "date",
        r"\b (?:the[ ])?(?:end|start|beginning|middle)[ ]of[ ](?:the|this|next|last)[ ](?:week|month|quarter|year)\b",
    ),
    amount_rule(
        "date",
        rf"(?<![\w.]) (?:{_NUMBER}|an?|a[ ]few|a[ ]couple[ ]of)[ ](?:days?|weeks?|months?|years?)[ ]ago\b",
    ),
    amount_rule("date", r"\b Q[1-4](?:[ ](?:of[ ])?\d{4})?\b | \b FY[ ]?\d{2,4}\b", 0),
    # Times.
    amount_rule("time", rf"(?<![\w.:]) (?:{_CLOCK}|1[0-2]|[1-9])[ ]?(?:[ap]\.m\.|[ap]m\b){_ZONE}"),
    amount_rule(
        "time",
        rf"(?<![\w.:$€£]) (?:{_CLOCK}|1[0-2]|[1-9]|{_HOURS})[ ]in[ ]the[ ](?:morning|afternoon|evening)\b",
    ),
    amount_rule("time", rf"(?<![\w.:-]) (?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)? (?![\w:]) {_ZONE}"),
    amount_rule(
        "time",
        rf"\b (?:half[ ]past|(?:a[ ])?quarter[ ](?:past|to)|(?:{_ONES}|\d+)[ ](?:past|minutes[ ](?:past|to)))"
        rf"[ ](?:{_ONES}|\d{{1,2}})\b",
    ),
    amount_rule(
        "time",
        rf"\b (?:{_HOURS}|1[0-2]|[1-9])[ ]o['’]?clock\b (?:[ ]in[ ]the[ ](?:morning|afternoon|evening))?",
    ),
    amount_rule("time", rf"\b (?:{_HOURS})[ ](?:fifteen|thirty|forty[ -]five)\b (?![ ][a-z]{{1,20}}s\b)"),
    amount_rule("time", r"\b (?:noon|midnight|midday)\b"),
    amount_rule(
        "time",
        rf"\b(?:at|by|until|till|before|after|around|from)[ ](?:about[ ]|around[ ])?(?P<value>1[0-2]|[1-9]|{_HOURS})"
        r"(?= [.,;!?] | $ | [ ](?:on|tomorrow|today|tonight|sharp|and|to|then|for|instead)\b)",
    ),
    # Quantities.
    amount_rule("quantity", r"\b half[ ]an?[ ](?:hour|mile|day|year|kilo|pound|litre|pint|cup|dozen)\b"),
    amount_rule("quantity", rf"(?<![\w.,$€£-]) {_NUMBER}[ -]?(?:{_UNIT})(?![\w'’])"),
    amount_rule(
        "quantity",
        rf"(?<![\w.,$€£:/-]) (?!one[ ]) {_NUMBER}[ ]"
        r"(?!(?:is|was|has|this|plus|minus|times|as|us|yes)\b)[a-z]{1,20}s\b",
    ),
    # Months and years that stand alone.
    amount_rule(
        "date", r"\b (?:January|February|April|June|July|August|September|October|November|December)\b", 0
    ),
    amount_rule(
        "date",
        r"\b(?:in|by|until|till|since|before|after|early|late|next|last|this|from|of)[ ]"
        r"(?P<value>March|May)\b (?![ ][a-z]{1,20}[ ](?:I|we|you)\b)",
        0,
    ),
    amount_rule(
        "date",
        r"\b(?:in|by|since|until|till|before|after|from|during|of|for|to)[ ] (?:the[ ])?"
        r"(?P<value>(?:19|20)\d{2}s?)\b (?![-:.,]\d|[ ](?:people|users|words|dollars|euros))",
    ),
)
"""The surest first."""
