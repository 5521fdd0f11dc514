// SPDX-License-Identifier: Apache-2.0
#include "context.hpp"

#include "ground/text.hpp"
#include "skillmd/characters.hpp"

#include "skillcheck/inspect_text.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t maxSpan = 4096; // bytes of code between two backticks
constexpr std::size_t looked = 600;   // bytes of a line that are searched for warning words

struct Name {
  std::string whole, extension; // lower-case, without folders
};
Name nameOf(std::string_view file) {
  const std::size_t slash = file.find_last_of("/\\");
  Name name{asciiLowered(slash == npos ? file : file.substr(slash + 1)), {}};
  const std::size_t dot = name.whole.rfind('.');
  if (dot != npos) name.extension = name.whole.substr(dot + 1);
  return name;
}

template <std::size_t count>
bool among(const std::array<std::string_view, count> &all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

constexpr std::array<std::string_view, 49> scripts{
    "sh",   "bash", "zsh",  "ksh", "fish", "command", "py",      "pyw",   "js",     "mjs",
    "cjs",  "ts",   "mts",  "jsx", "tsx",  "rb",      "pl",      "pm",    "php",    "lua",
    "ps1",  "psm1", "psd1", "bat", "cmd",  "vbs",     "wsf",     "hta",   "scpt",   "applescript",
    "go",   "rs",   "c",    "cpp", "java", "kt",      "cs",      "r",     "gradle", "json",
    "yaml", "yml",  "toml", "xml", "ini",  "plist",   "service", "timer", "cfg"};
constexpr std::array<std::string_view, 5> scriptNames{"makefile", "dockerfile", "justfile",
                                                      "rakefile", "procfile"};
constexpr std::array<std::string_view, 8> documents{"md",  "mdx",  "markdown", "txt",
                                                    "rst", "adoc", "html",     "htm"};

// The words of a text about security. They must stand outside a host's name or a path.
const RE2 &defence() {
  static const RE2 &words = *new RE2(
      R"re((?i)(?:^|[\s("'*_\x60\[,|>:-])(?:malicious\w*|malware|attack(?:s|er|ers|ing|ed)?|danger(?:s|ous|ously)?|insecure\w*|unsafe\w*|vulnerab\w+|exploit\w*|red[\s-]flags?|anti-?patterns?|suspicious\w*|detect(?:s|ed|ion|ions|ing|or)?|flags?\s+(?:any|if|when|as)|forbidden|disallowed|prohibited|blocked?|blocks|reject(?:ed|s)?|refused?|blacklist\w*|denylist|injections?|threats?|phishing|jailbreak\w*|pen-?test\w*|honeypot|sigma|yara|indicators?\s+of|supply[\s-]chain|red\s+team\w*|adversar\w+|security\s+(?:risk|issue|hole|smell|review)s?|social\s+engineering|prompt\s+injection|untrusted|risky|warning\s+signs?|ctf)(?:$|[\s)"'*_\x60\],.;:|/!?)-])|❌|🚫|⛔|🚩)re",
      RE2::Quiet);
  return words;
}
// Words that forbid what follows them at once.
const RE2 &negation() {
  static const RE2 &words = *new RE2(
      R"re((?i)(?:\b(?:never|don'?t|do\s+not|must\s+not|should\s+not|avoid\w*|instead\s+of|rather\s+than|refuse|reject)\b|❌|🚫|⛔)[^.;,]{0,60}$)re",
      RE2::Quiet);
  return words;
}
const RE2 &doubleNegation() {
  static const RE2 &words = *new RE2(
      R"re((?i)\b(?:never|don'?t|do\s+not|must\s+not|should\s+not)\s+(?:ever\s+)?(?:skip|forget|omit|miss|hesitate|fail|ignore|worry|wait|proceed|continue|start|use\s+\w+\s+(?:before|until|without))\b|\bavoid\w*\s+[^.;:]{0,60}\b(?:by|run|execut\w+|install\w*|use|using)\b)re",
      RE2::Quiet);
  return words;
}
// Words that say what attacks do, in a clause that describes them.
const RE2 &attempt() {
  static const RE2 &words = *new RE2(
      R"re((?i)\b(?:attack(?:s|ers?)?|injections?|jailbreaks?|adversar(?:y|ies)|malware)\s+(?:that|which|who)\s+(?:attempts?|attempting|try|tries|trying)\s+to\s+$)re",
      RE2::Quiet);
  return words;
}
// Words and marks behind which a sentence says more.
const RE2 &continuation() {
  static const RE2 &words =
      *new RE2(R"re((?i)\b(?:and|then|by|so)\b|[,:;&+]|—|–|\s-\s|->|→)re", RE2::Quiet);
  return words;
}
// Words that ask the reader to do what follows.
const RE2 &request() {
  static const RE2 &words = *new RE2(
      R"re((?i)(?:^|[.:;,!?]\s+|\b(?:then|please|must|should|first|to|and|now|always)\s+|^\W*\d*\W*)(?:run|execute|paste|type|enter|install|launch|start|use|copy|invoke|apply|download|fetch|set\s+up)\b)re",
      RE2::Quiet);
  return words;
}
// The beginning of a comment, or of a line before a block, that says of what follows that it is
// bad.
const RE2 &verdict() {
  static const RE2 &words = *new RE2(
      R"re((?i)^[\s#/*>_<!"'-]*(?:❌|🚫|⛔|🚩|(?:bad|wrong|unsafe|insecure|dangerous|malicious|vulnerable|never|do\s+not|don'?t|avoid|anti-?patterns?|attack(?:er)?s?|exploits?|forbidden|red\s+flags?|suspicious)\b))re",
      RE2::Quiet);
  return words;
}
// A comment that calls the command below it a bad example. Advice about something else, such as
// `Avoid stale caches`, is no such comment.
const RE2 &exampleLabel() {
  static const RE2 &words = *new RE2(
      R"re((?i)^[\s#/*"'-]*(?:❌|🚫|⛔|🚩|(?:bad|wrong|unsafe|insecure|dangerous|malicious|vulnerable|anti-?patterns?|attacks?|exploits?|forbidden|red\s+flags?|suspicious)(?:\s+(?:examples?|practices?|code|commands?|patterns?|way))?\s*(?:$|[:(.,!-]|—|–)|(?:never|do\s+not|don'?t|avoid)(?:\s+(?:ever|do|doing|run|running|use|using|copy|execute))*\s*(?:$|[:!]|(?:this|that|these|it)\b)))re",
      RE2::Quiet);
  return words;
}
// A call that runs the text in quotation marks behind it.
const RE2 &runningCall() {
  static const RE2 &words = *new RE2(
      R"re((?i)(?:system|run|exec\w*|popen|call|eval|spawn\w*|check_output|shell|command|cmd|\s-c|-command|iex)["']?\s*[(:=\[]?\s*[a-z]?["'`\[(\s]*$)re",
      RE2::Quiet);
  return words;
}
// The syntax of a regular expression.
const RE2 &patternSyntax() {
  static const RE2 &words =
      *new RE2(R"re(\\[sbSwd][*+?\\]|\.\*|\[\^|\(\?:|\\\||\\\.)re", RE2::Quiet);
  return words;
}

bool holds(const RE2 &words, std::string_view text) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), words);
}

} // namespace

ContentKind kindOf(std::string_view file, std::string_view text) noexcept {
  const Name name = nameOf(file);
  if (among(scripts, name.extension) || among(scriptNames, name.whole) ||
      name.whole.starts_with("dockerfile"))
    return ContentKind::Script;
  if (among(documents, name.extension)) return ContentKind::Document;
  return text.starts_with("#!") ? ContentKind::Script : ContentKind::Document;
}

bool namesText(std::string_view file) noexcept {
  const Name name = nameOf(file);
  return among(scripts, name.extension) || among(scriptNames, name.whole) ||
         among(documents, name.extension);
}

Context::Context(std::string_view text, ContentKind kind) : text_(text), kind_(kind) {
  for (std::size_t start = 0; start < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', start), text_.size());
    const auto own = static_cast<std::uint32_t>(lines_.size());
    lines_.push_back({start, end, own, own, PlaceKind::Script});
    start = end + 1;
  }
  if (kind == ContentKind::Document) {
    readDocument();
    return;
  }
  for (Line &each : lines_) {
    const std::string_view line = trimmedLine(text_.substr(each.begin, each.end - each.begin));
    const bool comment =
        (line.starts_with('#') && !line.starts_with("#!")) || line.starts_with("//") ||
        line.starts_with("* ") || line.starts_with("/*") || line.starts_with("-- ") ||
        line.starts_with("REM ") || line.starts_with("::") || line.starts_with("<!--");
    if (comment) each.place = PlaceKind::ScriptComment;
  }
}

void Context::readDocument() {
  std::uint32_t heading = 0;
  std::uint32_t fence = 0;
  std::string_view mark; // closes the open fence; empty: none is open
  bool matter = !lines_.empty() && trimmedLine(line(0)) == "---";
  bool comment = false;
  for (std::uint32_t i = 0; i < lines_.size(); ++i) {
    Line &each = lines_[i];
    const std::string_view whole = line(i);
    const std::string_view inside = trimmedLine(whole);
    each.heading = heading;
    each.place = PlaceKind::Prose;
    if (matter) {
      each.place = PlaceKind::FrontMatter;
      if (i > 0 && inside == "---") matter = false;
      continue;
    }
    if (!mark.empty()) {
      each.place = PlaceKind::Code;
      each.fence = fence;
      if (inside.starts_with(mark) && inside.find_first_not_of(mark[0]) == npos) mark = {};
      continue;
    }
    if (comment) {
      const std::size_t end = whole.find("-->");
      if (end == npos) continue;
      comments_.back().second = each.begin + end;
      comment = false;
    }
    std::string_view quoted = inside;
    while (quoted.starts_with('>')) quoted = trimmedLine(quoted.substr(1));
    for (const char c : {'`', '~'})
      if (const std::size_t length = std::min(quoted.find_first_not_of(c), quoted.size());
          length >= 3 && quoted.substr(length).find(c) == npos) {
        mark = quoted.substr(0, length);
        fence = i;
      }
    if (!mark.empty()) {
      each.place = PlaceKind::Code;
      each.fence = i;
      continue;
    }
    if (inside.starts_with('#')) heading = each.heading = i;
    if ((whole.starts_with("    ") || whole.starts_with('\t')) && !inside.starts_with('-') &&
        !inside.starts_with('*'))
      each.place = PlaceKind::Code;
    for (std::size_t open = whole.find("<!--"); open != npos;) {
      const std::size_t close = whole.find("-->", open + 4);
      comments_.emplace_back(each.begin + open, close == npos ? text_.size() : each.begin + close);
      comment = close == npos;
      open = comment ? npos : whole.find("<!--", close);
    }
  }
}

