"""English cue words: what shows an intent, and what only looks like it."""

from __future__ import annotations

__all__ = ["BACK_REFERENCE", "DISCOURSE_MARKER", "FIND", "NEAR_MISS", "QUESTION"]

OPEN = r"(?:^|[.!?;:,\n]|\s[-–—]+\s)\s*(?:(?:ok(?:ay)?|right|alright|all right|fine|good|great|cool|thanks|oh|hm+|so|well|and|also|now|ah|yes|sure|perfect|got it)[,.!\s]+){0,3}"
"""Start of a clause, with or without words of assent."""

WE = r"\b(?:i|we|they|he|she|the (?:board|team|committee|council|jury|client|boss|management)|everyone|everybody|my \w+|my \w+ and i)"
"""Who decides or reports."""

DONE = (
    r"(?:done|finished|completed?|sent|submitted|fixed|uploaded|built|created|added|written|shipped|deployed|merged"
    r"|published|booked|paid|updated|installed|set up|cleaned|painted|delivered|closed|solved|resolved|wrapped up"
    r"|handed in|turned in|filed|signed|cancell?ed|renewed|ordered|returned|refunded|picked up|dropped off|emailed|e-mailed"
    r"|mailed|posted|printed|backed up|migrated|removed|deleted|tested|verified|proofread|interviewed|implemented|pushed"
    r"|released|configured|registered|packed|assembled|repaired|replaced|translated|recorded|edited|typed up|switched (?:off|on|over)"
    r"|squashed|sorted(?: out)?|approved|archived|scheduled|invoiced|settled|unpacked|planted|mowed|labell?ed|formatted"
    r"|refactored|reviewed|checked off|ticked off|crossed off|knocked out|put together|moved over|rolled out|signed off|scanned|mended|restored)"
)
"""What is said of a task that is over."""

SAID = r"(?:said|mentioned|told|listed|suggested|recommended|described|proposed|explained|promised|quoted|advised|pointed out|brought up|noted|talked about|discussed|agreed|outlined|gave|showed|sent|wrote|shared|calculated|came up with|warned|spoke about|covered|asked|went over)"
"""What was done in words, in the past."""

WHEN = r"(?:earlier|before|previously|last time|just now|above|the other day|yesterday|a (?:minute|moment|while|bit|second|few (?:minutes|messages|turns)) ago|at the (?:start|beginning|top|outset)|back then|last (?:week|night|session|month)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)"
"""When it was said."""

ASKED = (
    r"[^,.!?;:\n]*\?",
    r"(?:^|[.!?;\n])\s*(?:who|what|when|where|why|how|which|do|does|did|is|are|was|were|has|have|had|can|could|should|would|will|am)\b[^,.!?;:\n]*",
)
"""Clauses that ask."""

QUOTED = (r"[\"“‘«][^\"“”‘’«»\n]{1,40}[\"”’»]",)

SUPPOSED = (
    r"\b(?:if|unless|whether|until|till|when|once|as soon as|in case|suppose|imagine|before|wish|hope|hopefully|maybe|perhaps|might|may|should|would|could|must|need to|needs to|have to|has to|want to|plan to|planning to|trying to|going to|about to|supposed to|will|'ll|please|don't|do not|let's)\b[^.!?;\n]{0,60}?(?:[,.!?;\n]|$)",
)
"""What is supposed, wished or still to come."""

