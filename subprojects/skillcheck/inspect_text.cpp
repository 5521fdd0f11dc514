// SPDX-License-Identifier: Apache-2.0
#include "skillcheck/inspect_text.hpp"

#include "command_reader.hpp"
#include "context.hpp"
#include "hosts.hpp"
#include "literal_search.hpp"
#include "normalised_text.hpp"
#include "package_names.hpp"
#include "patterns.hpp"
#include "programs.hpp"
#include "sequences.hpp"
#include "skillmd/characters.hpp"

#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "skillcheck/content_rules.hpp"
#include "skillmd/hidden_characters.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// Further matches of a rule are only counted once one has the rule's full severity. Milder ones are
// all examined, because they could stand there to hide a severe one.
constexpr std::size_t maxExaminedMatches = 200;
constexpr std::size_t maxMatchesPerLine = 8; // matches of one pattern on a line

// A pattern and its expression, which is compiled on its first use.
class CompiledPattern {
public:
  explicit CompiledPattern(const Pattern &pattern) : pattern_(pattern) {}
  const Pattern &pattern() const noexcept { return pattern_; }
  const RE2 &expression() const {
    std::call_once(once_, [this] {
      RE2::Options options(RE2::Quiet);
      options.set_case_sensitive(false);
      options.set_encoding(RE2::Options::EncodingLatin1); // bytes, so that any text can be searched
      options.set_never_nl(true);
      compiled_ = std::make_unique<RE2>(
          re2::StringPiece(pattern_.expression.data(), pattern_.expression.size()), options);
    });
    if (!compiled_->ok()) throw std::logic_error("pattern: " + compiled_->error());
    return *compiled_;
  }

private:
  const Pattern pattern_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<RE2> compiled_;
};

// All patterns, and the search for their words. Made once for all threads.
class Patterns {
public:
  static const Patterns &all() {
    static const Patterns &one = *new Patterns;
    return one;
  }
  const LiteralSearch &search() const noexcept { return search_; }
  // `owner` is the number of a pattern, or the number of patterns for the words of package
  // installers, for which this returns nullptr.
  const CompiledPattern *pattern(std::uint16_t owner) const noexcept {
    return owner < compiled_.size() ? compiled_[owner].get() : nullptr;
  }
  std::size_t owners() const noexcept { return compiled_.size() + 1; }

private:
  Patterns() : compiled_(compile()), search_(words()) {}
  static std::vector<std::unique_ptr<CompiledPattern>> compile() {
    std::vector<std::unique_ptr<CompiledPattern>> out;
    for (const Pattern &each : allPatterns())
      out.push_back(std::make_unique<CompiledPattern>(each));
    return out;
  }
  static void split(std::string_view list, std::size_t owner,
                    std::vector<LiteralSearch::Word> &out) {
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      out.emplace_back(list.substr(0, comma), static_cast<std::uint16_t>(owner));
      list.remove_prefix(std::min(list.size(), comma + 1));
    }
  }
  std::vector<LiteralSearch::Word> words() const {
    std::vector<LiteralSearch::Word> out;
    for (std::size_t i = 0; i < compiled_.size(); ++i) split(compiled_[i]->pattern().words, i, out);
    split(installWords, compiled_.size(), out);
    return out;
  }

  const std::vector<std::unique_ptr<CompiledPattern>> compiled_;
  const LiteralSearch search_;
};

Severity oneStepMilder(Severity severity) noexcept {
  return severity == Severity::Error ? Severity::Warning : Severity::Advice;
}
// Returns true if a passage with a user and a password is an example, by the words in it.
bool isMadeUp(std::string_view passage) {
  static const RE2 &words = *new RE2(
      R"re((?i)@(?:[\w-]+\.)*(?:example|test)\.|["'`][^"'`]*(?:p[a@4][s5]{2}|test|example|change|your|here|sample|demo|dummy|secret|redacted|x{3}|\*{3})[^"'`]*["'`]\W*$)re",
      RE2::Quiet);
  return RE2::PartialMatch(re2::StringPiece(passage.data(), passage.size()), words);
}

