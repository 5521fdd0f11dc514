// SPDX-License-Identifier: Apache-2.0
#include "skillcheck/site_rules.hpp"

#include "skillmd/characters.hpp"

#include "ground/text.hpp"
#include "skillcheck/content_rules.hpp"
#include "skillcheck/inspect_text.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxExpression = 1000;
constexpr std::int64_t maxMemory = 1 << 20; // bytes of one compiled expression

struct RuleSpecimen {
  std::optional<Severity> severity; // nothing: the rule must not find it
  std::string file, text;
  std::size_t line;
};

std::optional<Severity> severityNamed(std::string_view name) noexcept {
  if (name == "error") return Severity::Error;
  if (name == "warning") return Severity::Warning;
  if (name == "advice") return Severity::Advice;
  return std::nullopt;
}

std::string_view nameOfSeverity(std::optional<Severity> severity) noexcept {
  if (!severity) return "nothing";
  return *severity == Severity::Error     ? "error"
         : *severity == Severity::Warning ? "warning"
                                          : "advice";
}

// Two or more parts of lower-case letters, digits and hyphens, with points between them.
bool isRuleId(std::string_view id) noexcept {
  const bool isPlain = std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || digit(c) || c == '-' || c == '.';
  });
  return isPlain && id.size() <= 64 && id.find('.') != npos && !id.starts_with('.') &&
         !id.ends_with('.') && id.find("..") == npos;
}

class RuleFile {
public:
  RuleFile(std::string_view text, const std::string &file, const std::vector<SiteRule> &others)
      : text_(text), file_(file), others_(others) {}

  Result<std::vector<SiteRule>> read() {
    for (std::size_t begin = 0; begin < text_.size() && problem_.empty();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      ++line_;
      readLine(text_.substr(begin, end - begin));
      begin = end + 1;
    }
    if (problem_.empty()) endRule();
    if (problem_.empty() && rules_.empty())
      refuse(1, "it has no rule: a rule begins with `### ID`");
    if (!problem_.empty()) return Failure{Fault::InvalidInput, std::move(problem_)};
    return std::move(rules_);
  }

private:
  void refuse(std::size_t line, const std::string &why) {
    if (problem_.empty()) problem_ = file_ + ':' + std::to_string(line) + ": " + why;
  }

