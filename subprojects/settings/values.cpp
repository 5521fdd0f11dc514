// SPDX-License-Identifier: Apache-2.0
#include "settings/values.hpp"

#include "base/http.hpp"
#include "commandline/suggest.hpp"
#include "ground/glob.hpp"
#include "ground/text.hpp"
#include "ground/url.hpp"
#include "settings/paths.hpp"
#include "settings/secrets.hpp"

#include <algorithm>
#include <cctype>

namespace skillhost::app {
namespace {

std::string range(const Rule &rule) {
  if (rule.maximum == UINT64_MAX) return "of " + std::to_string(rule.minimum) + " or more";
  return "from " + std::to_string(rule.minimum) + " to " + std::to_string(rule.maximum);
}

std::string found(const Written &written) { return ", found " + written.described(); }

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

bool isOrigin(std::string_view text) {
  const auto parts = urlParts(text);
  return parts && parts->rest.empty() && isAuthority(parts->authority) &&
         (parts->scheme == "https" || parts->scheme == "http");
}

bool isAsker(std::string_view text) {
  const auto parts = urlParts(text);
  // Programs such as those of Electron send "file://" for a page of their own.
  return text == "*" || text == "null" || text == "file://" ||
         (parts && parts->rest.empty() && !parts->scheme.empty() && isAuthority(parts->authority));
}

bool isHttp(std::string_view scheme) {
  const std::string lower = asciiLowered(scheme);
  return lower == "https" || lower == "http";
}

bool isUrl(std::string_view text) {
  const auto parts = urlParts(text);
  return parts && isAuthority(parts->authority) && text.find_first_of("?# ") == text.npos &&
         isHttp(std::string(parts->scheme));
}

bool isHostName(std::string_view text) { return isAuthority(text) && withoutPort(text) == text; }

// Returns the problem of a text with this meaning; empty if there is none.
std::string complaint(const std::string &text, const Rule &rule) {
  if (text.find('\0') != std::string::npos) return "must not hold a NUL character";
  if (text.size() < rule.minimum)
    return rule.minimum == 1 ? "must not be empty"
                             : "must have at least " + std::to_string(rule.minimum) + " bytes";
  if (text.size() > rule.maximum)
    return "is longer than " + std::to_string(rule.maximum) + " bytes";
  if (rule.meaning == Meaning::SourceName &&
      (text.front() == '.' || text.front() == '_' || text.front() == '-' ||
       !std::all_of(text.begin(), text.end(), isNameCharacter)))
    return "may only hold a-z 0-9 . _ -, beginning with a letter or digit: write for instance "
           "\"team-skills\"";
  if (rule.meaning == Meaning::HeaderName &&
      !std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
      }))
    return "is no name of a header field: write for instance X-Remote-User";
  if (rule.meaning == Meaning::Prefix &&
      !std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return isNameCharacter(static_cast<char>(c)) || (c >= 'A' && c <= 'Z');
      }))
    return "may only hold a-z A-Z 0-9 . _ -: write for instance \"skillhost\"";
  if (rule.meaning == Meaning::Glob)
    if (const auto glob = Glob::compile(text); !glob)
      return "is no glob: " + glob.failure().message;
  if (rule.meaning == Meaning::Origin && !isOrigin(text))
    return "is no origin: write for instance https://login.example.org, without a path";
  if (rule.meaning == Meaning::Asker && !isAsker(text))
    return "is no origin: write for instance https://app.example.org, without a path, or *";
  if (rule.meaning == Meaning::Url && !isUrl(text))
    return "is no URL of a server: write for instance https://skills.example.org/mcp";
  if (rule.meaning == Meaning::HostName && !isHostName(text))
    return "is no name of a host: write for instance skills.example.org or [::1], without https:// "
           "and without a port";
  return rule.check == nullptr ? std::string() : rule.check(text);
}

std::string understood(const std::string &text, const Rule &rule, const Reading &reading) {
  const bool path = rule.meaning == Meaning::Path ||
                    (rule.meaning == Meaning::Plugin && text.find('/') != std::string::npos);
  return path && !text.empty() ? absolutePath(text, reading.folder, reading.surroundings) : text;
}

// Checks the value that a reference names, and not the reference itself. Messages do not quote the
// value, because it may be a secret.
void readNamed(Reading &reading, const Written &written, const Rule &rule, std::string &out) {
  const std::size_t problems = reading.problems.size();
  std::string named = readReference(reading, written, rule.meaning == Meaning::Secret);
  if (reading.problems.size() != problems) return;
  const bool isReference = named != written.text;
  const std::string wrong =
      reading.resolveReferences || !isReference ? complaint(named, rule) : std::string();
  if (!wrong.empty())
    return reading.problem(written, (isReference ? "what " + written.text.substr(0, 100) + " names"
                                                 : std::string("the value")) +
                                        ' ' + wrong);
  out = std::move(named);
}

} // namespace

