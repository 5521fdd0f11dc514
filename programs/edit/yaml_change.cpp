// SPDX-License-Identifier: Apache-2.0
#include "change.hpp"

#include "settings/written.hpp"
#include "settings/yaml_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace skillhost::app::edit {

using settings::appendYaml;
using settings::Member;
using settings::readDocument;
using settings::Written;
using settings::yamlInline;

namespace {

Json jsonOf(const Written &value) {
  switch (value.kind) {
  case Written::Kind::Null:
    return nullptr;
  case Written::Kind::Boolean:
    return value.boolean;
  case Written::Kind::Integer:
    return value.integer;
  case Written::Kind::Number:
    return value.number;
  case Written::Kind::Text:
    return value.text;
  case Written::Kind::List: {
    Json list = Json::array();
    for (const Written &item : value.items) list.push_back(jsonOf(item));
    return list;
  }
  case Written::Kind::Map:
    break;
  }
  Json map = Json::object();
  for (const Member &member : value.members) map[member.name] = jsonOf(member.value);
  return map;
}

std::size_t indentOf(const std::string &line) {
  return std::min(line.find_first_not_of(' '), line.size());
}
bool isBlankOrComment(const std::string &line) {
  const std::size_t at = line.find_first_not_of(" \t\r");
  return at == std::string::npos || line[at] == '#';
}
bool isEmpty(const Written &value) {
  return value.kind == Written::Kind::Null ||
         (value.items.empty() && value.members.empty() &&
          (value.kind == Written::Kind::Map || value.kind == Written::Kind::List));
}

// Changes lines. Lines and columns of the document are counted from 0.
class YamlChange {
public:
  YamlChange(std::string_view text, const Written &root) : root_(root) {
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) lines_.push_back(std::move(line));
  }

  Result<std::string> make(const Change &change) {
    const Written *place = &root_;
    const Member *above = nullptr; // the member with the value `place`
    for (std::size_t i = 0; i < change.path.size(); ++i) {
      const std::string &key = change.path[i];
      const bool last = i + 1 == change.path.size();
      if (place->kind == Written::Kind::List) {
        if (key == "-") return put(*place, above, key, nested(change, i + 1));
        std::size_t index = 0;
        std::from_chars(key.data(), key.data() + key.size(), index);
        const Written &item = place->items.at(index);
        if (last && !change.value) return removeItem(*place, index, above);
        place = &item;
        above = nullptr;
        continue;
      }
      const auto found = std::find_if(place->members.begin(), place->members.end(),
                                      [&](const Member &one) { return one.name == key; });
      if (found == place->members.end()) return put(*place, above, key, nested(change, i + 1));
      if (last)
        return change.value ? replaceMember(*place, *found, *change.value)
                            : removeMember(*place, *found, above);
      above = &*found;
      place = &found->value;
    }
    return Failure{Fault::Conflict, "nothing is named"};
  }

private:
  static Json nested(const Change &change, std::size_t from) {
    Json value = *change.value;
    for (std::size_t i = change.path.size(); i-- > from;)
      value = change.path[i] == "-" ? Json::array({std::move(value)})
                                    : Json{{change.path[i], std::move(value)}};
    return value;
  }

  static std::size_t at(int number) { return static_cast<std::size_t>(std::max(number, 1)) - 1; }
  char charAt(const Written &value) const {
    const std::size_t line = at(value.line), column = at(value.column);
    return line < lines_.size() && column < lines_[line].size() ? lines_[line][column] : '\0';
  }
  bool isFlow(const Written &value) const {
    return value.kind == Written::Kind::Map ? charAt(value) == '{' : charAt(value) == '[';
  }
  // Returns the first line behind the block that begins on `line` and whose other lines are
  // indented by more than `indent`, or with `dashes` begin there with a dash. Comments before that
  // line do not belong to the block.
  std::size_t blockEnd(std::size_t line, std::size_t indent, bool dashes) const {
    std::size_t end = line + 1;
    for (std::size_t next = end; next < lines_.size(); ++next) {
      const std::string &text = lines_[next];
      if (isBlankOrComment(text)) {
        if (indentOf(text) > indent && indentOf(text) < text.size() && next == end) end = next + 1;
        continue;
      }
      const bool dash = dashes && indentOf(text) == indent && text[indent] == '-';
      if (indentOf(text) <= indent && !dash) break;
      end = next + 1;
    }
    return end;
  }
  std::size_t memberEnd(const Member &member) const {
    const bool dashes = member.value.kind == Written::Kind::List && !isFlow(member.value);
    return blockEnd(at(member.line), at(member.column), dashes);
  }
  // Returns the column of the item's dash; npos if it is on another line.
  std::size_t dashOf(const Written &item) const {
    const std::string &line = lines_[at(item.line)];
    const std::size_t before = line.find_last_not_of(' ', at(item.column) - 1);
    return at(item.column) > 0 && before != std::string::npos && line[before] == '-'
               ? before
               : std::string::npos;
  }

