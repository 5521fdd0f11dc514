// SPDX-License-Identifier: Apache-2.0
// Parses text into Written. This is the only source here that includes yaml-cpp.
#include "ground/utf8.hpp"
#include "settings/written.hpp"

#include <nlohmann/json.hpp>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace skillhost::settings {
namespace {

constexpr std::size_t maxDocumentBytes = 1'048'576; // bytes
constexpr std::size_t maxDepth = 32;

std::string position(int line, int column) {
  return std::to_string(line) + ':' + std::to_string(column) + ": ";
}

// Builds the tree from the parser's events, because the library's own Node forgets equal keys.
class Builder final : public YAML::EventHandler {
public:
  Written root;

  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &mark, YAML::anchor_t) override { put(mark, Written{}); }
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override {
    refuse(mark, "aliases (*name) are not read: write the value out");
  }
  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t,
                const std::string &value) override {
    if (tag == "?")
      put(mark, plainScalar(value));
    else if (tag == "!" || tag == "tag:yaml.org,2002:str")
      put(mark, Written::ofText(value));
    else
      refuse(mark, "tags (!name) are not read: write the plain value");
  }
  void OnSequenceStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, Written::Kind::List);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, Written::Kind::Map);
  }
  void OnMapEnd() override { close(); }

private:
  // A list or a map that is still being filled.
  struct Open {
    Written value;
    std::optional<Member> pending; // a key without its value yet
  };

  // Throws the parser's own error type, so that there is one way out.
  [[noreturn]] static void refuse(const YAML::Mark &mark, const std::string &why) {
    throw YAML::ParserException(mark, why);
  }
  void open(const YAML::Mark &mark, Written::Kind kind) {
    if (stack_.size() >= maxDepth)
      refuse(mark, "nested deeper than " + std::to_string(maxDepth) + " levels");
    if (!stack_.empty() && stack_.back().value.kind == Written::Kind::Map && !stack_.back().pending)
      refuse(mark, "a key must be a plain word");
    Open fresh;
    fresh.value.kind = kind;
    fresh.value.line = mark.line + 1;
    fresh.value.column = mark.column + 1;
    stack_.push_back(std::move(fresh));
  }
  void close() {
    Written done = std::move(stack_.back().value);
    stack_.pop_back();
    place(std::move(done));
  }
  void put(const YAML::Mark &mark, Written value) {
    value.line = mark.line + 1;
    value.column = mark.column + 1;
    if (stack_.empty() || stack_.back().value.kind == Written::Kind::List || stack_.back().pending)
      return place(std::move(value));
    Open &top = stack_.back();
    if (const Written *earlier = top.value.find(value.text))
      refuse(mark, "duplicate key \"" + value.text.substr(0, 100) +
                       "\"; its first value is on line " + std::to_string(earlier->line));
    top.pending = Member{value.text, value.line, value.column, {}};
  }
  void place(Written value) {
    if (stack_.empty()) {
      root = std::move(value);
      return;
    }
    Open &top = stack_.back();
    if (top.value.kind == Written::Kind::List) {
      top.value.items.push_back(std::move(value));
      return;
    }
    top.pending->value = std::move(value);
    top.value.members.push_back(std::move(*top.pending));
    top.pending.reset();
  }

  std::vector<Open> stack_;
};

// Reports a tab that indents a line up to `line`, because the parser's message would be misleading;
// empty: there is none.
std::string tabBefore(std::string_view text, int line) {
  for (int number = 1; number <= line + 1 && !text.empty(); ++number) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t first = std::min(one.find_first_not_of(" \t"), one.size());
    const std::size_t tab = one.find('\t');
    if (first < one.size() && tab < first)
      return position(number, static_cast<int>(tab) + 1) +
             "a tab: YAML is indented with spaces alone, so write spaces in its place";
  }
  return {};
}

Failure invalidUtf8(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {Fault::InvalidFormat,
          position(static_cast<int>(line), static_cast<int>(at - start) + 1) + "not UTF-8 text"};
}

} // namespace

std::string whyNotJson(std::string_view text) {
  const Result<Json> parsed = parseJson(text);
  if (parsed) return {};
  std::string why = parsed.failure().message;
  // The JSON reader counts bytes.
  constexpr std::string_view lead = "not JSON at byte ";
  // Such as a duplicate key: the YAML reader reports it with its line.
  if (!why.starts_with(lead)) return {};
  const std::size_t colon = why.find(": ");
  const std::size_t byte = std::strtoull(why.c_str() + lead.size(), nullptr, 10);
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1; // 0 without a line break
  if (colon != std::string::npos) why.erase(0, colon + 2);
  // The library's message also contains the place.
  if (why.starts_with("parse error at "))
    if (const std::size_t words = why.find(": "); words != std::string::npos)
      why.erase(0, words + 2);
  // The message quotes the last token, which may be a secret.
  if (const std::size_t quoted = why.find("; last read: '"); quoted != std::string::npos) {
    const std::size_t end = why.rfind("'; expected ");
    why.erase(quoted,
              end == std::string::npos || end < quoted ? std::string::npos : end + 1 - quoted);
  }
  return position(static_cast<int>(line), static_cast<int>(before.size() - start) + 1) +
         "not JSON: " + why;
}

Result<Written> readDocument(std::string_view text) {
  if (text.size() > maxDocumentBytes)
    return Failure{Fault::TooLarge,
                   "1:1: larger than " + std::to_string(maxDocumentBytes) + " bytes"};
  if (const std::size_t good = validUtf8Prefix(text); good != text.size())
    return invalidUtf8(text, good);
  std::string copy(text);
  // JSON may be indented with tabs, but YAML may not. In JSON, a tab never stands inside a string.
  if (parseJson(text)) std::replace(copy.begin(), copy.end(), '\t', ' ');
  try {
    std::istringstream stream(copy);
    YAML::Parser parser(stream);
    Builder builder;
    parser.HandleNextDocument(builder);
    Builder second;
    if (parser.HandleNextDocument(second))
      return Failure{Fault::InvalidFormat, position(second.root.line, second.root.column) +
                                               "a second document begins here: keep only one"};
    return std::move(builder.root);
  } catch (const YAML::Exception &error) {
    if (std::string tab = tabBefore(text, error.mark.line + 1); !tab.empty())
      return Failure{Fault::InvalidFormat, std::move(tab)};
    return Failure{Fault::InvalidFormat,
                   position(error.mark.line + 1, error.mark.column + 1) + error.msg};
  }
}

} // namespace skillhost::settings