  void readLine(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("### ")) {
      const std::string_view id = trimmedLine(line.substr(4));
      // Other headings belong to the specimen.
      if (specimens_.empty() || isRuleId(id)) {
        endRule();
        beginRule(std::string(id));
        return;
      }
    }
    if (line.starts_with("=== ")) {
      beginSpecimen(trimmedLine(line.substr(4)));
      return;
    }
    if (!specimens_.empty()) {
      specimens_.back().text.append(line) += '\n';
      return;
    }
    if (trimmedLine(line).empty() || line.starts_with('#')) return;
    const std::size_t colon = line.find(": ");
    if (!isInRule_ || colon == npos)
      return refuse(line_, "expected `### ID`, `key: value` or `=== SEVERITY FILE`");
    readKey(line.substr(0, colon), trimmedLine(line.substr(colon + 2)));
  }

  void beginRule(std::string id) {
    const auto has = [&](const std::vector<SiteRule> &rules) {
      return std::any_of(rules.begin(), rules.end(),
                         [&](const SiteRule &one) { return one.id == id; });
    };
    if (!isRuleId(id))
      return refuse(line_, "`" + id + "` is no id of a rule: write one such as acme.old-host");
    if (contentRule(id) != nullptr || has(rules_) || has(others_))
      return refuse(line_, "there is a rule " + id + " already");
    if (others_.size() + rules_.size() >= SiteRules::max)
      return refuse(line_, "there are more than " + std::to_string(SiteRules::max) + " rules");
    rule_ = {};
    rule_.id = std::move(id);
    isInRule_ = true;
    hasSeverity_ = false;
    ruleLine_ = line_;
  }

  void beginSpecimen(std::string_view words) {
    const std::size_t blank = words.find(' ');
    const std::string_view severity = words.substr(0, blank);
    const std::string_view name = blank == npos ? std::string_view() : words.substr(blank + 1);
    if (!isInRule_ || name.empty() || (severity != "nothing" && !severityNamed(severity)))
      return refuse(line_, "expected `=== error|warning|advice|nothing FILE` within a rule");
    specimens_.push_back({severityNamed(severity), std::string(name), {}, line_});
  }

  void readKey(std::string_view key, std::string_view value) {
    if (key == "severity") {
      const std::optional<Severity> severity = severityNamed(value);
      if (!severity) return refuse(line_, "severity is error, warning or advice");
      rule_.severity = *severity;
      hasSeverity_ = true;
    } else if (key == "reason") {
      rule_.reason = value;
    } else if (key == "remedy") {
      rule_.remedy = value;
    } else if (key == "command" || key == "text") {
      RE2::Options options(RE2::Quiet);
      options.set_case_sensitive(false);
      options.set_encoding(RE2::Options::EncodingLatin1);
      options.set_never_nl(true);
      options.set_max_mem(maxMemory);
      if (value.size() > maxExpression)
        return refuse(line_,
                      "the expression is longer than " + std::to_string(maxExpression) + " bytes");
      auto compiled =
          std::make_shared<const RE2>(re2::StringPiece(value.data(), value.size()), options);
      if (!compiled->ok()) return refuse(line_, "no RE2 expression: " + compiled->error());
      if (RE2::FullMatch("", *compiled))
        return refuse(line_, "the expression fits an empty text, so it would be found everywhere");
      (key == "command" ? rule_.commands : rule_.texts).push_back(std::move(compiled));
    } else {
      refuse(line_, "there is no key `" + std::string(key) +
                        "`: write severity, reason, remedy, command or text");
    }
  }

  void endRule() {
    if (!isInRule_ || !problem_.empty()) return;
    isInRule_ = false;
    if (!hasSeverity_ || rule_.reason.empty())
      return refuse(ruleLine_, rule_.id + " needs a severity and a reason");
    if (rule_.commands.empty() && rule_.texts.empty())
      return refuse(ruleLine_, rule_.id + " needs a command or a text to search for");
    const auto isFoundOne = [](const RuleSpecimen &one) { return one.severity.has_value(); };
    if (std::none_of(specimens_.begin(), specimens_.end(), isFoundOne) ||
        std::all_of(specimens_.begin(), specimens_.end(), isFoundOne))
      return refuse(ruleLine_, rule_.id + " needs specimens: one that it finds (`=== " +
                                   std::string(nameOfSeverity(rule_.severity)) +
                                   " FILE`) and one that it does not (`=== nothing FILE`)");
    const std::vector<SiteRule> alone{rule_};
    for (const RuleSpecimen &specimen : std::exchange(specimens_, {})) {
      std::optional<Severity> got;
      for (const Finding &finding : inspectText(specimen.text, specimen.file, alone))
        if (finding.code == rule_.id) got = finding.severity;
      if (got != specimen.severity)
        return refuse(specimen.line, rule_.id + " gives " + std::string(nameOfSeverity(got)) +
                                         " for this specimen, not " +
                                         std::string(nameOfSeverity(specimen.severity)));
    }
    rules_.push_back(std::move(rule_));
  }

  const std::string_view text_;
  const std::string &file_;
  const std::vector<SiteRule> &others_;
  std::size_t line_ = 0, ruleLine_ = 0;
  bool isInRule_ = false, hasSeverity_ = false;
  SiteRule rule_;
  std::vector<RuleSpecimen> specimens_; // of this rule
  std::vector<SiteRule> rules_;
  std::string problem_;
};

} // namespace

Status SiteRules::add(std::string_view text, const std::string &file) {
  Result<std::vector<SiteRule>> found = RuleFile(text, file, rules_).read();
  if (!found) return found.failure();
  for (SiteRule &rule : *found) rules_.push_back(std::move(rule));
  return Done{};
}

} // namespace skillhost