  static std::vector<std::string> memberLines(const std::string &key, const Json &value,
                                              std::size_t indent) {
    std::string text;
    appendYaml(text, key, value, indent);
    return split(text);
  }
  static std::vector<std::string> itemLines(const Json &value, std::size_t dash) {
    if (!value.is_object() || value.empty())
      return {std::string(dash, ' ') + "- " + yamlInline(value)};
    std::vector<std::string> all = memberLines("k", Json::array({value}), 0);
    all.erase(all.begin());
    for (std::string &line : all) line = std::string(dash, ' ') + line.substr(2);
    return all;
  }
  static std::vector<std::string> split(const std::string &text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(std::move(line));
    return out;
  }

  Result<std::string> joined() const {
    std::string out;
    for (const std::string &line : lines_) out += line + '\n';
    return out;
  }
  void insertLines(std::size_t where, const std::vector<std::string> &fresh) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(where), fresh.begin(), fresh.end());
  }
  void eraseLines(std::size_t from, std::size_t to) {
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(from),
                 lines_.begin() + static_cast<std::ptrdiff_t>(to));
  }

  // Adds a member, or an item for "-", behind the others of `place`.
  Result<std::string> put(const Written &place, const Member *above, const std::string &key,
                          const Json &value) {
    const Json whole = key == "-" ? Json::array({value}) : Json{{key, value}};
    if (isEmpty(place)) {
      if (above != nullptr) return rewriteValue(*above, whole);
      if (place.line > 0 && place.kind != Written::Kind::Null)
        return Failure{Fault::Conflict, "the document is an empty map or list"};
      insertLines(lines_.size(), memberLines(key, value, 0));
      return joined();
    }
    if (isFlow(place))
      return intoFlow(place, key == "-"
                                 ? yamlInline(value)
                                 : yamlInline(whole).substr(1, yamlInline(whole).size() - 2));
    if (place.kind == Written::Kind::List) {
      const Written &last = place.items.back();
      const std::size_t dash = dashOf(last);
      if (dash == std::string::npos)
        return Failure{Fault::Conflict, "the list's last item is not on a line with its dash"};
      insertLines(blockEnd(at(last.line), dash, false), itemLines(value, dash));
      return joined();
    }
    if (place.kind != Written::Kind::Map)
      return Failure{Fault::Conflict, "something else stands where the entry belongs"};
    insertLines(memberEnd(place.members.back()),
                memberLines(key, value, at(place.members.front().column)));
    return joined();
  }

  // Rewrites `key:` and the rest of its line. The value must be empty or a scalar on this line.
  Result<std::string> rewriteValue(const Member &member, const Json &value) {
    std::string &line = lines_[at(member.line)];
    const std::size_t colon = line.find(':', at(member.column) + member.name.size());
    if (colon == std::string::npos)
      return Failure{Fault::Conflict, "the key \"" + member.name + "\" is not on its line"};
    std::size_t begin = std::min(line.find_first_not_of(' ', colon + 1), line.size()), end = begin;
    if (begin < line.size() && (line[begin] == '"' || line[begin] == '\'')) {
      end = std::min(line.find(line[begin], begin + 1), line.size() - 1) + 1;
    } else if (begin < line.size() && (line[begin] == '{' || line[begin] == '[')) {
      end = std::min(line.find(line[begin] == '{' ? '}' : ']', begin), line.size() - 1) + 1;
    } else if (begin < line.size() && line[begin] != '#') {
      end = std::min({line.find(" #", begin), line.find_first_of(",}]", begin), line.size()});
    }
    const std::string comment = line.substr(end);
    std::vector<std::string> fresh = memberLines(member.name, value, at(member.column));
    if (fresh.size() == 1) {
      line = line.substr(0, colon + 1) + ' ' + yamlInline(value) + comment;
      return joined();
    }
    line = line.substr(0, colon + 1) + comment;
    fresh.erase(fresh.begin());
    insertLines(at(member.line) + 1, fresh);
    return joined();
  }

  // Inserts before the closing bracket. A bracket or a quote in a plain text may mislead, so the
  // result is read again.
  Result<std::string> intoFlow(const Written &place, const std::string &fresh) {
    std::size_t depth = 0;
    char quote = '\0';
    for (std::size_t line = at(place.line), column = at(place.column); line < lines_.size();
         ++line, column = 0)
      for (; column < lines_[line].size(); ++column) {
        const char c = lines_[line][column];
        if (quote != '\0') {
          if (c == '\\' && quote == '"')
            ++column;
          else if (c == quote)
            quote = '\0';
          continue;
        }
        if (c == '#' && (column == 0 || lines_[line][column - 1] == ' ')) break;
        if (c == '"' || c == '\'') quote = c;
        if (c == '[' || c == '{') ++depth;
        if ((c == ']' || c == '}') && --depth == 0) {
          const std::size_t text = lines_[line].find_last_not_of(' ', column - 1);
          if (column > 0 && text != std::string::npos) {
            lines_[line].insert(text + 1, (lines_[line][text] == ',' ? " " : ", ") + fresh);
            return joined();
          }
          return Failure{Fault::Conflict, "the bracket that ends it is on a line of its own"};
        }
      }
    return Failure{Fault::Conflict, "the bracket that ends it was not found"};
  }

  Result<std::string> replaceMember(const Written &place, const Member &member, const Json &value) {
    const bool scalar =
        member.value.kind != Written::Kind::Map && member.value.kind != Written::Kind::List;
    if (scalar || isEmpty(member.value)) return rewriteValue(member, value);
    if (isFlow(place)) return Failure{Fault::Conflict, "it stands inside brackets"};
    const std::size_t begin = at(member.line), end = memberEnd(member);
    for (std::size_t line = begin; line < end; ++line)
      if (lines_[line].find('#') != std::string::npos)
        return Failure{Fault::Conflict, "there are comments inside \"" + member.name + '"'};
    const std::vector<std::string> fresh = memberLines(member.name, value, at(member.column));
    if (lines_[begin].find_first_not_of(' ') != at(member.column))
      return Failure{Fault::Conflict, '"' + member.name + "\" does not begin its line"};
    eraseLines(begin, end);
    insertLines(begin, fresh);
    return joined();
  }

  Result<std::string> removeMember(const Written &place, const Member &member,
                                   const Member *above) {
    if (isFlow(place)) return Failure{Fault::Conflict, "it stands inside brackets"};
    if (lines_[at(member.line)].find_first_not_of(' ') != at(member.column))
      return Failure{Fault::Conflict, '"' + member.name + "\" does not begin its line"};
    eraseLines(at(member.line), memberEnd(member));
    if (place.members.size() == 1 && above != nullptr) sayEmpty(*above, " {}");
    return joined();
  }

  Result<std::string> removeItem(const Written &place, std::size_t index, const Member *above) {
    const Written &item = place.items[index];
    if (isFlow(place)) return removeFromFlow(place, index);
    const std::size_t dash = dashOf(item);
    if (dash == std::string::npos || indentOf(lines_[at(item.line)]) != dash)
      return Failure{Fault::Conflict, "the item does not begin its line"};
    eraseLines(at(item.line), blockEnd(at(item.line), dash, false));
    if (place.items.size() == 1 && above != nullptr) sayEmpty(*above, " []");
    return joined();
  }

  // Removes an item of a one-line list: [a, b]. Wrong results are refused when they are read again.
  Result<std::string> removeFromFlow(const Written &place, std::size_t index) {
    const std::vector<Written> &items = place.items;
    std::string &line = lines_[at(items[index].line)];
    std::size_t begin = at(items[index].column), end = 0;
    if (index + 1 < items.size()) {
      if (items[index + 1].line != items[index].line)
        return Failure{Fault::Conflict, "the list has more than one line"};
      end = at(items[index + 1].column);
    } else {
      end = line.rfind(']');
      if (end == std::string::npos || end < begin)
        return Failure{Fault::Conflict, "the list has more than one line"};
      if (index > 0) {
        const std::size_t comma = line.rfind(',', begin);
        if (comma != std::string::npos) begin = comma;
      }
    }
    line.erase(begin, end - begin);
    return joined();
  }

  void sayEmpty(const Member &member, const char *what) {
    std::string &line = lines_[at(member.line)];
    const std::size_t colon = line.find(':', at(member.column) + member.name.size());
    if (colon != std::string::npos) line.insert(colon + 1, what);
  }

  const Written &root_;
  std::vector<std::string> lines_;
};

} // namespace

Result<Json> readYaml(std::string_view text) {
  const Result<Written> root = readDocument(text);
  if (!root) return root.failure();
  if (root->kind == Written::Kind::Null) return Json::object();
  if (root->kind != Written::Kind::Map)
    return Failure{Fault::InvalidFormat,
                   "1:1: a map of keys was expected, found " + root->described()};
  return jsonOf(*root);
}

Result<std::string> changedYaml(std::string_view text, const Change &change) {
  const Result<Written> root = readDocument(text);
  if (!root) return root.failure();
  return YamlChange(text, *root).make(change);
}

} // namespace skillhost::app::edit
