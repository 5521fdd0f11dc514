// SPDX-License-Identifier: Apache-2.0
#include "skillmd/plain_front_matter.hpp"

#include "skillmd/characters.hpp"
#include "skillmd/core_schema.hpp"

#include <string>
#include <utility>

namespace skillhost {
namespace {

// One line without its break.
struct Line {
  std::string_view text; // without indentation and trailing spaces
  std::size_t indent = 0;
  std::size_t width = 0; // length of the whole line
};

// Each read function returns false if it is not sure, and then the whole front matter is declined.
class Reader {
public:
  explicit Reader(const FrontMatterBlock &block)
      : rest_(block.yaml), firstLine_(block.line), declined_(odd(block.yaml)) {
    matter_.bodyOffset = block.bodyOffset;
    advance();
  }

  std::optional<FrontMatter> read() {
    if (declined_) return std::nullopt;
    while (!ended_) {
      if (!readEntry(matter_.fields, 0, {})) return std::nullopt;
      skipBlank();
    }
    if (matter_.keys.empty()) return std::nullopt;
    return std::move(matter_);
  }

private:
  // Returns true for tabs, single carriage returns and Unicode separators, which YAML readers treat
  // differently, and for a last line without its break.
  static bool odd(std::string_view yaml) {
    if (yaml.empty() || yaml.back() != '\n' || yaml.find('\t') != npos) return true;
    for (std::size_t at = yaml.find('\r'); at != npos; at = yaml.find('\r', at + 1))
      if (yaml[at + 1] != '\n') return true;
    return yaml.find("\xC2\x85") != npos || yaml.find("\xE2\x80\xA8") != npos ||
           yaml.find("\xE2\x80\xA9") != npos || yaml.find("\xEF\xBB\xBF") != npos;
  }
  void advance() {
    if (rest_.empty()) {
      ended_ = true;
      return;
    }
    const std::size_t end = rest_.find('\n');
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    ++number_;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    line_.width = text.size();
    line_.indent = 0;
    while (line_.indent < text.size() && text[line_.indent] == ' ') ++line_.indent;
    text.remove_prefix(line_.indent);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    line_.text = text;
  }
  std::size_t place() const noexcept { return number_ + firstLine_ - 1; }
  void skipBlank() {
    while (!ended_ && line_.text.empty()) advance();
  }

  // Reads `key: value` on the current line, and the lines that belong to it.
  bool readEntry(Json &map, std::size_t indent, std::string_view parent) {
    if (line_.indent != indent || line_.text.empty()) return false;
    const std::string_view text = line_.text;
    if (!letter(text[0]) && text[0] != '_') return false;
    std::size_t colon = 1;
    while (colon < text.size() && (letter(text[colon]) || digit(text[colon]) ||
                                   text[colon] == '_' || text[colon] == '-' || text[colon] == '.'))
      ++colon;
    if (colon == text.size() || text[colon] != ':' || colon > 100) return false;
    const std::string_view name = text.substr(0, colon);
    constexpr std::size_t few = 64; // keeps the search for duplicate keys cheap
    if (map.size() >= few || map.contains(name)) return false;
    if (parent.empty()) matter_.keys.push_back({std::string(name), {place(), indent + 1}});
    auto &object = map.get_ref<Json::object_t &>();
    Json &slot = object.emplace_back(std::string(name), nullptr).second;
    if (colon + 1 == text.size()) {
      advance();
      return readBelow(slot, indent, name, parent);
    }
    if (text[colon + 1] != ' ') return false;
    const std::size_t start = text.find_first_not_of(' ', colon + 1);
    const std::string_view value = text.substr(start);
    if (value[0] == '>' || value[0] == '|') return readBlockScalar(slot, value, indent);
    if (value[0] == '[' && !matter_.flow) matter_.flow = Place{place(), indent + start + 1};
    advance();
    const bool continued = !ended_ && !line_.text.empty() && line_.indent > indent;
    if (continued && value[0] != '"' && value[0] != '\'' && value[0] != '[')
      return plain(value) && readContinuation(slot, value, indent);
    return readInline(slot, value, name, parent) && ends(indent);
  }

  // Returns true if nothing continues a one-line value.
  bool ends(std::size_t indent) {
    skipBlank();
    return ended_ || line_.indent <= indent;
  }

  // Joins the lines that continue a plain value with spaces.
  bool readContinuation(Json &slot, std::string_view value, std::size_t indent) {
    std::string text(value);
    for (; !ended_ && !line_.text.empty() && line_.indent > indent; advance()) {
      if (!letter(line_.text[0]) && !digit(line_.text[0]) && line_.text[0] != '(') return false;
      if (!plain(line_.text)) return false;
      text += ' ';
      text += line_.text;
    }
    slot = std::move(text);
    return ends(indent);
  }