void readValue(Reading &reading, const Written &written, const Rule &, bool &out) {
  if (written.kind != Written::Kind::Boolean)
    return reading.problem(written, "expected true or false" + found(written));
  out = written.boolean;
}

void readValue(Reading &reading, const Written &written, const Rule &rule, std::size_t &out) {
  const bool whole = written.kind == Written::Kind::Integer && written.integer >= 0;
  const auto value = whole ? static_cast<std::uint64_t>(written.integer) : 0;
  if (!whole || value < rule.minimum || value > rule.maximum)
    return reading.problem(written, "expected a whole number " + range(rule) + found(written));
  out = value * rule.unit;
}

void readValue(Reading &reading, const Written &written, const Rule &rule,
               std::chrono::milliseconds &out) {
  auto count = static_cast<std::size_t>(out.count());
  readValue(reading, written, rule, count);
  out = std::chrono::milliseconds(count);
}

void readValue(Reading &reading, const Written &written, const Rule &rule, double &out) {
  const double value = written.kind == Written::Kind::Integer ? static_cast<double>(written.integer)
                                                              : written.number;
  const bool isNumber =
      written.kind == Written::Kind::Integer || written.kind == Written::Kind::Number;
  // The comparison is written so that it also refuses .nan, which is not a number.
  const bool fits =
      value >= static_cast<double>(rule.minimum) && value <= static_cast<double>(rule.maximum);
  if (!isNumber || !fits)
    return reading.problem(written, "expected a number " + range(rule) + found(written));
  out = value;
}

void readValue(Reading &reading, const Written &written, const Rule &rule, std::string &out) {
  if (written.kind != Written::Kind::Text) {
    const bool quotable = written.kind != Written::Kind::List &&
                          written.kind != Written::Kind::Map && written.kind != Written::Kind::Null;
    // A token may be a number, so the message does not quote it.
    const bool isSecret = rule.meaning == Meaning::Secret && written.kind != Written::Kind::Boolean;
    return reading.problem(
        written, "expected a text" +
                     (quotable && isSecret ? std::string(", found a number") : found(written)) +
                     (quotable ? ": put it in quotes" : ""));
  }
  if (rule.meaning == Meaning::Reference || rule.meaning == Meaning::Secret)
    return readNamed(reading, written, rule, out);
  if (const std::string wrong = complaint(written.text, rule); !wrong.empty())
    return reading.problem(written, written.described() + " " + wrong);
  out = understood(written.text, rule, reading);
}

void readValue(Reading &reading, const Written &written, const Rule &rule,
               std::vector<std::string> &out) {
  std::vector<std::string> texts;
  const std::size_t problems = reading.problems.size();
  const auto one = [&](const Written &item) {
    reading.places[reading.base + reading.key + '[' + std::to_string(texts.size()) + ']'] =
        reading.position(item.line, item.column);
    readValue(reading, item, rule, texts.emplace_back());
  };
  if (written.kind == Written::Kind::Text) {
    one(written); // a list of one may be written without its brackets
  } else if (written.kind == Written::Kind::List) {
    std::for_each(written.items.begin(), written.items.end(), one);
  } else {
    reading.problem(written, "expected a list of texts" + found(written));
  }
  if (reading.problems.size() == problems) out = std::move(texts);
}

void readNumbers(Reading &reading, const Written &written, const Rule &rule,
                 std::map<std::string, std::size_t> &out) {
  if (written.kind != Written::Kind::Map)
    return reading.problem(written, "expected names with numbers, for instance {load_skill: 10}" +
                                        found(written));
  std::map<std::string, std::size_t> numbers;
  const std::string key = reading.key;
  for (const Member &member : written.members) {
    reading.key = key + '.' + member.name;
    readValue(reading, member.value, rule, numbers[member.name]);
  }
  reading.key = key;
  out = std::move(numbers);
}

void readValue(Reading &reading, const Written &written, const Rule &, Json &out) {
  if (written.kind != Written::Kind::Map)
    return reading.problem(written, "expected a map of keys" + found(written));
  out = readPluginConfig(reading, written);
}

std::optional<std::size_t> readChoice(Reading &reading, const Written &written,
                                      std::span<const std::string_view> names) {
  const std::string lower = asciiLowered(written.text);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (asciiLowered(names[i]) == lower && written.kind == Written::Kind::Text) return i;
  const std::vector<std::string> candidates(names.begin(), names.end());
  reading.problem(written, "expected " + settings::inWords(names) + found(written) +
                               didYouMean(written.text, candidates));
  return std::nullopt;
}

} // namespace skillhost::app