std::string_view Context::line(std::size_t number) const noexcept {
  return text_.substr(lines_[number].begin, lines_[number].end - lines_[number].begin);
}

std::size_t Context::lineAt(std::size_t offset) const noexcept {
  const auto after =
      std::upper_bound(lines_.begin(), lines_.end(), offset,
                       [](std::size_t wanted, const Line &each) { return wanted < each.begin; });
  return after == lines_.begin() ? 0 : static_cast<std::size_t>(after - lines_.begin()) - 1;
}

PlaceKind Context::placeOf(std::size_t number, std::size_t offset) const noexcept {
  const Line &line = lines_[number];
  const auto after = std::upper_bound(comments_.begin(), comments_.end(), std::pair(offset, npos));
  if (after != comments_.begin() && offset < std::prev(after)->second) return PlaceKind::Hidden;
  if (line.place != PlaceKind::Prose) return line.place;
  const std::size_t from = offset - std::min(offset - line.begin, maxSpan);
  const std::string_view before = text_.substr(from, std::min(offset, line.end) - from);
  const auto ticks = std::count(before.begin(), before.end(), '`');
  const bool opens = offset < text_.size() && text_[offset] == '`';
  return (ticks + (opens ? 1 : 0)) % 2 == 1 ? PlaceKind::InlineCode : PlaceKind::Prose;
}

