// SPDX-License-Identifier: Apache-2.0
#include "change.hpp"
#include "plain_json.hpp"

#include "ground/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost::app::edit {
namespace {

class JsonChange {
public:
  explicit JsonChange(std::string_view text) : text_(text), plain_(plainJson(text)) {
    if (text.find("\r\n") != std::string_view::npos) newline_ = "\r\n";
  }

  Result<std::string> make(const Change &change) {
    JsonObject object = jsonObjectAt(plain_.text, pastBlanks(plain_.text, 0));
    for (std::size_t i = 0;; ++i) {
      const bool last = i + 1 == change.path.size();
      const auto found =
          std::find_if(object.members.begin(), object.members.end(),
                       [&](const JsonMember &one) { return one.key == change.path[i]; });
      if (found == object.members.end()) {
        Json value = *change.value;
        for (std::size_t k = change.path.size(); k-- > i + 1;)
          value = Json{{change.path[k], std::move(value)}};
        insert(object, change.path[i], value);
        return std::move(text_);
      }
      if (last) {
        if (!change.value)
          return remove(object, static_cast<std::size_t>(found - object.members.begin()));
        return replace(*found, *change.value);
      }
      if (plain_.text[found->valueBegin] != '{')
        return Failure{Fault::Conflict, '"' + change.path[i] + "\" is no object"};
      object = jsonObjectAt(plain_.text, found->valueBegin);
    }
  }

private:
  std::size_t lineStart(std::size_t at) const {
    const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
  }
  // Returns the white space at the start of the line of `at`.
  std::string indentOf(std::size_t at) const {
    const std::size_t start = lineStart(at);
    const std::size_t end = std::min(text_.find_first_not_of(" \t", start), text_.size());
    return text_.substr(start, end - start);
  }
  // Returns the indentation of one level in this text.
  std::string unit() const {
    for (std::size_t at = 0; (at = text_.find('\n', at)) != std::string::npos;) {
      ++at;
      const std::string indent = indentOf(at);
      if (!indent.empty() && plain_.text[at + indent.size()] == '"') return indent;
    }
    return "  ";
  }
  std::string spelled(const Json &value, const std::string &indent) const {
    const std::string step = unit();
    std::string raw =
        step[0] == '\t' ? value.dump(1, '\t') : value.dump(static_cast<int>(step.size()));
    std::string out;
    for (const char c : raw) {
      if (c != '\n')
        out += c;
      else
        out += newline_ + indent;
    }
    return out;
  }
  std::string member(const std::string &key, const Json &value, const std::string &indent) const {
    std::string out;
    appendJsonString(out, key);
    return out + ": " + spelled(value, indent);
  }

  void insert(const JsonObject &object, const std::string &key, const Json &value) {
    const bool oneLine =
        text_.substr(object.begin, object.end - object.begin).find('\n') == std::string::npos;
    if (object.members.empty()) {
      const std::string outer = indentOf(object.begin), inner = outer + unit();
      const std::string made = newline_ + inner + member(key, value, inner);
      text_.insert(object.begin + 1, oneLine ? made + newline_ + outer : made);
      return;
    }
    const JsonMember &last = object.members.back();
    const std::size_t next = pastBlanks(plain_.text, last.valueEnd);
    const auto comma = plain_.trailingCommas.lower_bound(last.valueEnd);
    const bool hasComma = comma != plain_.trailingCommas.end() && *comma < next;
    std::size_t at = hasComma ? *comma + 1 : last.valueEnd;
    const std::string indent = indentOf(object.members.front().keyBegin);
    std::string made = oneLine ? (hasComma ? " " : ", ") + member(key, value, indent)
                               : newline_ + indent + member(key, value, indent);
    if (hasComma) made += ','; // keeps the style of the trailing comma
    if (!oneLine) {
      // A comment behind the last member stays with it.
      std::size_t end = std::min(text_.find('\n', at), text_.size());
      if (end > at && text_[end - 1] == '\r') --end;
      const bool free =
          end <= object.end && text_.substr(at, end - at).find("/*") == std::string::npos;
      text_.insert(free ? end : at, made);
      if (!hasComma) text_.insert(at, ",");
      return;
    }
    text_.insert(at, made);
  }

  Result<std::string> replace(const JsonMember &member, const Json &value) {
    const std::size_t length = member.valueEnd - member.valueBegin;
    if (plainJson(text_.substr(member.valueBegin, length)).text !=
        text_.substr(member.valueBegin, length))
      return Failure{Fault::Conflict, "there are comments inside \"" + member.key + '"'};
    text_.replace(member.valueBegin, length, spelled(value, indentOf(member.keyBegin)));
    return std::move(text_);
  }

  std::string remove(const JsonObject &object, std::size_t index) {
    const JsonMember &member = object.members[index];
    const bool isLast = index + 1 == object.members.size();
    std::size_t begin = member.keyBegin, end = member.valueEnd;
    bool trailing = false; // a comma stood behind the last member
    if (const std::size_t next = text_.find_first_not_of(" \t\r\n", end);
        next < text_.size() && text_[next] == ',') {
      end = next + 1;
      trailing = isLast;
    }
    const std::size_t lineEnd = std::min(text_.find('\n', end), text_.size());
    const bool ownLines = text_.find_first_not_of(" \t", lineStart(begin)) == begin &&
                          pastBlanks(plain_.text, end) >= lineEnd;
    const std::size_t behind = std::min(text_.find_first_not_of(" \t\r", end), text_.size());
    if (ownLines && end > member.valueEnd && behind < lineEnd) {
      end = behind; // a comment behind the comma may belong to the next member
    } else if (ownLines) {
      begin = lineStart(begin);
      end = std::min(lineEnd + 1, text_.size());
    }
    text_.erase(begin, end - begin);
    if (isLast && index > 0 && !trailing) {
      const std::size_t comma = plain_.text.find(',', object.members[index - 1].valueEnd);
      if (comma < begin) text_.erase(comma, 1);
    }
    return std::move(text_);
  }

  std::string text_;
  PlainJson plain_;
  std::string newline_ = "\n";
};

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

} // namespace

Result<Json> readJson(std::string_view text) {
  if (isBlank(text)) return Json::object();
  Result<Json> value = parseJson(plainJson(text).text);
  if (value && !value->is_object())
    return Failure{Fault::InvalidFormat, "a JSON object, {…}, was expected"};
  return value;
}

Result<std::string> changedJson(std::string_view text, const Change &change) {
  if (isBlank(text)) {
    Json value = *change.value;
    for (std::size_t i = change.path.size(); i-- > 0;)
      value = Json{{change.path[i], std::move(value)}};
    return value.dump(2) + '\n';
  }
  return JsonChange(text).make(change);
}

} // namespace skillhost::app::edit
