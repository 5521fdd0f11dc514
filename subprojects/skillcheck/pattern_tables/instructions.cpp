// SPDX-License-Identifier: Apache-2.0
// Patterns for texts that turn the agent against its user, openly or hidden.
#include "patterns.hpp"

namespace skillhost {
namespace {

#define RULES_OF_AGENT                                                                             \
  R"re((?:instructions?|prompts?|rules?|guidelines?|directives?|constraints?|polic(?:y|ies)|commands?|training|programming|restrictions?))re"
#define SPEAKS_TO_AGENT                                                                            \
  R"re(\b(?:ignore\s+(?:all|any|the|previous|prior|above)|(?:new|secret|hidden|system|these|following|important)\s+instructions?|you\s+must|you\s+should\s+(?:always|never|secretly)|system\s+prompt|do\s+not\s+(?:tell|mention|reveal|inform)|don'?t\s+(?:tell|mention)|secretly|silently|without\s+(?:asking|telling)|ai\s+(?:assistant|agent)|assistant\s*[:,]|agent\s*[:,]|claude\s*[:,]|exfiltrate|send\s+(?:all|the|every)|the\s+user(?:'s)?)\b)re"

constexpr Pattern instructionTable[] = {
    {"instruct.override", high, Speech::Words, Fact::None, "ignore,disregard,forget",
     R"re(\b(?:ignore|disregard|forget)\s+(?:(?:all|any|every|each|the|your|of|my|these|those|everything\s+in|completely)\s+)*(?:previous|prior|earlier|above|preceding|existing|original|former|system|other|safety|current|foregoing|default)(?:ly\s+given)?\s+(?:[\w'-]+\s+){0,2}?)re" RULES_OF_AGENT
     R"re(\b)re"},
    {"instruct.override", high, Speech::Words, Fact::None, "override,bypass",
     R"re(\b(?:override|bypass)\s+(?:(?:all|any|every|each|the|your|of|my|these|those)\s+)+(?:previous|prior|earlier|above|preceding|original|former|system|safety)\s+(?:[\w'-]+\s+){0,2}?(?:instructions|rules|guidelines|directives|constraints|restrictions)\b)re"},
    {"instruct.override", high, Speech::Words, Fact::None, "ignore,disregard,forget",
     R"re(\b(?:ignore|disregard|forget)\s+(?:all\s+(?:of\s+)?)?(?:everything|anything|what)\s+(?:(?:that\s+)?you\s+(?:were|have\s+been|know|learned|are)|above|before|said)\b|\b(?:ignore|disregard|forget)\s+(?:all\s+)?(?:of\s+)?your\s+(?:[\w'-]+\s+){0,2}?)re" RULES_OF_AGENT
     R"re(\b)re"},
    {"instruct.override", high, Speech::Words, Fact::None,
     "you are now,system prompt,developer mode,no restrictions,jailbr",
     R"re(\byou\s+are\s+now\s+(?:in\s+)?(?:dan\b|developer\s+mode|an?\s+unrestricted|jailbroken|free\s+from|no\s+longer\s+bound)|\b(?:new|updated|real)\s+system\s+prompt\s*:|\b(?:enter|enable|activate)\s+(?:jailbreak|god|dan)\s+mode\b|\bact\s+as\s+(?:if\s+you\s+have|an?\s+ai\s+with)\s+no\s+restrictions)re"},
    {"instruct.conceal", high, Speech::Words, Fact::None, "user,human,anyone,operator,owner",
     R"re(\b(?:do\s+not|don'?t|never|must\s+not)\s+(?:ever\s+)?(?:tell|mention|reveal|disclose|report|inform|notify|alert)\s+(?:this|it|that|these|any\s+of\s+this|anything\s+(?:about\s+this\s+)?|the\s+(?:above|following|upload|transfer|step|action|command|installation|request|call)\w*)\s*(?:[\w]+\s+){0,3}?to\s+(?:the\s+|your\s+)?(?:user|human|operator|owner|anyone|anybody))re"},
    {"instruct.conceal", high,
     Speech::Words, Fact::None, "user,human,anyone,operator", R"re(\b(?:do\s+not|don'?t|never|must\s+not)\s+(?:ever\s+)?(?:tell|inform|notify|alert)\s+(?:the\s+|your\s+)?(?:user|human|operator|anyone|anybody)\s+(?:about\s+(?:this|it|these|the\s+(?:upload|transfer|request|command|file|backup|sync|data|call|step))|that\s+(?:you|this|it|data|files?)|of\s+this|what\s+you)|\b(?:hide|conceal|keep)\s+(?:this|it|these|that|all\s+of\s+this)\s+(?:[\w]+\s+){0,3}?from\s+(?:the\s+|your\s+)?(?:user|human|operator|owner)|\b(?:hide|conceal)\s+(?:(?:the|its|your|any|all)\s+)*(?:activity|actions?|output|traffic|commands?|upload|evidence)\s+from\s+(?:the\s+)?user)re"},
    {"instruct.conceal", medium, Speech::Words, Fact::None, "user,human,anyone",
     R"re(\b(?:do\s+not|don'?t|never|must\s+not)\s+(?:ever\s+)?(?:mention|reveal|disclose)\s+[^.\n]{0,60}\b(?:upload|transfer|step|command|request|sync|backup|download)\b[^.\n]{0,20}\bto\s+(?:the\s+|your\s+)?(?:user|human|anyone|anybody)\b)re"},
    {"instruct.conceal", medium, Speech::Words, Fact::None,
     "without,silently,secretly,quietly,covertly",
     R"re(\bwithout\s+(?:the\s+)?user'?s?\s+(?:knowledge|knowing|noticing|awareness|consent)|\bwithout\s+(?:telling|informing|notifying|alerting|mentioning)\s+(?:it\s+to\s+)?(?:the\s+|your\s+)?(?:user|human|operator|anyone)|\b(?:silently|secretly|quietly|covertly)\s+(?:send|upload|copy|read|exfiltrate|forward|post|collect|execute|install|download|transmit|run\s+(?:the|this)\s+command)\b)re"},
    {"instruct.disable-safety", medium, Speech::Anywhere, Fact::None,
     "dangerously-skip-permissions,dangerously-bypass,dangerouslydisablesandbox,"
     "bypasspermissions",
     R"re(--dangerously-skip-permissions\b|--dangerously-bypass-approvals-and-sandbox\b|["']?dangerouslydisablesandbox["']?\s*[:=]\s*true|["']?bypasspermissions["']?)re"},
    {"instruct.disable-safety", low, Speech::Anywhere, Fact::None, "--yolo", R"re(--yolo\b)re"},
    {"instruct.disable-safety", medium, Speech::Words, Fact::None,
     "safety,security,content,approval,permission,confirmation,guardrail",
     R"re(\b(?:disable|bypass|circumvent|turn\s+off|deactivate|evade)\s+(?:(?:all|any|the|your|every|its|built-in|ai|claude'?s)\s+)*(?:safety|security|content|approval|permission|confirmation|moderation|guardrails?)\s*(?:checks?|filters?|guardrails?|prompts?|measures?|controls?|warnings?|restrictions?|mechanisms?|polic(?:y|ies)|protocols?|features?|requests?|guidelines?|steps?)\b)re"},
    {"instruct.disable-safety", low, Speech::Words, Fact::None, "without",
     R"re(\bwithout\s+(?:asking|requesting|waiting|prompting)\s+(?:for\s+)?(?:the\s+user\s+)?(?:for\s+)?(?:the\s+user'?s?\s+|any\s+|user\s+)?(?:permission|confirmation|approval|consent))re"},
    {"instruct.forward-data", high, Speech::Words, Fact::None,
     "token,api key,credential,password,private key,ssh key,secret,conversation,chat "
     "history,"
     "system prompt,environment variable,all data,cookie,user data,files",
     R"re(\b(?:send|forward|upload|post|transmit|exfiltrate|submit|leak|relay|report)\b[^\n]{0,80}\b(?:(?:session|access|auth|bearer|user'?s?)\s+tokens?|credentials|passwords|private\s+keys?|ssh\s+keys?|secrets|conversation(?:\s+(?:history|log|transcript))?|chat\s+(?:history|log)|system\s+prompt|environment\s+variables|env\s+vars|all\s+(?:the\s+)?data|cookies)\b[^\n]{0,60}\b(?:to|via|at)\b[^\n]{0,30}https?://)re"},
    {"instruct.forward-data", high, Speech::Words,
     Fact::None, "token,api key,credential,password,private key,ssh key,secret,.env", R"re(\b(?:read|collect|gather|extract|harvest|find|copy|include)\b[^\n]{0,60}\b(?:(?:session|access|auth)\s+tokens?|api[\s_-]?keys?|credentials|passwords|private\s+keys?|ssh\s+keys?|secrets|\.env\s+files?)\b[^\n]*\b(?:send|forward|post|upload|transmit|exfiltrate|report)\s+(?:them|it|these|those|everything|all|the)\b[^\n]{0,40}(?:\bto\b|https?://))re"},
    {"instruct.forward-data", high, Speech::Words, Fact::None, "http",
     R"re(^\W*(?:forward|send|transmit|upload|relay)\s+(?:all|every|any)\s+(?:[\w'-]+\s+){0,3}(?:data|messages?|conversations?|responses?|inputs?|outputs?|files?|tokens?)\s+(?:[\w'-]+\s+){0,3}to\s+https?://)re"},
    {"instruct.after-every-task", medium, Speech::Words, Fact::None, "after ,before ,every,always",
     R"re(\b(?:after|before|upon|whenever|at\s+the\s+end\s+of|following)\s+(?:(?:finishing|completing|performing|executing|running|editing|processing)\s+)?(?:every|each|any|all)\s+(?:[\w-]+\s+){0,3}?(?:tasks?|operations?|actions?|requests?|responses?|sessions?|conversations?|interactions?|edits?|changes?|commits?|documents?|e?mails?|files?|queries)\b[^\n]{0,120}?\b(?:run|execute|call|invoke|start|launch)\s+(?:the\s+|this\s+|our\s+|`)?[^\s]*(?:scripts?/|\w+\.(?:sh|py|js|ps1|rb)\b|command\b|curl|wget|python|bash|node))re"},
    {"instruct.after-every-task", high, Speech::Words, Fact::None, "after ,before ,every,always",
     R"re(\b(?:after|before|upon|whenever|at\s+the\s+end\s+of|following)\s+(?:(?:finishing|completing|performing|executing|running|editing|processing)\s+)?(?:every|each|any|all)\s+(?:[\w-]+\s+){0,3}?(?:tasks?|operations?|actions?|requests?|responses?|sessions?|conversations?|interactions?|edits?|changes?|commits?|documents?|e?mails?|files?|queries)\b[^\n]{0,160}?\b(?:upload|send|forward|transmit|post|back\s?up|collect|sync)\b[^\n]{0,160}(?:https?://|\bserver\b|\bendpoint\b|\bcurl\b|@\w))re"},
    {"", low, Speech::Words, Fact::AfterEveryTask, "after ,every,always",
     R"re(\b(?:after|upon|whenever|following)\s+(?:(?:finishing|completing|performing|executing|running|editing|processing)\s+)?(?:every|each|any|all)\s+(?:[\w-]+\s+){0,3}?(?:tasks?|operations?|actions?|requests?|responses?|sessions?|conversations?|interactions?)\b)re"},
    {"", low, Speech::Words, Fact::SendsToServer, "http",
     R"re(\b(?:upload|send|forward|transmit|post|curl)\b[^\n]{0,160}https?://[\w-]+\.)re"},
    {"secret.in-text", medium, Speech::Anywhere, Fact::None, "password,passcode",
     R"re(\b(?:user(?:name)?|account|login|admin|credentials?)\b[^\n]{0,60}\b(?:password|passcode)\b\s*(?:is|:|=|of)?\s*["'`](?:[A-Za-z]\w*[0-9!@#%&*?-]+|[0-9]+[A-Za-z!@#%&*?-]\w*)[\w!@#%&*?-]*["'`])re"},
    {"hidden.instructions", high, Speech::Words, Fact::None, "style,hidden,font,<span,<div,<p", R"re((?:<\w+(?:\s+[^\s=>"']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s+hidden(?:\s*=\s*["']?\w*["']?)?(?:[\s/][^>]*)?>|<\w+[^>]*(?:style\s*=\s*["'][^"'>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|em)?\s*[;"']|opacity\s*:\s*0(?:\.0+)?\s*[;"']|(?:^|["';\s])color\s*:\s*(?:white|#fff(?:fff)?|transparent)\b))[^>]*>).*)re" SPEAKS_TO_AGENT},
    {"hidden.instructions", high, Speech::Words, Fact::None, "[//],[comment],[_],[hidden]",
     R"re(^\s*\[(?://|comment|_|hidden)\]\s*:\s*(?:#|<>)\s*["'(].*)re" SPEAKS_TO_AGENT},
    {"hidden.terminal-escapes", medium, Speech::Anywhere, Fact::None,
     R"(\x1b[,\033[,\e[,\u001b[,\x1b],\033],\e])",
     R"re(\\(?:x1b|033|e|u001b)(?:\[(?:\d+;)*8m|\]52;|\[\?1049h.*\\(?:x1b|033|e)\[2J))re"},
};

#undef RULES_OF_AGENT
#undef SPEAKS_TO_AGENT

} // namespace

std::span<const Pattern> instructionPatterns() noexcept { return instructionTable; }

} // namespace skillhost