bool Context::quoted(std::size_t number, std::size_t offset) const noexcept {
  const std::size_t begin = lines_[number].begin;
  std::string_view before = text_.substr(begin, offset - begin);
  // The words may begin a little before the match.
  before = before.substr(before.size() - std::min<std::size_t>(before.size(), 40));
  const std::size_t last = before.find_last_of("\"'");
  const bool curly = before.rfind("\xE2\x80\x9C") != npos;
  return curly ||
         (last != npos && (last == 0 || before[last - 1] == ' ' || before[last - 1] == '(' ||
                           before[last - 1] == '*' || before[last - 1] == ','));
}

bool Context::isIntroducedAsForbidden(std::size_t number) const {
  const auto forbids = [&](std::string_view text) {
    text = text.substr(0, looked);
    return holds(verdict(), text) ||
           (holds(defence(), text) && text.find(':') != npos && !holds(request(), text) &&
            !trimmedLine(text).starts_with('#'));
  };
  // A script is run as a whole, so its comments do not make any of its commands an example.
  if (kind_ == ContentKind::Script) return false;
  const Line &own = lines_[number];
  if (number > 0 && own.place == PlaceKind::Code) {
    const std::string_view above = trimmedLine(line(number - 1));
    const bool isComment = above.starts_with('#') || above.starts_with("//");
    if (isComment && holds(exampleLabel(), above.substr(0, looked))) return true;
  }
  // The line before the block, or before the list or table.
  std::size_t at = own.place == PlaceKind::Code ? own.fence : number;
  if (own.place == PlaceKind::Code && own.fence == number)
    while (at > 0 && lines_[at - 1].place == PlaceKind::Code) --at;
  const auto isItem = [&](std::size_t i) {
    const std::string_view text = trimmedLine(line(i));
    return text.starts_with("- ") || text.starts_with("* ") || text.starts_with('|');
  };
  std::size_t left = 32;
  if (own.place != PlaceKind::Code) {
    if (!isItem(number)) return false;
    while (at > 0 && left > 0 && isItem(at)) {
      --at;
      --left;
    }
    ++at;
  }
  while (at > 0 && left > 0 && trimmedLine(line(at - 1)).empty()) {
    --at;
    --left;
  }
  if (at == 0 || left == 0 || lines_[at - 1].place == PlaceKind::Code) return false;
  return !trimmedLine(line(at - 1)).starts_with('#') && forbids(line(at - 1));
}

