// SPDX-License-Identifier: Apache-2.0
#include "skillmd/prompt_arguments.hpp"

#include "ground/counted.hpp"
#include "skillmd/characters.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace skillhost {
namespace {

constexpr std::string_view allArguments = "$ARGUMENTS";

bool continuesName(char c) noexcept { return letter(c) || digit(c) || c == '_'; }

constexpr std::size_t everyWord = static_cast<std::size_t>(-1);

// A place in a body and the text for it; without a value, the place stays as it is.
struct ArgumentPlace {
  std::size_t length = 0; // 0: no place
  std::optional<std::string_view> value;
  std::size_t word = everyWord; // the word that fills it
};

// Returns the place of `length` bytes for the word with this number.
ArgumentPlace placeOfWord(const PromptArguments &arguments, std::size_t length,
                          std::string_view number) {
  std::size_t at = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), at);
  if (read.ec != std::errc{} || at >= arguments.words.size()) return {length, std::nullopt};
  return {length, arguments.words[at], at};
}

std::string_view digitsOf(std::string_view text) noexcept {
  std::size_t end = 0;
  while (end < text.size() && digit(text[end])) ++end;
  return text.substr(0, end);
}

// Returns the place at the start of `rest`, which begins with a dollar sign.
ArgumentPlace placeAt(std::string_view rest, const PromptArguments &arguments) {
  if (rest.starts_with(allArguments)) {
    const std::string_view behind = rest.substr(allArguments.size());
    const std::string_view number = behind.starts_with('[') ? digitsOf(behind.substr(1)) : "";
    if (!number.empty() && behind.substr(number.size() + 1).starts_with(']'))
      return placeOfWord(arguments, allArguments.size() + number.size() + 2, number);
    return {allArguments.size(), arguments.text};
  }
  const auto ends = [&](std::size_t at) { return at == rest.size() || !continuesName(rest[at]); };
  const std::string_view number = digitsOf(rest.substr(1));
  if (!number.empty() && ends(number.size() + 1))
    return placeOfWord(arguments, number.size() + 1, number);
  std::size_t word = 0; // names stand for the words in order
  for (const auto &[name, value] : arguments.named) {
    if (const std::size_t end = name.size() + 1;
        rest.substr(1).starts_with(name) && ends(end) && !rest.substr(end).starts_with('['))
      return {end, value, word};
    ++word;
  }
  return {};
}

// Calls `take` for each piece of the result: a part of the body with a null pointer, or the text
// that fills a place.
template <class Take>
void eachPiece(std::string_view body, const PromptArguments &arguments, Take &&take) {
  std::size_t copied = 0;
  for (std::size_t at = body.find('$'); at != npos; at = body.find('$', at)) {
    const ArgumentPlace place = placeAt(body.substr(at), arguments);
    const bool escaped =
        at > copied && body[at - 1] == '\\' && (at <= copied + 1 || body[at - 2] != '\\');
    if (place.length == 0 || (!place.value && !escaped)) {
      ++at;
      continue;
    }
    take(body.substr(copied, at - copied - (escaped ? 1 : 0)), nullptr);
    take(escaped ? body.substr(at, place.length) : *place.value, escaped ? nullptr : &place);
    at += place.length;
    copied = at;
  }
  take(body.substr(copied), nullptr);
}

bool isBlank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns nothing if a quote is not closed.
std::optional<std::vector<std::string>> shellWords(std::string_view text) {
  std::vector<std::string> words;
  std::optional<char> quote; // the open quote
  bool within = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quote && isBlank(c)) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (quote == c) {
      quote.reset();
    } else if (!quote && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size() &&
               (!quote || text[i + 1] == '"' || text[i + 1] == '\\')) {
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote) return std::nullopt;
  return words;
}

} // namespace

std::vector<std::string> wordsOfArguments(std::string_view text) {
  if (auto words = shellWords(text)) return *std::move(words);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !isBlank(text[end])) ++end;
    if (end != at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string textOfWords(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) {
    if (!text.empty()) text += ' ';
    const bool plain = !word.empty() && word.find_first_of(" \t\r\n\"'\\") == npos;
    if (plain) {
      text += word;
      continue;
    }
    text += '"';
    for (const char c : word) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

Result<std::string> fillArguments(std::string_view body, const PromptArguments &arguments,
                                  std::size_t most) {
  std::size_t places = 0, bytes = 0, size = 0;
  std::vector<bool> used(arguments.words.size(), false);
  eachPiece(body, arguments, [&](std::string_view piece, const ArgumentPlace *filled) {
    size += piece.size();
    if (filled == nullptr) return;
    ++places;
    bytes += piece.size();
    if (filled->word == everyWord)
      used.assign(used.size(), true);
    else if (filled->word < used.size())
      used[filled->word] = true;
  });
  // No argument is lost: if the body leaves one out, all arguments follow at its end.
  const bool atEnd = !arguments.text.empty() &&
                     (places == 0 || std::find(used.begin(), used.end(), false) != used.end());
  if (atEnd) {
    bytes += arguments.text.size();
    ++places;
  }
  if (bytes > most)
    return {Fault::InvalidParams, std::to_string(arguments.text.size()) +
                                      " bytes of arguments in " + counted(places, "place") +
                                      " of the skill are more than " + std::to_string(most) +
                                      " bytes"};
  std::string out;
  out.reserve(size);
  eachPiece(body, arguments, [&](std::string_view piece, const ArgumentPlace *) { out += piece; });
  if (atEnd) (out += "\n\nARGUMENTS: ") += arguments.text;
  return out;
}

} // namespace skillhost