// Severity::Error is the smallest value.
bool isMoreSevere(Severity a, Severity b) noexcept { return a < b; }
Severity moreSevere(Severity a, Severity b) noexcept { return std::min(a, b); }
Severity lessSevere(Severity a, Severity b) noexcept { return std::max(a, b); }

class Inspection {
public:
  Inspection(std::string_view original, std::string_view file, std::span<const SiteRule> siteRules,
             TextKind kind)
      : original_(original), file_(file), siteRules_(siteRules), kind_(kind),
        normal_(normalise(original)),
        context_(normal_.text,
                 kind == TextKind::Program ? ContentKind::Script : kindOf(file, original)),
        patterns_(Patterns::all()), matchesByRule_(contentRules().size() + siteRules.size()),
        isMatched_(patterns_.owners(), false) {}

  std::vector<Finding> run() {
    findHiddenCharacters(original_, [&](std::string_view rule, Severity severity, std::size_t at) {
      // Hidden text in the name or the description reaches every reader of the catalogue, so it is
      // at least a warning there.
      record(rule, moreSevere(severity, inFrontMatter(at) ? Severity::Warning : severity), at);
    });
    searchComments();
    searchLines();
    CommandReader reader(normal_.text.size(),
                         {[this](const PlainCommand &command) { searchCommand(command); },
                          [this](const UnseenRun &run) { recordRun(run); }});
    readPrograms(normal_.text, file_, kind_, context_, reader);
    if (reader.isCutShort()) record("hidden.unread-program", Severity::Error, 0);
    facts_.forEachSequence(
        [&](const Sequence &sequence, const std::vector<const SeenFact *> &parts) {
          recordSequence(sequence, parts);
        });
    return findings();
  }

private:
  struct RuleMatches {
    std::size_t count = 0, at = 0;
    std::size_t lastRun = npos;              // the offset of the last run of unseen data
    std::unordered_set<std::size_t> lines{}; // of the matches of patterns
    Severity severity = Severity::Advice;
    std::string detail{};

    // Returns true if further matches of a rule with this severity only need to be counted.
    bool isSettled(Severity ofRule) const noexcept {
      return count >= maxExaminedMatches && !isMoreSevere(ofRule, severity);
    }
  };

  bool inFrontMatter(std::size_t originalOffset) {
    if (frontMatterEnd_ == npos) {
      frontMatterEnd_ = 0;
      for (std::size_t i = 0; i < context_.lines(); ++i) {
        if (context_.placeOf(i, context_.begin(i)) != PlaceKind::FrontMatter) break;
        frontMatterEnd_ = normal_.originalOf(context_.begin(i)) + context_.line(i).size();
      }
    }
    return originalOffset < frontMatterEnd_;
  }

  void record(std::string_view id, Severity severity, std::size_t originalOffset,
              std::string detail = {}) {
    const ContentRule *rule = contentRule(id);
    if (rule == nullptr) throw std::logic_error("no rule " + std::string(id));
    recordAt(static_cast<std::size_t>(rule - contentRules().data()), severity, originalOffset,
             std::move(detail));
  }

  // `index` is that of a content rule, or behind these that of a rule of the site.
  void recordAt(std::size_t index, Severity severity, std::size_t originalOffset,
                std::string detail) {
    RuleMatches &matches = matchesByRule_[index];
    const bool isWorse = matches.count == 0 || isMoreSevere(severity, matches.severity) ||
                         (severity == matches.severity && originalOffset < matches.at);
    ++matches.count;
    if (!isWorse) return;
    matches.severity = severity;
    matches.at = originalOffset;
    matches.detail = std::move(detail);
  }

