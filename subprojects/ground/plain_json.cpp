// SPDX-License-Identifier: Apache-2.0
#include "plain_json.hpp"

#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxDepth = 32; // limit, because the reader recurses
constexpr std::size_t maxMembers = 32;
constexpr std::size_t usualMembers = 4; // most objects are small: one allocation instead of three

// Bytes that are literal within a string, whether or not they are valid UTF-8.
constexpr std::array<bool, 256> literalTable() {
  std::array<bool, 256> literal{};
  for (unsigned c = 0x20; c < 256; ++c) literal[c] = c != '"' && c != '\\';
  return literal;
}
constexpr std::array<bool, 256> isLiteral = literalTable();

bool isDigit(char c) noexcept { return c >= '0' && c <= '9'; }

// Returns the value of a hexadecimal digit, or 16.
unsigned hexValue(char c) noexcept {
  if (isDigit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

class PlainReader {
public:
  PlainReader(std::string_view text, JsonLimits limits)
      : at_(text.data()), end_(text.data() + text.size()), limits_(limits) {
    limits_.depth = std::min(limits_.depth, maxDepth);
  }

  bool readAll(Json &into) {
    if (!readValue(into, 0)) return false;
    skipSpace();
    return at_ == end_;
  }

private:
  void skipSpace() noexcept {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  bool take(char c) noexcept {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool takeWord(std::string_view word) noexcept {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }

  bool readValue(Json &into, std::size_t depth) {
    skipSpace();
    if (at_ == end_ || values_++ >= limits_.values) return false;
    switch (*at_) {
    case '"': {
      std::string room;
      const std::optional<std::string_view> text = readString(room);
      if (!text) return false;
      into = *text;
      return true;
    }
    case '{':
      return depth < limits_.depth && readObject(into, depth + 1);
    case '[':
      return depth < limits_.depth && readArray(into, depth + 1);
    case 't':
      into = true;
      return takeWord("true");
    case 'f':
      into = false;
      return takeWord("false");
    case 'n':
      into = nullptr;
      return takeWord("null");
    default:
      return readInteger(into);
    }
  }

  bool readObject(Json &into, std::size_t depth) {
    into = Json::value_t::object;
    auto &members = into.get_ref<Json::object_t &>();
    ++at_;
    skipSpace();
    if (take('}')) return true;
    members.reserve(usualMembers);
    for (;;) {
      skipSpace();
      if (at_ == end_ || *at_ != '"') return false;
      std::string room;
      const std::optional<std::string_view> name = readString(room);
      if (!name) return false;
      skipSpace();
      if (!take(':') || members.size() == maxMembers) return false;
      for (const auto &member : members)
        if (member.first == *name) return false;
      if (members.size() == members.capacity()) grow(members);
      members.emplace_back(*name, nullptr);
      if (!readValue(members.back().second, depth)) return false;
      skipSpace();
      if (take('}')) return true;
      if (!take(',')) return false;
    }
  }

  bool readArray(Json &into, std::size_t depth) {
    into = Json::value_t::array;
    auto &items = into.get_ref<Json::array_t &>();
    ++at_;
    skipSpace();
    if (take(']')) return true;
    for (;;) {
      if (!readValue(items.emplace_back(), depth)) return false;
      skipSpace();
      if (take(']')) return true;
      if (!take(',')) return false;
    }
  }

  // The names in the library's map are constant, so its own growth would copy each member with
  // everything below it.
  static void grow(Json::object_t &members) {
    Json::object_t larger;
    larger.reserve(2 * members.size());
    for (auto &member : members)
      larger.emplace_back(member.first, nullptr).second = std::move(member.second);
    members.swap(larger);
  }

  // Returns the string without its quotes: a part of the whole text, or of `room` if it has
  // escapes. Returns nothing if this reader does not accept it.
  std::optional<std::string_view> readString(std::string &room) {
    const char *begin = ++at_;
    unsigned char all = 0;
    for (;;) {
      while (at_ != end_ && isLiteral[static_cast<unsigned char>(*at_)])
        all |= static_cast<unsigned char>(*at_++);
      if (at_ == end_) return std::nullopt;
      if (*at_ == '"') break;
      room.append(begin, at_);
      if (*at_ != '\\' || !readEscape(room)) return std::nullopt;
      begin = at_;
    }
    std::string_view text(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    if (!room.empty()) text = room.append(text);
    constexpr unsigned char firstNotAscii = 0x80;
    if (all >= firstNotAscii && !isUtf8(text)) return std::nullopt;
    return text;
  }

  bool readEscape(std::string &out) {
    if (end_ - ++at_ < 1) return false;
    switch (const char c = *at_++) {
    case '"':
    case '\\':
    case '/':
      out += c;
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'u':
      return readPoint(out);
    default:
      return false;
    }
  }

  bool readPoint(std::string &out) {
    constexpr int digits = 4;
    if (end_ - at_ < digits) return false;
    char32_t point = 0;
    for (int i = 0; i < digits; ++i) {
      const unsigned value = hexValue(*at_++);
      if (value == 16) return false;
      point = point * 16 + value;
    }
    if (point >= 0xD800 && point <= 0xDFFF) return false; // a surrogate
    appendUtf8(out, point);
    return true;
  }

  bool readInteger(Json &into) {
    const bool isNegative = take('-');
    const char *const begin = at_;
    std::uint64_t number = 0;
    constexpr int maxDigits = std::numeric_limits<std::int64_t>::digits10;
    while (at_ != end_ && isDigit(*at_) && at_ - begin < maxDigits)
      number = number * 10 + static_cast<std::uint64_t>(*at_++ - '0');
    if (at_ == begin || (*begin == '0' && (at_ - begin > 1 || isNegative))) return false;
    if (at_ != end_ && (isDigit(*at_) || *at_ == '.' || *at_ == 'e' || *at_ == 'E')) return false;
    if (isNegative)
      into = -static_cast<std::int64_t>(number);
    else
      into = number;
    return true;
  }

  const char *at_;
  const char *const end_;
  JsonLimits limits_;
  std::size_t values_ = 0;
};

} // namespace

bool readPlainJson(std::string_view text, JsonLimits limits, Json &into) {
  return PlainReader(text, limits).readAll(into);
}

} // namespace skillhost