FIND: dict[str, tuple[str, ...]] = {
    "topic_change": (
        OPEN
        + r"(?:by the way|btw|incidentally|unrelated(?:ly)?\b|off[- ]topic|separately|apropos of|out of (?:nowhere|the blue)"
        + r"|random (?:question|thought|aside)|speaking of\b|side ?note|sidebar|small tangent|tangent:|topic change|subject change|p\.?s\.?[:,. ])",
        r"\bon (?:another|a (?:different|separate|side|lighter|totally different|completely different|unrelated|brighter|more serious)) (?:note|topic|subject|matter|tangent)",
        r"\b(?:chang(?:e|ing)|switch(?:ing)?|shift(?:ing)?) (?:the |of )?(?:subject|topics?|gears|tack)\b|\bchange of (?:subject|topic)\b",
        r"\b(?:let's|can we|could we|shall we|how about we|i(?:'d| would)? (?:also )?(?:like|want|need) to|i wanna|we should(?: also)?) (?:now )?(?:talk|chat|speak) about\b",
        r"\b(?:let's|can we|could we|shall we|how about we) (?:now )?(?:move on|turn to|switch (?:to|over)|jump (?:to|over)|shift to|pivot|get (?:on)?to|go (?:on )?to the next|discuss|park|table|shelve|leave (?:that|it|this))\b",
        OPEN
        + r"(?:moving|turning|switching|jumping|pivoting|shifting|coming|going) (?:on|over|now|swiftly on|along)?\s?(?:to|onto|on to)\b|"
        + OPEN
        + r"moving (?:on|along|right along|swiftly on)\b|"
        + OPEN
        + r"on to (?:the|my|our)\b",
        r",? turning (?:now )?to (?:the|my|our|your)\b",
        OPEN
        + r"(?:(?:the |my )?next|new|different|another|other|side|quick|separate|last|one (?:more|other|last|final)|a (?:new|different|quick|separate|side|totally different)|just (?:one|another)(?: more)?|(?:totally |completely )?(?:different|unrelated)) (?:side |quick |small |little |totally |completely |unrelated |different )*(?:question|thing|topic|subject|q)\b(?:[:,.!?–—-]| (?:though|while|about|for|on|before)\b|$)",
        r"\b(?:leaving|setting|putting|laying) (?:that|this|it|all that|all this|the [^,.!?]{1,30}|\w+) (?:aside|to one side|to the side|behind us)\b|"
        + OPEN
        + r"(?:that|this|all that|jokes?|work) aside\b",
        r"\b(?:park|table|shelve|drop) (?:that|this|it)\b(?: for)?|\bput a pin in|\bback burner\b|\bi digress\b",
        OPEN
        + r"(?:forget|never ?mind|enough) (?:about |of |with )?(?:the |that|this|all |about )?[^,.!?;]{0,30}(?:for (?:a|the) (?:minute|moment|second|sec|now|bit)|for now|for today)",
        r"\b(?:enough (?:of|about|with) (?:the|that|this|me|my|work|all)|so much for|that's enough (?:of|about|on|for))\b",
        r"\b(?:before (?:i forget|it slips (?:my )?mind)|(?:slips|slipped) my mind|(?:i )?(?:almost|nearly) forgot|while i (?:have you|'ve got you|think of it)|that reminds me\b|(?:that|which) brings (?:me|us) (?:on )?to)",
        OPEN + r"(?:any ?ways?|any ?hoo?w?|now then|next up)\b[,.:\s]+\w",
        r"(?:^|[.!?]\s*)(?:ok(?:ay)?|fine|right|great|good|alright|cool|thanks)[,.!]+ (?:and|now),? (?:what|how) about (?:the |my |your |our )?\w+",
        r"\bthat (?:covers|wraps up|settles|takes care of|concludes|does it for|is it for|'s it for|'s all for)\b|\bthat's (?:it|all|everything) (?:for|on|about|with) (?:the|my|our|this|today)\b",
        r"\b(?:is|are|comes) up next\b|\bup after (?:that|this)\b|\bis next (?:on|up)\b",
        r"\b(?:a )?(?:new|different|separate) (?:topic|subject|thing entirely)\b[:.,!–—-]",
        r"\b(?:that's|it's|this is|that is) (?:all )?(?:sorted|done|settled|finished|fixed|over|dealt with|out of the way)[,.!]+\s*(?:now|next|so|on to|ok|let's|what|how|can|could|i)\b",
        r"\b(?:now that|with|having) (?:that|this|we|the [\w ]{1,20}|all that)[^,.!?]{0,20}\b(?:done|sorted|settled|finished|out of the way|covered|behind us)\b,",
        r"\b(?:talk|ask|chat)(?: you)? (?:about )?(?:something|anything) (?:else|different|unrelated|more (?:fun|cheerful|pleasant))\b",
        r"\b(?:not related|nothing to do with (?:this|that|the))\b[^.?!]{0,20},|\b(?:kitchen|bathroom|work|dinner|lunch|game|story) ?time[.!]$",
        OPEN
        + r"(?:also|plus|oh)[, ]+(?:unrelated|while|before|i meant to ask|i wanted to ask|i've been meaning|another (?:thing|question)|one (?:more )?(?:thing|question))",
        r"\b(?:i (?:also )?(?:meant|wanted|have been meaning|'ve been meaning) to ask)\b|"
        + OPEN
        + r"as for (?:the|my|our)\b",
    ),
    "decision": (
        WE
        + r"(?: have|'ve|'s| has|'d| had| was| were)?(?: all| finally| just| now| both| unanimously| eventually| already)* (?:decided|agreed|opted|chose|chosen|picked|voted|settled on|resolved to|resolved that|went with|gone with|signed off|green-?lit|greenlighted|approved|ruled out|committed to|landed on|narrowed it down to|accepted the|turned down|rejected|elected to)\b",
        r"\blet's (?:go (?:with|for|ahead)|do(?: it)?\b|use|keep|stick (?:with|to)|take|book|pick|make it|drop|skip|cancel|call it off|postpone|order|buy|hire|settle|finali[sz]e|choose|set it|leave it at|lock|ship|run with|stay with|move it|push it|get the|scrap|ditch|settle)",
        r"\b(?:go(?:ing)? ahead (?:with|and)|go(?:ing)? with (?:the|option|plan|version|a|b|c|that|this|it)\b|run with (?:it|that)|lock(?:ed|ing)? (?:it|that|this) in|make it so|do it\.?$|ship it|sign (?:it|me|us) (?:off|up)|count (?:me|us) (?:in|out)|book it\b)",
        r"\b(?:it's|that's|that is|it is|all|is|are|everything's|consider it|matter|then it's|now) (?:now |all |been )?(?:settled|decided|agreed|a deal|a done deal|final|set in stone|finali[sz]ed|locked in|confirmed)\b",
        r"\b(?:done deal|end of (?:story|discussion)|final (?:answer|decision|call)|case closed|deal[.!]|sold[.!]|no objections?|nobody objects|all in favou?r|unanimous(?:ly)?|by consensus|motion (?:carried|carries|passed|passes)|green light|decision (?:is )?(?:made|taken|final))\b?",
        r"\b(?:i|we)(?:'ll| will| shall) (?:just |definitely |both |all |probably not )?(?:take|go with|go for|go ahead|have the|use|keep|stick|pick|choose|order the|buy the|be (?:hiring|using|going with|taking|keeping|dropping|moving)|drop|do without|settle for|opt for|leave it at|pass on|not be)\b",
        r"\b(?:i|we)(?:'m| am|'re| are) (?:definitely |not |all |both |now |officially )*(?:going (?:with|for|ahead)|keeping|hiring|quitting|taking|dropping|sticking|choosing|picking|cancell?ing|getting rid of|buying the|switching to|selling|scrapping|ditching|skipping|postponing|calling (?:it )?off|opting|settling|closing|accepting|declining|turning (?:it|them|down)|pulling the plug|moving ahead|moving forward with|leaving the)\b",
        r"\b(?:made up (?:my|our|his|her|their) minds?|(?:my|our|the) (?:decision|choice|pick|verdict|mind|final choice) is\b|(?:i|we) (?:hereby )?confirm\b|that's the one\b|that's what (?:i|we) want\b|(?:i|we) choose\b|winner is\b)",
        r"(?:^|[,.!;]\s*)(?:fine|ok|okay|right|so|then|well|alright|yes|good|great|cool|agreed)[, ]+(?:the |a |an |on )?(?:[\w-]+ ){0,2}[\w-]+ it is(?:[.,!;]|$| then)",
        r"(?:^|[.!;]\s*)(?:the |on )?(?:[\w-]+ )?[\w-]+ it (?:is|'ll be|shall be)(?: then)?[.,!]|\bit's a (?:yes|no|go|deal)\b|\b(?:wins|wins it)[.!]",
        r"(?:^|[.!]\s*)(?:decision|agreed|resolved|verdict|final|approved|accepted|confirmed|rejected)[:.!,]",
        r"\b(?:the|our) plan is (?:now )?to\b|\b(?:set on|sold on)\b|\b(?:i'm|we're|count me) in[.!,]|\b(?:i|we)(?:'ve| have) (?:gone|plumped|settled) for\b|\bi'm (?:going|happy) with\b|\boption \w,? please\b",
        r"\b(?:name|title|theme|colou?r|venue|date|deadline|budget|price|launch|kickoff|default|logo|format|meeting) (?:will be|is going to be|stays|is now|is set (?:for|at|to)|moves to|shifts to|goes to|has been (?:set|fixed|moved))\b",
        r"^(?:the |our |my )?[\w -]{1,25} (?:stays|goes|is out|is in|gets the job|gets the (?:boot|chop|axe))[.,!]",
        OPEN
        + r"(?:yes|yep|yeah|ok|okay|sure|fine|alright|agreed|deal|understood|very well|noted|confirmed|excellent)[,:.! ]+(?:so |then )*(?:go (?:ahead|with|for)|do it|do that|use (?:the|that|it)|book (?:it|the)|take (?:the|that|it)|make it (?:\d|mon|tues|wednes|thurs|fri|satur|sun|the)|(?:i|we|you|the [\w ]{1,20}|it)(?:'ll| will| shall)\b|we(?:'re| are) going)",
        r"\b(?:shift|move|mov|push|postpon|reschedul|bring)(?:s|es|ed|ing)? (?:it |the [\w ]{1,20} )?(?:to|until|till|back to|forward to) (?:the |next |mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
        r"\bfrom now on\b|\beffective immediately\b|\bas of (?:today|now|next|monday)\b",
    ),
    "task_done": (
        WE
        + r"(?:'ve| have|'s| has|'d| had)(?: just| already| finally| now| successfully| also| all| both| at last)* (?:been |got (?:it |them |the \w+ |that |everything )?)?"
        + DONE
        + r"\b",
        WE
        + r"(?: just| already| finally| now| successfully| also| all| both)* (?:finished|completed|sent|submitted|fixed|uploaded|created|added|shipped|deployed|merged|published|booked|paid|updated|installed|set up|delivered|solved|resolved|wrapped up|handed in|turned in|filed|signed|cancell?ed|renewed|ordered|dropped off|emailed|e-mailed|mailed|backed up|migrated|pushed|released|configured|registered|packed|assembled|repaired|replaced|translated|knocked out|ticked off|put together|managed to (?:\w+)|got (?:\w+ ){1,4}(?:done|in|sent|working|sorted|fixed))\b",
        r"\b(?:is|are|'s|'re|has been|have been|was|were|'s been|been|got|gets)(?: now| finally| all| already| both| fully| successfully| officially| just| up and)* (?:"
        + DONE
        + r"|ready|live|in place|up and running|up to date|over the line|gone|in the (?:bag|post|mail|oven)|out of the (?:oven|way)|off to (?:the|my|our)|out the door|done and dusted|at 100|green|good to go|back (?:up|online)|in!|through)(?:\b|$|[!.])",
        r"(?:^|[.!;\n,]\s*)(?:(?:ok|okay|right|great|good news|update|just|all|everything|finally|phew|yay|hooray|so|and)[,:!. ]+)*(?:finished|done|completed|sent|fixed|submitted|uploaded|sorted|solved|shipped|deployed|merged|booked|paid|delivered|mission accomplished|nailed it|all set|job done|installed|ordered|wrapped up)\b(?:[.,!;]|$| (?:the|all|my|our|it|them|both|with|and|every|up))",
        r"\b(?:all (?:done|set|sorted|finished|wrapped up|good to go)|job done|mission accomplished|done and dusted|signed, sealed|finally (?:done|finished)|off (?:my|the|our) (?:list|plate|desk)|that's (?:the last|done|everything (?:packed|sent|in)|that (?:done|sorted)))\b",
        r"\b(?:it|this|that|everything|script|build|code|app|site|printer|server|test|tests|suite|page|form|link|query|pipeline|website|wifi|car|heating|boiler) (?:now )?(?:works|runs|compiles|passes|pass|boots|loads|prints|is working|are passing|is running)(?: now| again| fine| perfectly| without| like|[.!,]|$)",
        r"\b(?:no (?:more )?errors|zero (?:errors|failures|warnings)|took (?:us|me|him|her|them) (?:the whole|all|a whole|two|three|\d|ages|forever|hours|days)|turned out to be)\b",
        r"\b(?:have|has) (?:all |both |now |finally )?had (?:their|his|her|its|my)\b",
        r"\b(?:i|we|you)(?:'ve| have) (?:just |now |already |finally |also |all |both )+(?:\w+ed|made|sent|got|put|written|built|bought|sold|paid|read|run|set|cut|drawn|hung|swept|taken|given|found)\b",
        r"\b(?:i|we) (?:just |finally |also )?(?:cleaned|washed|wrote|baked|cooked|drew|mowed|painted|printed|rewrote|reinstalled|scheduled|vacuumed|ironed|planted|sanded|hung|built|bought|sold|wired|ran|tested|checked|closed|posted|returned|collected) (?:the|my|our|all|both|every|it|them|a)\b",
        r"^(?:just |finally |ok(?:ay)?,? |so,? |phew,? |done[:,] )?(?:passed|got|sent|paid|made|wrote|built|bought|sold|hung|took|cleaned|painted|printed|posted|packed|closed|cancell?ed|renewed|returned|updated|tested|fixed|moved|signed|merged|shipped|filed) (?:the|all|my|both|every|our|it|them|off|up)\b",
        r"\b(?:passed (?:my|the|his|her|its|our|with)|hit send|filled (?:in|out)|wrapped up|crossed the finish|over the finish|made it (?:in|through|home)|came out (?:great|fine|well|perfect)|pulled it off)\b",
        r"\b(?:is|are) (?:up|down|in|off|out)(?: and \w+|!+|,| now)",
    ),
    "summary_request": (
        r"\b(?:summari[sz]e|summari[sz]ing|sum (?:it|this|that|things|everything|up)|summing (?:it )?up|recap|tl;? ?dr|rundown|run-down|synopsis|cliff ?notes|takeaways?|key points|main points|boil (?:it|this|that|the [^.?!]{1,30}|\w+) down|condense|distill?|digest (?:of|version)|paraphrase the)\b",
        r"\b(?:give|giving|write|writing|make|create|provide|send|do|prepare|draft|get|need|want|have|show|offer|put together|produce|compose|share|generate|see|like|appreciate|for|compile|type up|knock up)\b[^.?!\n]{0,30}\b(?:summary|overview|rundown|synopsis|abstract|digest|gist|outline|wrap-?up|short version|minutes|bullet points|highlights|key points|essentials|brief|main ideas|status update)\b",
        r"(?:^|[.!?,]\s*)(?:quick |short |brief |one-line |executive |the )?(?:summary|overview|gist|short version|shorter version|highlights|recap|outline|the essentials|bottom line)(?: of [^?.!]{1,40})?(?:,? please|,? pls|,? plz)?\s*[?.!]*$",
        r"\bin a nutshell\b|\blong story short\b|\b(?:the|what's the|what is the|get the) (?:gist|bottom line|short version|upshot)\b|\bthe long and short of it\b",
        r"\b(?:catch|bring|get|fill) (?:me|us|him|her|them|everyone|the [\w ]{1,15}) (?:up|in on (?:what|everything)|up to (?:speed|date))\b|\bbrief me\b",
        r"\bwhere (?:do|did|are) (?:we|things|i) (?:stand|at|up to|get to|end up)\b|\bwhere (?:we|things) (?:stand|are at|'re at)\b|\bwhere the \w+ stands\b",
        r"\bwhat (?:have|did|has|all) (?:we|i|they|you|been|everyone)\b[^.?!]{0,20}\b(?:cover(?:ed)?|agreed?|discuss(?:ed)?|miss(?:ed)?|decided?|established?|settled?|concluded?|talk(?:ed)? about|learn(?:ed|t)?|so far)\b|\bwhat did i miss\b",
        r"\b(?:outline|list|go over|run (?:me )?through|walk (?:me|us) (?:back )?through|take (?:me|us) (?:back )?(?:over|through)|lay out|recount|review|cover)\b[^.?!]{0,40}\b(?:so far|up to now|until now|from the (?:top|start|beginning)|to date|everything (?:we|you)|the whole|has been|we've|briefly|covered|agreed|decided|discussed)\b",
        r"\bin (?:just |under |about |at most |no more than )?(?:one|two|three|four|five|a few|a couple of|\d+) (?:short |simple |plain |quick )?(?:sentences?|lines?|words|bullets?|bullet points|paragraphs?|points)\b",
        r"\b(?:only|just)(?: give me| tell me| show me)? (?:the )?(?:important|key|main|essential|crucial|most important|necessary) (?:\w+)\b|\btoo long\b[^.?!]{0,20}(?:,|;|to read)",
        r"\b(?:shrink|compress|shorten|pare|trim|cut|squeeze|reduce|turn|whittle) (?:this|that|it|the|these|all|my|our)\b[^.?!]{0,40}\b(?:to|down|into) (?:something|one|two|three|a (?:few|couple|paragraph|page|sentence|tweet|short)|\d|its|bullet|the essentials|half)",
        r"\b(?:thirty|30|ten|10|sixty|60|five|two|one) seconds\b|\blay it all out\b|\bwhich (?:things|points|items) (?:are|have been|were) (?:agreed|decided|settled|open)\b",
        r"\b(?:so far|up to now|until now|to this point)\?",
        r"\b(?:refresh (?:me|my memory) on|quick refresher|state of play|the headlines|cut to the chase|abridged|one-pager|the (?:main|key) (?:takeaways?|points|ideas|findings|conclusions)|bullet (?:it|this|that)|(?:a few|some|three|five|\d) bullets|bullets,? please|bring it all together|pull (?:it|this|everything) together)\b",
        r"\b(?:briefly|quickly|concisely) (?:explain|describe|outline|tell|go over|list|state|review|run)\b|\bwhat(?:'s| has) been (?:said|decided|agreed|covered|discussed)\b|\bwhat (?:was|is) (?:all )?(?:decided|agreed)\b|\bwrap up (?:this|our|the)\b|\bwhere we(?:'ve| have)? (?:got|gotten) to\b",
    ),
    "refers_back": (
        r"\b(?:as|like) (?:i|we|you) (?:just |already |have |had |'ve )*" + SAID + r"\b",
        r"\b(?:as|like) (?:mentioned|noted|discussed|described|stated|agreed|shown|explained|promised|requested|before|above|earlier|previously|last time)\b",
        r"\b(?:you|we|i)(?:'ve|'d| have| had)?(?: just| already| both| had| once| originally| initially| previously| first| even| also)* (?:said|mentioned|told|listed|suggested|recommended|described|proposed|explained|promised|quoted|advised|pointed out|brought up|talked about|discussed|outlined|came up with|warned|spoke about|went over|(?:gave|showed|sent|taught) (?:me|us|you))\b",
        r"\b(?:was|were|been) (?:telling|talking|chatting|asking|discussing|saying|speaking)\b(?: you| me| us)?(?: about)?",
        r"\b(?:did|do|had) (?:you|we|i) (?:just |originally |first |actually )?(?:say|mention|recommend|suggest|pick|choose|list|tell|propose|quote|agree|decide on|settle on|land on|talk about|discuss|describe)\b",
        r"\bremind me(?: again)?(?: please)?,? (?:what|who|which|of|how|when|where|why|about|again|the|your|our|did|whether)\b|\bremind me[.!?]*$",
        r"(?:^|[,.!?]\s*)"
        + WHEN
        + r",? (?:you|we|i)\b|\b(?:you|we|i) (?:\w+ ){0,8}?"
        + WHEN
        + r"(?:[,.?!]|$| (?:that|about|which|is|was|and))",
        r"\b(?:the|that|those|these|your|our|my) (?:[\w-]+ ){1,3}(?:from|in|of|at) (?:before|earlier|above|yesterday|last (?:time|week|night|session|month)|our (?:last|previous|earlier|first)|your (?:last|first|previous|earlier)|the (?:start|beginning|other day))\b",
        r"\byour (?:last|previous|earlier|first|second|third|original|initial|other|latest|final|most recent) (?:[\w-]+ )?(?:reply|answer|message|suggestion|response|list|point|example|email|version|draft|recipe|plan|estimate|idea|option|explanation|table|paragraph|recommendation|step|snippet|code|solution|proposal)",
        r"\b(?:the|that|those) (?:previous|earlier|above|aforementioned|first|second|third|last) (?:answer|reply|message|question|example|suggestion|snippet|list|discussion|conversation|topic|option|plan|table|paragraph|version|idea|steps?|code|formula|recipe|draft|estimate|point|approach|method|figure|number)s?\b",
        r"\b(?:back to|going back|go back to|circling back|circle back|follow(?:ing)?[- ]up on|returning to|coming back to|revisit(?:ing)?|pick(?:ing)? up where|where (?:were we|did we leave)|(?:we|i) left off|update on)\b",
        r"\b(?:you were saying|what you said|didn't (?:you|we|i) (?:just |already )?(?:say|mention|agree|tell|cover|discuss)|haven't (?:i|we|you) already|i already (?:said|told|mentioned|gave|answered|explained)|you keep saying|contradicts? (?:what|your))\b",
        r"\b(?:earlier in (?:this|our|the)|in (?:our|the) (?:last|previous|first|earlier) (?:chat|conversation|session|message|discussion)|a few (?:messages|turns|replies) (?:ago|back|up)|further up|scroll(?:ing)? up|at the (?:start|beginning|top) of (?:this|our|the) (?:chat|conversation|thread|session)|same (?:\w+ )?as (?:before|last time|earlier)|like (?:before|last time)|as per (?:our|your|my|the))\b",
        r"\b(?:repeat (?:that|what|the last|your)|say that again|what was it (?:you|we|again)|(?:first|second|third|last|other) (?:one|option|idea|suggestion|point|approach|recipe|book|film) (?:you|from|on|in) )",
        r"\bthat (?:recipe|book|film|movie|link|quote|number|figure|list|joke|idea|method|trick|tool|library|function|approach|app|site|song|restaurant|place|exercise|command|word|name|guy|plan|story|problem|bug|issue|thing) (?:you|we|i|from|again)\b",
        r"\bagain\?|\b(?:what|who|which|where|when|how much|how many) (?:was|were) (?:that|it|the (?:name|number|price|date|figure|author|second|first|other|last|title|amount|total))\b",
        r"\b(?:on|in|from|of) your (?:list|last|answer|reply|plan|message|itinerary|recipe|explanation|table|example|suggestions?|previous|first)\b",
        r"\byour (?:[\w-]+ )?(?:itinerary|suggestion|advice|recommendation|explanation|calculation|estimate|answer|reply|recipe|outline|workout|meal plan|routine|list|tip|example|code|snippet|formula|script|proposal)s? (?:forgot|missed|didn't|did|doesn't|does|worked|was|were|is|are|has|helped|says|said|left|assumes|seems|looks|won't|breaks|broke|failed|keeps?|saved)\b",
        r"\b(?:do you (?:still )?|you )?remember (?:when|that|the|what|how|my|our|me) (?:we|you|i|\w+ (?:i|we|you|from))\b|\bdo you (?:still )?(?:remember|recall)\b",
        r"\b(?:we|you and i) (?:agreed|decided|settled|planned|worked out|calculated|set up|drafted|wrote|covered|said|looked at|came up with|built|made)\b[^.?!]{0,40}\b(?:"
        + WHEN
        + r"|last|ago)\b",
        r"\b(?:the one|those|the ones|the \w+) (?:you|we|i) (?:\w+ )?(?:mentioned|suggested|recommended|described|listed|talked|discussed|gave|showed|sent|picked|shared|made|told)\b",
    ),
}
"""Intent → patterns that show it."""