  // Finds comments that address a reader of the source, such as an agent.
  void searchComments() {
    static const RE2 &addressesReader = *new RE2(
        R"re((?i)\bignore\s+(?:all|any|every|the|your|these|previous|prior|above|what)\b|\b(?:new|secret|hidden|real)\s+instructions?\b|\binstructions?\s+(?:for|to)\s+(?:the\s+|an?\s+|any\s+)?(?:ai|agents?|assistants?|models?|llms?|claude|bots?)\b|\b(?:ai|agent|assistant|claude)\s*[:,]|\byou\s+must\s+(?:\w+\s+)?(?:run|execute|send|upload|fetch|download|install|call|forward|post|read|copy)\b|system\s+prompt|\bdo\s+not\s+(?:tell|mention|reveal|inform)\b|\bdon't\s+(?:tell|mention)\b|\b(?:secretly|silently)\b|without\s+(?:asking|telling|informing)\s+(?:the|your|user|for|anyone|permission)\b|exfiltrate|\b(?:run|execute|send|upload|fetch|download|post|forward|curl)\b.{0,120}https?://|\b(?:send|upload|collect|forward|post)\b.{0,60}\b(?:passwords?|credentials?|tokens?|secrets?|api[\s_-]?keys?|private\s+keys?)\b)re",
        RE2::Quiet);
    constexpr std::size_t maxLength = 4096;
    for (const auto &[begin, end] : context_.comments())
      if (RE2::PartialMatch(
              re2::StringPiece(normal_.text.data() + begin, std::min(end - begin, maxLength)),
              addressesReader))
        record("hidden.instructions", Severity::Warning, normal_.originalOf(begin));
  }

  void searchLines() {
    for (std::size_t number = 0; number < context_.lines(); ++number) {
      searchLine({context_.line(number), number, context_.begin(number), true});
      for (std::size_t i = 0; i < siteRules_.size(); ++i)
        searchSiteRule(i, siteRules_[i].texts, context_.line(number), number,
                       context_.begin(number));
    }
  }

  // The text of a line, or a command of the line in plain spelling.
  struct Passage {
    std::string_view text;
    std::size_t number; // of the line
    std::size_t begin;
    bool isPlaced; // positions in the text are positions behind `begin`; otherwise all are there
  };

  void searchLine(const Passage &passage) {
    const LiteralSearch &search = patterns_.search();
    std::vector<std::uint16_t> matchedOwners; // owners whose words are on the line
    LiteralSearch::State state = LiteralSearch::start;
    for (const char c : passage.text) {
      state = search.next(state, c);
      for (const std::uint16_t owner : search.owners(state))
        if (!isMatched_[owner]) {
          isMatched_[owner] = true;
          matchedOwners.push_back(owner);
        }
    }
    for (const std::uint16_t owner : matchedOwners) {
      isMatched_[owner] = false;
      if (const CompiledPattern *pattern = patterns_.pattern(owner))
        tryPattern(*pattern, passage);
      else if (passage.isPlaced)
        tryPackages(passage.number);
    }
  }

  void tryPattern(const CompiledPattern &compiled, const Passage &passage) {
    const std::string_view line = passage.text;
    const std::size_t number = passage.number;
    const re2::StringPiece whole(line.data(), line.size());
    const Pattern &pattern = compiled.pattern();
    const RE2 &expression = compiled.expression();
    const int groups = std::min(1 + expression.NumberOfCapturingGroups(), 4);
    std::size_t searchFrom = 0;
    for (std::size_t times = 0; times < maxMatchesPerLine && searchFrom <= line.size(); ++times) {
      re2::StringPiece found[4];
      if (!expression.Match(whole, searchFrom, line.size(), RE2::UNANCHORED, found, groups)) return;
      const auto begin = static_cast<std::size_t>(found[0].data() - line.data());
      const std::size_t length = found[0].size();
      searchFrom = begin + std::max<std::size_t>(length, 1);
      // Separators and quotes that the expression needs at its start do not belong to the match.
      std::size_t matchBegin = begin;
      while (matchBegin < begin + length &&
             std::string_view(" \t;&|(`\"'").find(line[matchBegin]) != npos)
        ++matchBegin;
      const std::size_t offset = passage.begin + (passage.isPlaced ? matchBegin : 0);
      if (pattern.fact != Fact::None) {
        std::string name;
        for (int group = 1; group < groups; ++group)
          if (found[group].data() != nullptr && name.empty())
            name.assign(found[group].data(), found[group].size());
        facts_.add(pattern.fact, {number, offset, length, std::move(name)});
      }
      if (!pattern.rule.empty())
        recordMatch(pattern, passage, offset, line.substr(matchBegin, begin + length - matchBegin));
    }
  }

