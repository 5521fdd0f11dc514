// SPDX-License-Identifier: Apache-2.0
// Expands variables, elements of arrays, and substituted commands.
#include "shell_program.hpp"

#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace skillhost {

// Returns the number of an element, or nothing for the key of an associative array.
std::optional<std::size_t> ShellProgram::indexOf(std::string_view key, std::size_t size) const {
  key = trimmedOf(key, "\"'$(){} ");
  if (const auto known = reader_.variables_.find(key);
      known != reader_.variables_.end() && !digit(key[0]))
    key = known->second.text;
  const bool isFromEnd = key.starts_with('-');
  if (isFromEnd) key.remove_prefix(1);
  std::size_t index = 0;
  const auto [behind, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (key.empty() || error != std::errc() || behind != key.data() + key.size()) return std::nullopt;
  return isFromEnd ? size - std::min(size, index) : index;
}

// Sets an element of an array; without a key, appends one.
void ShellProgram::assignElement(std::string_view name, std::string_view key, Data value) {
  if (!reader_.spend(name.size() + value.text.size() + 64)) return;
  std::vector<Data> &elements = reader_.arrays_[std::string(name)];
  const std::optional<std::size_t> index =
      key.empty() ? elements.size() : indexOf(key, elements.size());
  if (!index) {
    const std::string_view plain = trimmedOf(key, "\"'");
    reader_.assign(std::string(name).append("[").append(plain), value);
    elements.push_back(std::move(value));
  } else if (*index < elements.size()) {
    elements[*index] = std::move(value);
  } else if (*index < CommandReader::maxWords &&
             reader_.spend(sizeof(Data) * (*index - elements.size() + 1))) {
    elements.resize(*index + 1);
    elements[*index] = std::move(value);
  } else {
    reader_.isCutShort_ = true;
  }
}

// Appends the value of `name[key]`; of all elements for `@` and `*`. Returns false if there is no
// such array.
bool ShellProgram::readElement(std::string_view name, std::string_view key, Data &into) {
  const auto found = reader_.arrays_.find(name);
  if (found == reader_.arrays_.end()) return false;
  respelled_ = true;
  const std::vector<Data> &elements = found->second;
  if (key == "@" || key == "*") {
    std::size_t work = elements.size() * 16;
    for (const Data &one : elements) work += one.text.size();
    if (!reader_.spend(work)) return true;
    for (const Data &one : elements) {
      if (&one != elements.data()) into.add(" ");
      into.add(one.text);
      into.takeOriginOf(one);
    }
    elements_ = elements;
    isArray_ = true;
    return true;
  }
  const Data *one = nullptr;
  if (const std::optional<std::size_t> index = indexOf(key, elements.size())) {
    if (*index < elements.size()) one = &elements[*index];
  } else {
    const std::string_view plain = trimmedOf(key, "\"'");
    const auto known = reader_.variables_.find(std::string(name).append("[").append(plain));
    if (known != reader_.variables_.end()) one = &known->second;
  }
  if (one != nullptr && reader_.spend(one->text.size())) {
    into.add(one->text);
    into.takeOriginOf(*one);
  }
  return true;
}

bool ShellProgram::readExpansion(Data &into, bool isQuoted) {
  const char next = byte(at_ + 1);
  if (next == '\'' && !isQuoted) {
    std::size_t close = at_ + 2;
    while (close < in_.size() && in_[close] != '\'') close += in_[close] == '\\' ? 2 : 1;
    if (close < in_.size() && reader_.spend(close - at_)) {
      const std::string_view inside = in_.substr(at_ + 2, close - at_ - 2);
      into.add(withoutEscapes(inside));
      respelled_ = true;
      at_ = close + 1;
      return false;
    }
  }
  if (next == '"' && !isQuoted) {
    ++at_;
    return false;
  }
  if (next == '(') {
    if (byte(at_ + 2) == '(') {
      at_ = pastGroup(at_ + 1);
      into.add("0");
      return false;
    }
    const Data value = readSubstitution();
    into.add(value.text);
    into.takeOriginOf(value);
    if (!value.text.empty()) respelled_ = true;
    return true;
  }
  if (next == '{') {
    readBraced(into);
    return true;
  }
  std::size_t end = at_ + 1;
  while (isNameByte(byte(end)) && (end != at_ + 2 || !digit(next))) ++end;
  if (end == at_ + 1 && (next == '@' || next == '*')) ++end;
  if (end == at_ + 1) {
    into.add("$");
    ++at_;
    return false;
  }
  const std::string_view name = in_.substr(at_ + 1, end - at_ - 1);
  at_ = end;
  readVariable(name, into);
  return true;
}

void ShellProgram::readVariable(std::string_view name, Data &into) {
  if ((name == "@" || name == "*") && readElement("@", name, into)) return;
  name = reader_.meantBy(name);
  const auto known = reader_.variables_.find(name);
  if (known != reader_.variables_.end()) {
    if (!reader_.spend(known->second.text.size())) return;
    into.add(known->second.text);
    into.takeOriginOf(known->second);
    respelled_ = true;
    return;
  }
  // A variable without a value vanishes. The name stays where it may have one from outside.
  const bool isWithin = !into.text.empty() && letter(into.text.back()) && letter(byte(at_));
  if (isWithin || name == "@" || name == "*") {
    respelled_ = true;
    return;
  }
  into.add("$");
  into.add(name);
}

// Returns the place of the brace that closes the one before `open`, or npos.
std::size_t ShellProgram::endOfBraces(std::size_t open) noexcept {
  // Only the first search that fails takes braces within braces into account, and only the first
  // that fails without them reaches the end, so that all together take linear time.
  if (!hasUnclosedBrace_) {
    std::size_t depth = 1;
    for (std::size_t at = open; at < in_.size(); ++at) {
      if (in_[at] == '\\')
        ++at;
      else if (in_[at] == '{' && in_[at - 1] == '$')
        ++depth;
      else if (in_[at] == '}' && --depth == 0)
        return at;
    }
    hasUnclosedBrace_ = true;
  }
  if (open >= unclosedFrom_) return npos;
  const std::size_t close = in_.find('}', open);
  if (close == npos) unclosedFrom_ = open;
  return close;
}

void ShellProgram::readBraced(Data &into) {
  const std::size_t open = at_ + 2;
  const std::size_t close = endOfBraces(open);
  if (close == npos) {
    into.add("${");
    at_ = open;
    return;
  }
  std::string_view inside = in_.substr(open, close - open);
  at_ = close + 1;
  const bool isIndirect = inside.starts_with('!');
  if (isIndirect || inside.starts_with('#')) inside.remove_prefix(1);
  std::size_t end = 0;
  while (end < inside.size() && isNameByte(inside[end])) ++end;
  if (end == 0 && !inside.empty() && (inside[0] == '@' || inside[0] == '*')) end = 1;
  const std::string_view name = inside.substr(0, end);
  std::string_view rest = inside.substr(end);
  if (isIndirect && rest.empty()) {
    Data named;
    readVariable(name, named);
    const std::string_view target = named.text;
    const std::size_t bracket = std::min(target.find('['), target.size());
    const std::string_view key = target.substr(std::min(bracket + 1, target.size()));
    if (!readElement(target.substr(0, bracket), key.substr(0, key.find(']')), into))
      readVariable(target, into);
    return;
  }
  if (rest.starts_with('[')) {
    const std::size_t bracket = std::min(rest.find(']'), rest.size() - 1);
    const std::string_view key = rest.substr(1, bracket - std::min<std::size_t>(bracket, 1));
    rest.remove_prefix(bracket + 1);
    if (key == "@" || key == "*") isArray_ = true;
    if (rest.empty() && readElement(name, key, into)) return;
  }
  const bool isKnown = reader_.variables_.contains(reader_.meantBy(name));
  if (!isKnown && rest.empty()) {
    readVariable(name, into);
    return;
  }
  Data value;
  readVariable(name, value);
  const bool isDefault = rest.starts_with(":-") || rest.starts_with(":=") ||
                         rest.starts_with("-") || rest.starts_with("=");
  if (isDefault && !isKnown) {
    rest.remove_prefix(rest.starts_with(':') ? 2 : 1);
    value = {};
    ShellProgram nested(reader_, rest, place(), false);
    if (reader_.depth_ < CommandReader::maxDepth && reader_.spend(rest.size())) {
      ++reader_.depth_;
      while (nested.at_ < rest.size() && !reader_.isExhausted()) {
        nested.readQuoted(value);
        if (nested.byte(nested.at_) == '"') ++nested.at_;
      }
      --reader_.depth_;
    }
    respelled_ = true;
  } else if (isKnown && rest.starts_with(':')) {
    std::size_t from = 0;
    std::size_t length = npos;
    rest = trimmedSpacesAndTabs(rest.substr(1));
    const char *const start = rest.data();
    const char *const stop = start + rest.size();
    auto [behind, error] = std::from_chars(start, stop, from);
    if (behind != stop && *behind == ':') std::from_chars(behind + 1, stop, length);
    value.text = from < value.text.size() ? value.text.substr(from, length) : std::string();
  } else if (isKnown && rest.starts_with('/')) {
    const bool isGlobal = rest.starts_with("//");
    rest.remove_prefix(isGlobal ? 2 : 1);
    const std::size_t middle = std::min(rest.find('/'), rest.size());
    const std::string_view with = rest.substr(std::min(rest.size(), middle + 1));
    std::string command = "s";
    command += '\x01';
    command.append(rest.substr(0, middle)) += '\x01';
    command.append(with) += '\x01';
    if (isGlobal) command += 'g';
    value.text = substituted(value.text, command);
  } else if (isKnown && rest.starts_with(',')) {
    value.text = asciiLowered(value.text);
  }
  into.add(value.text);
  into.takeOriginOf(value);
}

Data ShellProgram::readSubstitution() {
  at_ += 2;
  if (byte(at_) == '<') { // `$(<file)`
    Redirections redirections;
    readRedirection(redirections);
    readList(End::Parenthesis, {});
    return redirections.input;
  }
  const bool isRespelled = respelled_;
  Data value = readList(End::Parenthesis, {});
  respelled_ = isRespelled;
  while (!value.text.empty() && value.text.back() == '\n') value.text.pop_back();
  return value;
}

Data ShellProgram::readBackticks() {
  const std::size_t close = in_.find('`', at_ + 1);
  if (close == npos || !reader_.spend(close - at_)) {
    ++at_;
    return {};
  }
  const std::string_view inside = in_.substr(at_ + 1, close - at_ - 1);
  ShellProgram program(reader_, inside, isWhole_ ? place() + 1 : base_, isWhole_);
  at_ = close + 1;
  Data value = program.run({});
  while (!value.text.empty() && value.text.back() == '\n') value.text.pop_back();
  if (!value.text.empty()) respelled_ = true;
  return value;
}

} // namespace skillhost