NEAR_MISS: dict[str, tuple[str, ...]] = {
    "topic_change": (
        *QUOTED,
        r"\bspeaking of which is\b|\b(?:don't|do not|not|never|no need to|didn't|can't|without) (?:want to |wanna )?(?:chang\w+|switch\w*) (?:the )?(?:subject|topics?)\b",
        r"\b(?:next|other|another|new) (?:thing|question|topic|subject|item|point|issue|matter) (?:on|in|of|to) (?:the (?:menu|exam|test|book|recipe))",
        r"\b(?:what's|what is) (?:the |my |our )?next\b",
        r"\bnext (?:train|bus|flight|week|month|year|door|day|time|step|mon|tues|wednes|thurs|fri|satur|sun)\w*",
        r"\b(?:helping|having trouble|struggl\w+|difficulty|hard time) (?:with )?moving on\b|\bmoving on from (?:him|her|my ex|a breakup)\b",
    ),
    "decision": (
        *QUOTED,
        *ASKED,
        r"\b(?:have|has|had|did|do|does|is|are|was|were|can|could|would)(?:n't| not) (?:\w+ )?(?:decide|decided|agree|agreed|settled?|chosen?|choose|picked?|finali[sz]ed?|confirmed|made up|voted)\b[^.!?;\n]*",
        r"\b(?:can't|cannot|couldn't|never|yet to|unable to|struggling to|hard to|need to|have to|has to|want to|trying to|help me|before we|until we|undecided|don't|do not|not) (?:\w+ )?(?:decide|agree|settle|choose|pick|go with|book|commit|take|use|confirm|finali[sz]e)\b[^.!?;\n]*",
        r"\b(?:if|unless|whether|until|till|suppose|imagine|wish|hope|maybe|perhaps|might|may|could|would|should|thinking (?:of|about)|considering|leaning towards?|either)\b[^.!?;\n]*",
        r"\b(?:decision|decided) (?:tree|trees|making|maker|fatigue|theory|boundary)\b|\blet's (?:see|say|talk|discuss|have|try|think|start|begin|pretend|assume)\b",
        r"\b(?:what|how|as|where|that|who|why|when|like|whatever|know|think|than|because|since|wherever) it is\b",
        r"\bdecided by\b|\bused to\b[^.!?;\n]*",
    ),
    "task_done": (
        *QUOTED,
        *ASKED,
        *SUPPOSED,
        r"\b(?:not|never|n't|isn't|aren't|hasn't|haven't|wasn't|didn't|almost|nearly|half|hardly|barely|partly|still|far from|yet to|close to)\b[^.!?;\n]*",
        r"\b(?:so|i'm|i am|we're|over and) done (?:with|in|for)\b|\bwell done\b|\beasier said than done\b|\bmedium done\b",
        r"\b(?:get|getting|have|having|to be|being|be|to) (?:it |this |that |the \w+ )?" + DONE + r"\b",
        r"\b(?:i|we|you|he|she|they)(?:'ve| have|'s| has)? (?:just |now |already |finally |also |all |both )*(?:lived|tried|noticed|heard|wanted|needed|considered|thought|loved|liked|felt|used|worked|experienced|struggled|wondered|looked|agreed|decided|chosen|opted|picked|voted|missed|failed|lost|visited|studied|asked|mentioned|explained|realised|realized|seemed|watched|stayed|waited|started|changed|moved to)\b[^.,!?;\n]*",
        r"\bused to\b[^.!?;\n]*|\b(?:ready|in time) (?:to|for|in)\b|\bwhat (?:is|are|was) \w+\b|\bsummary\b",
        r"\b(?:is|are) (?:set|closed|posted|delivered|made|written|created|built|added|painted|edited|signed|printed|recorded|sorted|paid|tested|updated|published) (?:by|in|on|every|each|at|with|to|from|of)\b[^.!?;\n]*",
    ),
    "summary_request": (
        *QUOTED,
        r"\b(?:don't|do not|not|no need (?:to|for)|without|stop|never|hate|instead of|rather than)\b[^.!?;\n]{0,20}\b(?:summar\w+|recap\w*|overview|tl;?dr|outline|digest)\b",
        r"\b(?:i|we|he|she|they|you)(?:'ve| have|'ll| will)? (?:already |just )?(?:summari[sz]ed|recapped|condensed|outlined|wrote|read|made|finished|sent|got|like|liked|loved|hated)\b[^.!?;\n]*",
        r"\bsummary (?:statistics?|stats|judge?ment|table|page|function|trial|dismissal|execution|be|should|is|are|was|says|section)\b|\bhow long should\b[^.!?;\n]*|\bhow (?:do|to|does|can|should)\b[^.!?;\n]{0,30}\b(?:summary|abstract|outline|minutes|overview|synopsis|digest)\b",
        r"\b(?:what|who) (?:is|are|makes|wrote)\b[^.!?;\n]{0,12}\b(?:summary|abstract|recap|synopsis|minutes|overview)\b|\boverview (?:map|screen|page|effect)\b",
        r"\b(?:ten|five|two|three|\d+|a few|several|twenty|thirty) minutes\b|\bdigest(?:ive|ion|ing)?\b[^.!?]{0,10}\b(?:food|dairy|milk|well)\b|\bcan't digest\b",
        r"\bhighlights? (?:in my hair|the|this|text|my)\b|\bhair highlights\b|\babstract (?:class|art|algebra|painting|noun)\w*",
    ),
    "refers_back": (
        *QUOTED,
        r"\bremind(?:er)? me (?:to|at|in|on|tomorrow|every|later|when)\b|\bset a reminder\b",
        r"\b(?:before|earlier) (?:the|my|noon|midnight|bed|dinner|lunch|breakfast|you|i|we|they|he|she|it|a|an|\w+ing|than|\d)\b",
        r"\b(?:never|n't|not)\b[^.!?;\n]{0,30}\bbefore\b|\b(?:the|my|our|a) previous (?:owner|job|boss|tenant|landlord|employer|flat|house|car|president|king)\b",
        r"\b(?:can't|cannot|don't|couldn't|never) (?:\w+ )?(?:remember|recall)\b[^.!?;\n]*",
        r"\b(?:told|asked|said to) (?:my|him|her|them|the|his)\b|\b(?:he|she|they) (?:said|told|mentioned)\b",
        r"\b(?:how|is it|can|could|should|do|does) [^.!?]{0,30}\b(?:formal writing|an essay)\b|\b(?:go|come|get|went|going|coming) back to (?:school|work|bed|sleep|normal|college|the (?:gym|office|shop|doctor|hospital))\b",
        r"\b(?:i|we) (?:said|told|promised|gave|asked|wrote|sent|showed) (?:yes|no|hello|goodbye|hi|up)\b",
    ),
}
"""Intent → phrases that only look like it."""