  void tryPackages(std::size_t number) {
    const std::optional<LookAlikePackage> package = findLookAlikePackage(context_.line(number));
    if (!package) return;
    const std::size_t offset = context_.begin(number) + package->at;
    Severity severity = severityAtPlace(Severity::Warning, Speech::Command,
                                        context_.placeOf(number, offset), number, offset);
    if (context_.isForbiddenExample(number, offset, package->name.size()))
      severity = Severity::Advice;
    record("package.look-alike-name", severity, normal_.originalOf(offset),
           ": " + package->name + ", not " + package->meant);
  }

  // Records a match with a severity that depends on its place.
  void recordMatch(const Pattern &pattern, const Passage &passage, std::size_t offset,
                   std::string_view match) {
    const std::string_view rule = pattern.rule;
    const Speech speech = pattern.speech;
    const std::size_t number = passage.number;
    const std::size_t originalOffset = normal_.originalOf(offset);
    RuleMatches &matches =
        matchesByRule_[static_cast<std::size_t>(contentRule(rule) - contentRules().data())];
    if (matches.isSettled(contentRule(rule)->severity)) {
      ++matches.count;
      return;
    }
    const bool isNew = matches.lines.insert(number).second;
    const bool isKnown = !passage.isPlaced && !isNew;
    const PlaceKind place = context_.placeOf(number, offset);
    Severity severity = severityAtPlace(pattern.severity, speech, place, number, offset);
    if (speech == Speech::Download || speech == Speech::Page) {
      const std::optional<Severity> hostSeverity = severityByHost(
          rule, severity,
          passage.isPlaced ? passage.text.substr(offset - passage.begin) : passage.text);
      if (!hostSeverity) return;
      severity = *hostSeverity;
    }
    if (severity != Severity::Advice &&
        context_.isForbiddenExample(
            number, offset,
            passage.isPlaced
                ? match.size()
                : lengthOfPassage(offset, context_.begin(number) + context_.line(number).size())))
      severity = Severity::Advice;
    if (rule == "secret.in-text" && isMadeUp(match)) severity = Severity::Advice;
    record(rule, severity, originalOffset);
    if (isKnown) --matches.count;
    if (place == PlaceKind::Hidden && speech == Speech::Words && severity == Severity::Error)
      record("hidden.instructions", Severity::Error, originalOffset);
  }

  // Searches a command that a program of the text runs. The patterns have seen it already if the
  // text spells it plainly.
  void searchCommand(const PlainCommand &command) {
    const std::size_t number = context_.lineAt(command.at);
    if (command.respelled) searchLine({command.text, number, command.at, false});
    for (std::size_t i = 0; i < siteRules_.size(); ++i)
      searchSiteRule(i, siteRules_[i].commands, command.text, number, command.at);
  }