bool Context::isForbiddenExample(std::size_t number, std::size_t offset, std::size_t length) const {
  const Line &own = lines_[number];
  const std::size_t from = offset - std::min(offset - own.begin, looked);
  std::string_view before = text_.substr(from, offset - from);
  for (const std::string_view end : {". ", "! ", "? ", "; "})
    if (const std::size_t at = before.rfind(end); at != npos) before.remove_prefix(at + end.size());
  const std::size_t past = std::min(offset + length, own.end);
  const std::string_view after = text_.substr(past, std::min(own.end - past, looked));
  const std::string_view passage = text_.substr(offset, std::min(past - offset, looked));
  if (holds(negation(), before) && !holds(doubleNegation(), before)) return true;
  // If the sentence goes on to say more, it may ask for that.
  const std::string_view rest = text_.substr(offset, std::min(own.end - offset, looked));
  if (holds(attempt(), before) && !holds(continuation(), rest.substr(0, rest.find(". "))))
    return true;
  const PlaceKind place = placeOf(number, offset);
  const bool isQuoted = place == PlaceKind::InlineCode || quoted(number, offset);
  if (isQuoted && !holds(runningCall(), before)) {
    const bool isAsked = holds(request(), before);
    if (!isAsked &&
        (holds(patternSyntax(), passage) || holds(defence(), before) || holds(defence(), after)))
      return true;
  }
  return isIntroducedAsForbidden(number);
}

} // namespace skillhost