QUESTION = (
    r"\?(?:$|[^=&\w/])",
    r"(?:^|[.!?\n]\s*)(?:who|what|when|where|why|how|which|whose|do you|does|did|is it|is there|are there|are you|can you|can i|could you|would you|will you|should i|any idea|anyone know)\b[^.!\n]*$",
)
"""What shows a question."""

DISCOURSE_MARKER = (
    OPEN
    + r"(?:by the way|btw|incidentally|any ?ways?|any ?hoo?w?|also|next|moving on|speaking of|another (?:thing|question|topic)|one (?:more|other|last) (?:thing|question)|separately|on (?:another|a different|a side) note|now then|turning to|back to|as for|regarding|besides|meanwhile|finally|lastly|oh,? and|apart from that|that said|unrelated)\b",
    r"\bchang(?:e|ing) (?:the |of )?(?:subject|topic)\b|\b(?:different|new|next) (?:topic|subject)\b",
)
"""Words that often turn to something new."""

BACK_REFERENCE = (
    r"\bremind me\b|\b(?:earlier|previously|aforementioned|last time|the other day|just now)\b|\b(?:as|like) (?:i|we|you) (?:said|mentioned|discussed|told|agreed)\b",
    r"\b(?:you|we|i) (?:said|mentioned|talked about|discussed|told|suggested|recommended|listed|agreed)\b|\b(?:mentioned|discussed|described|noted|as) (?:above|before|earlier)\b",
    r"\b(?:back to|following up on|go back to|update on|left off)\b|\b(?:do you |you )remember\b|\bwhat (?:was|were) (?:that|the)\b[^.?!]*\bagain\b",
)
"""Words of a reference to the past."""