  // Records the passage at `offset` of a line if an expression of the site's rule fits `text`.
  void searchSiteRule(std::size_t index, const std::vector<std::shared_ptr<const RE2>> &expressions,
                      std::string_view text, std::size_t line, std::size_t offset) {
    const Severity severity = siteRules_[index].severity;
    if (matchesByRule_[contentRules().size() + index].isSettled(severity)) return;
    if (std::none_of(expressions.begin(), expressions.end(), [&](const auto &one) {
          return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *one);
        }))
      return;
    const std::size_t end = context_.begin(line) + context_.line(line).size();
    const bool isExample = context_.isForbiddenExample(line, offset, lengthOfPassage(offset, end));
    recordAt(contentRules().size() + index, isExample ? Severity::Advice : severity,
             normal_.originalOf(offset), {});
  }

  // Records unseen data that a program runs. Its place may lower the severity only as an example.
  void recordRun(const UnseenRun &run) {
    const std::string_view rule = !run.data.downloaded ? "exec.decode-and-run"
                                  : run.data.saved     ? "exec.download-then-run"
                                                       : "exec.download-and-run";
    const std::size_t offset = std::min(run.at, normal_.text.size() - 1);
    const std::size_t number = context_.lineAt(offset);
    Severity severity = Severity::Error;
    if (run.data.downloaded)
      severity = severityByHost(rule, severity, run.data.address.text()).value_or(Severity::Advice);
    const std::size_t end = context_.begin(number) + context_.line(number).size();
    if (severity != Severity::Advice &&
        context_.isForbiddenExample(number, offset, lengthOfPassage(offset, end)))
      severity = Severity::Advice;
    RuleMatches &matches =
        matchesByRule_[static_cast<std::size_t>(contentRule(rule) - contentRules().data())];
    // A pattern, or another run of the same command, may have found the same place.
    const bool isKnown =
        matches.lines.contains(number) || std::exchange(matches.lastRun, offset) == offset;
    record(rule, severity, normal_.originalOf(offset));
    if (isKnown) --matches.count;
  }

  // Returns the length of a command that begins at `offset` of a line that ends at `end`: up to the
  // mark that closes a span of code.
  std::size_t lengthOfPassage(std::size_t offset, std::size_t end) const noexcept {
    return std::min(normal_.text.find('`', offset), end) - offset;
  }

  Severity severityAtPlace(Severity severity, Speech speech, PlaceKind place, std::size_t number,
                           std::size_t offset) const {
    if (speech == Speech::Anywhere) return severity;
    if (speech == Speech::Words || speech == Speech::Page) {
      if (place == PlaceKind::InlineCode || context_.quoted(number, offset))
        return Severity::Advice;
      if (place == PlaceKind::Code || place == PlaceKind::Script) return oneStepMilder(severity);
      return severity;
    }
    if (place == PlaceKind::ScriptComment) return Severity::Advice;
    // A comment of a block that runs nothing, such as the name of a tool above its use.
    const std::string_view line = trimmedLine(context_.line(number));
    const bool isComment =
        place == PlaceKind::Code && (line.starts_with("# ") || line.starts_with("//"));
    if (isComment && severity == Severity::Warning) return Severity::Advice;
    return place == PlaceKind::Prose ? oneStepMilder(severity) : severity;
  }

  // Returns the severity of a download by its host; nullopt if it is harmless.
  static std::optional<Severity> severityByHost(std::string_view rule, Severity severity,
                                                std::string_view command) {
    const Standing standing = standingOf(command);
    if (rule == "exfil.raw-address") {
      if (standing == Standing::Placeholder) return std::nullopt;
      return severity;
    }
    if (rule == "exfil.file-posted") {
      if (standing == Standing::WellKnown || standing == Standing::Placeholder)
        return Severity::Advice;
      // The user's own account at a service.
      static const RE2 &signedIn = *new RE2(
          R"re((?i)authorization|api[_-]?key|\s-u\s|access[_-]?token|bearer|headers\s*=)re",
          RE2::Quiet);
      const bool isSignedIn =
          RE2::PartialMatch(re2::StringPiece(command.data(), command.size()), signedIn);
      return isSignedIn ? oneStepMilder(severity) : severity;
    }
    switch (standing) {
    case Standing::WellKnown:
    case Standing::Placeholder:
      return Severity::Advice;
    case Standing::Forge:
      return lessSevere(severity, Severity::Warning);
    case Standing::Suspicious:
      return Severity::Error == severity     ? severity
             : severity == Severity::Warning ? Severity::Error
                                             : severity;
    case Standing::None:
    case Standing::Unknown:
      break;
    }
    return severity;
  }

  void recordSequence(const Sequence &sequence, const std::vector<const SeenFact *> &parts) {
    const SeenFact &first = *parts.front();
    const ContentRule &rule = *contentRule(sequence.rule);
    RuleMatches &matches = matchesByRule_[static_cast<std::size_t>(&rule - contentRules().data())];
    if (matches.isSettled(rule.severity)) {
      ++matches.count;
      return;
    }
    // The sequence is only as severe as its least severe part, which may be in a comment.
    Severity severity = sequence.severity;
    for (const SeenFact *part : parts) {
      const PlaceKind place = context_.placeOf(part->line, part->offset);
      severity = lessSevere(severity, severityAtPlace(sequence.severity, sequence.speech, place,
                                                      part->line, part->offset));
      if (severity != Severity::Advice &&
          context_.isForbiddenExample(part->line, part->offset, part->length))
        severity = Severity::Advice;
    }
    if (sequence.speech == Speech::Download || sequence.speech == Speech::Page) {
      const std::size_t line = sequence.speech == Speech::Page ? parts.back()->line : first.line;
      const std::optional<Severity> hostSeverity =
          severityByHost(sequence.rule, severity, context_.line(line));
      if (!hostSeverity) return;
      severity = *hostSeverity;
    }
    record(sequence.rule, severity, normal_.originalOf(first.offset));
  }

  std::vector<Finding> findings() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < matchesByRule_.size(); ++i)
      if (matchesByRule_[i].count != 0) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(matchesByRule_[a].at, a) < std::tie(matchesByRule_[b].at, b);
    });
    std::vector<Finding> out;
    std::size_t line = 1;
    std::size_t scannedBytes = 0; // `line` counts the line breaks in front of this offset
    for (const std::size_t i : order) {
      const RuleMatches &matches = matchesByRule_[i];
      const bool isSiteRule = i >= contentRules().size();
      const SiteRule *const own = isSiteRule ? &siteRules_[i - contentRules().size()] : nullptr;
      const std::string_view reason = own != nullptr ? own->reason : contentRules()[i].reason;
      const std::string_view before = original_.substr(0, matches.at);
      line += static_cast<std::size_t>(std::count(
          before.begin() + static_cast<std::ptrdiff_t>(scannedBytes), before.end(), '\n'));
      scannedBytes = before.size();
      const std::size_t lastBreak = before.rfind('\n');
      Finding finding;
      finding.severity = matches.severity;
      finding.code = own != nullptr ? std::string_view(own->id) : contentRules()[i].id;
      finding.file = file_;
      finding.line = line;
      finding.column = countCharacters(before.substr(lastBreak == npos ? 0 : lastBreak + 1)) + 1;
      finding.message = std::string(reason) + matches.detail;
      if (matches.count > 1) finding.message += " (" + std::to_string(matches.count) + " places)";
      finding.advice = own != nullptr ? std::string_view(own->remedy) : contentRules()[i].remedy;
      out.push_back(std::move(finding));
    }
    return out;
  }

  const std::string_view original_, file_;
  const std::span<const SiteRule> siteRules_;
  const TextKind kind_;
  const NormalisedText normal_;
  const Context context_;
  const Patterns &patterns_;
  std::vector<RuleMatches> matchesByRule_; // indexed like contentRules()
  std::vector<bool> isMatched_;            // by owner: its words are on the line that is searched
  FactLog facts_;
  std::size_t frontMatterEnd_ = npos; // in the original; npos: not searched yet
};

} // namespace

std::vector<Finding> inspectText(std::string_view text, std::string_view file,
                                 std::span<const SiteRule> siteRules, TextKind kind) {
  return Inspection(text, file, siteRules, kind).run();
}

} // namespace skillhost
