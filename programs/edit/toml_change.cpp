// SPDX-License-Identifier: Apache-2.0
// This is the only source that includes toml++.
#include "change.hpp"

#include "ground/json_text.hpp"

#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace skillhost::app::edit {
namespace {

// Keeps a value that JSON cannot represent in its spelling: as binary, which no other TOML value
// becomes.
Json asWritten(std::string_view text) { return Json::binary({text.begin(), text.end()}); }

// Converts a document to JSON.
class TomlReader {
public:
  explicit TomlReader(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at != std::string_view::npos; at = text.find('\n', at)) {
      if (at != 0 || !lines_.empty()) ++at;
      lines_.push_back(at);
    }
  }

  Json read(const toml::node &node) const {
    if (const auto *table = node.as_table()) {
      Json out = Json::object();
      for (const auto &[key, value] : *table) out[std::string(key.str())] = read(value);
      return out;
    }
    if (const auto *array = node.as_array()) {
      Json out = Json::array();
      for (const toml::node &item : *array) out.push_back(read(item));
      return out;
    }
    if (const auto *text = node.as_string()) return text->get();
    if (const auto *flag = node.as_boolean()) return flag->get();
    const std::string_view source = sourceOf(node);
    if (const auto *number = node.as_integer())
      return source.empty() || source == std::to_string(number->get()) ? Json(number->get())
                                                                       : asWritten(source);
    // Floats, which may be nan or infinite, and dates.
    if (!source.empty()) return asWritten(source);
    std::ostringstream other;
    node.visit([&](const auto &value) {
      if constexpr (toml::is_value<decltype(value)>) other << value;
    });
    return asWritten(other.str());
  }

private:
  // Returns the spelling of a number or date; empty if it is not where the parser says.
  std::string_view sourceOf(const toml::node &node) const {
    const std::size_t begin = offsetOf(node.source().begin), end = offsetOf(node.source().end);
    if (begin >= end || end > text_.size()) return {};
    std::string_view source = text_.substr(begin, end - begin);
    while (!source.empty() && (source.back() == ' ' || source.back() == '\t'))
      source.remove_suffix(1);
    const bool isPlain = std::all_of(source.begin(), source.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 ||
             std::string_view("+-._: ").find(static_cast<char>(c)) != std::string_view::npos;
    });
    return isPlain ? source : std::string_view();
  }
  // Columns count characters from 1.
  std::size_t offsetOf(const toml::source_position &at) const {
    if (at.line == 0 || at.line > lines_.size()) return text_.size() + 1;
    std::size_t offset = lines_[at.line - 1];
    for (std::uint32_t column = 1; column < at.column && offset < text_.size(); ++column) do
        ++offset;
      while (offset < text_.size() && (static_cast<unsigned char>(text_[offset]) & 0xC0U) == 0x80U);
    return offset;
  }

  std::string_view text_;
  std::vector<std::size_t> lines_; // start of each line
};

std::string spelled(const Json &value) {
  if (value.is_binary()) return {value.get_binary().begin(), value.get_binary().end()};
  if (value.is_string()) {
    std::string out;
    appendJsonString(out, value.get<std::string>()); // its escapes are valid in TOML
    return out;
  }
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (const auto &item : value.items()) {
    out += out.empty() ? "" : ", ";
    if (value.is_object()) out += spelled(Json(item.key())) + " = ";
    out += spelled(item.value());
  }
  return value.is_array() ? '[' + out + ']' : "{ " + out + " }";
}

bool isBare(const std::string &key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

// Returns [mcp_servers.skillhost] with its keys.
std::string section(const Change &change) {
  std::string out = "[";
  for (const std::string &key : change.path)
    out += (out.size() > 1 ? "." : "") + (isBare(key) ? key : spelled(Json(key)));
  out += "]\n";
  for (const auto &item : change.value->items())
    out += (isBare(item.key()) ? item.key() : spelled(Json(item.key()))) + " = " +
           spelled(item.value()) + '\n';
  return out;
}

// The lines of a table with a header, or of one below it: whole lines, counted from 1.
struct Extent {
  std::uint32_t first, last;
};

std::uint32_t lastLine(const toml::node &node) {
  std::uint32_t last = node.source().end.line;
  if (const auto *table = node.as_table(); table != nullptr && !table->is_inline())
    for (const auto &[key, value] : *table)
      if (!value.is_table() || value.as_table()->is_inline())
        last = std::max(last, lastLine(value));
  return last;
}

void collect(const toml::node &node, std::vector<Extent> &found) {
  const auto *table = node.as_table();
  if (table == nullptr || table->is_inline()) return;
  found.push_back({node.source().begin.line, lastLine(node)});
  for (const auto &[key, value] : *table) collect(value, found);
}

// Returns true if one of these lines has a # outside a string. The text was parsed, so its strings
// end.
bool holdComment(std::string_view text, const std::vector<Extent> &lines) {
  std::uint32_t line = 1;
  std::string_view quote; // opening quote of the current string
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') {
      ++line;
    } else if (!quote.empty()) {
      if (c == '\\' && quote.front() == '"') {
        ++at;
        if (at < text.size() && text[at] == '\n') ++line;
      } else if (text.substr(at).starts_with(quote)) {
        at += quote.size() - 1;
        // A multi-line string may end with up to two more quotes.
        while (quote.size() == 3 && at + 1 < text.size() && text[at + 1] == quote.front()) ++at;
        quote = {};
      }
    } else if (c == '"' || c == '\'') {
      const bool three = text.substr(at).starts_with(std::string(3, c));
      quote = text.substr(at, three ? 3 : 1);
      at += quote.size() - 1;
    } else if (c == '#') {
      if (std::any_of(lines.begin(), lines.end(),
                      [&](const Extent &one) { return line >= one.first && line <= one.last; }))
        return true;
      at = std::min(text.find('\n', at), text.size()) - 1;
    }
  }
  return false;
}

std::string withoutLines(std::string_view text, const std::vector<Extent> &gone) {
  std::string out;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const bool goes = std::any_of(gone.begin(), gone.end(), [&](const Extent &one) {
      return line >= one.first && line <= one.last;
    });
    if (!goes) out.append(text.substr(at, end - at));
    at = end;
  }
  return out;
}

} // namespace

Result<Json> readToml(std::string_view text) try {
  return TomlReader(text).read(toml::parse(text));
} catch (const toml::parse_error &error) {
  const toml::source_position &at = error.source().begin;
  return Failure{Fault::InvalidFormat, std::to_string(at.line) + ':' + std::to_string(at.column) +
                                           ": " + std::string(error.description())};
}

Result<std::string> changedToml(std::string_view text, const Change &change) try {
  const toml::table document = toml::parse(text);
  const toml::node *place = &document;
  for (const std::string &key : change.path) {
    const toml::table *table = place == nullptr ? nullptr : place->as_table();
    place = table == nullptr ? nullptr : table->get(key);
  }
  std::string out(text);
  if (place != nullptr) {
    std::vector<Extent> gone;
    collect(*place, gone);
    // A removed table takes its comments along.
    if (change.value && holdComment(text, gone))
      return Failure{Fault::Conflict, "there are comments inside \"" + change.path.back() + '"'};
    out = withoutLines(text, gone);
    while (!change.value && out.ends_with("\n\n")) out.pop_back();
  }
  if (!change.value) return out;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  if (!out.empty() && !out.ends_with("\n\n")) out += '\n';
  return out + section(change);
} catch (const toml::parse_error &error) {
  return Failure{Fault::InvalidFormat, std::string(error.description())};
}

} // namespace skillhost::app::edit