  // Reads the lines below `key:`: nothing, a list, or a map of one level.
  bool readBelow(Json &slot, std::size_t indent, std::string_view name, std::string_view parent) {
    skipBlank();
    if (ended_) return true;
    const bool list = line_.text.substr(0, 2) == "- ";
    if (line_.indent < indent || (line_.indent == indent && !list)) return true;
    if (!parent.empty()) return false;
    const std::size_t inner = line_.indent;
    slot = list ? Json::array() : Json::object();
    while (!ended_ && line_.indent == inner && (inner > indent || line_.text[0] == '-')) {
      if (list ? !readItem(slot) : !readEntry(slot, inner, name)) return false;
      skipBlank();
    }
    return ended_ || line_.indent <= indent;
  }
  bool readItem(Json &list) {
    if (line_.text.substr(0, 2) != "- ") return false;
    const std::string_view value = line_.text.substr(line_.text.find_first_not_of(' ', 1));
    Json &slot = list.get_ref<Json::array_t &>().emplace_back();
    if (value[0] == '[' || !readInline(slot, value, {}, {})) return false;
    const std::size_t indent = line_.indent;
    advance();
    return ends(indent);
  }

  // Reads a scalar or a simple list in brackets that ends on this line.
  bool readInline(Json &slot, std::string_view value, std::string_view name,
                  std::string_view parent) {
    if (value[0] == '"' || value[0] == '\'') return readQuoted(slot, value);
    if (value[0] == '[') return readFlow(slot, value);
    if (!plain(value)) return false;
    CoreScalar scalar = resolvePlain(value);
    if (scalar.unrepresentable) return false;
    if (!name.empty() && scalar.kind != CoreScalar::Kind::String &&
        scalar.kind != CoreScalar::Kind::Null)
      matter_.written.push_back(
          {parent.empty() ? std::string(name) : std::string(parent) + "/" + std::string(name),
           std::string(value)});
    slot = std::move(scalar.value);
    return true;
  }
  static bool plain(std::string_view value) {
    const char first = value[0];
    const auto byte = static_cast<unsigned char>(first);
    if (!letter(first) && !digit(first) && byte < 0x80 &&
        std::string_view("(/.$+_~;=^<\\").find(first) == npos)
      return false;
    if (value.back() == ':') return false;
    return value.find(": ") == npos && value.find(" #") == npos;
  }
  static bool readQuoted(Json &slot, std::string_view value) {
    const char mark = value[0];
    std::string text;
    for (std::size_t at = 1; at < value.size();) {
      std::size_t next = at;
      while (next < value.size() && value[next] != mark && value[next] != '\\') ++next;
      text += value.substr(at, next - at);
      at = next + 2;
      if (next == value.size()) return false;
      const char second = next + 1 < value.size() ? value[next + 1] : '\0';
      if (value[next] == mark) {
        if (mark == '\'' && second == mark) {
          text += mark;
          continue;
        }
        slot = std::move(text);
        return next + 1 == value.size();
      }
      if (mark == '\'') {
        text += '\\';
        at = next + 1;
      } else if (second == '"' || second == '\\') {
        text += second;
      } else if (second == 'n') {
        text += '\n';
      } else {
        return false;
      }
    }
    return false;
  }
  static bool readFlow(Json &slot, std::string_view value) {
    if (value.size() < 3 || value.back() != ']') return false;
    slot = Json::array();
    for (std::string_view rest = value.substr(1, value.size() - 2);;) {
      const std::size_t comma = rest.find(',');
      std::string_view item = rest.substr(0, comma);
      while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
      while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
      if (item.empty() || !letter(item[0])) return false;
      for (const char c : item)
        if (!letter(c) && !digit(c) && c != ' ' && c != '-' && c != '_') return false;
      slot.get_ref<Json::array_t &>().push_back(resolvePlain(item).value);
      if (comma == npos) return true;
      rest.remove_prefix(comma + 1);
    }
  }

  // Reads a block scalar: `>` folds and `|` keeps the breaks between lines; `-` drops the last
  // break.
  bool readBlockScalar(Json &slot, std::string_view header, std::size_t indent) {
    const bool folded = header[0] == '>';
    if (header.size() > 2 || (header.size() == 2 && header[1] != '-')) return false;
    advance();
    if (ended_ || line_.text.empty() || line_.indent <= indent) return false;
    const std::size_t inner = line_.indent;
    std::string text;
    std::size_t blank = 0;
    for (; !ended_; advance()) {
      if (line_.text.empty()) {
        if (line_.width > inner) return false;
        ++blank;
        continue;
      }
      if (line_.indent < inner) break;
      if (folded && line_.indent > inner) return false;
      if (text.empty()) {
        if (blank != 0) return false;
      } else if (folded && blank == 0) {
        text += ' ';
      } else {
        text.append(folded ? blank : blank + 1, '\n');
      }
      blank = 0;
      const std::string_view kept(line_.text.data() - (line_.indent - inner), line_.width - inner);
      text += kept;
    }
    if (header.size() == 1) text += '\n';
    slot = std::move(text);
    return ended_ || line_.indent <= indent;
  }

  std::string_view rest_;
  std::size_t number_ = 0; // the current line within the block, from 1
  std::size_t firstLine_;
  Line line_;
  bool ended_ = false, declined_;
  FrontMatter matter_;
};

} // namespace

std::optional<FrontMatter> readPlain(const FrontMatterBlock &block) { return Reader(block).read(); }

} // namespace skillhost
