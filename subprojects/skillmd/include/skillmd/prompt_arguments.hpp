// SPDX-License-Identifier: Apache-2.0
// Fills in the arguments of a skill that a user asks for, as Claude Code does: $ARGUMENTS is all of
// them, $ARGUMENTS[0] and $0 the first word, and $NAME the word of a name that the skill declares.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

struct PromptArguments {
  std::string text;                                       // as typed
  std::vector<std::string> words;                         // words of the text without quotes
  std::vector<std::pair<std::string, std::string>> named; // every name that the skill declares
};

// Splits a line into words as a shell does: quotes and backslashes protect blanks. If a quote is
// not closed, only blanks divide the words.
std::vector<std::string> wordsOfArguments(std::string_view text);
// Joins separate arguments into a line that wordsOfArguments() splits again.
std::string textOfWords(const std::vector<std::string> &words);

// Returns the body of a prompt with the arguments in their places. A place for a missing word stays
// as it is; a declared name without a value becomes nothing. `\$1` is a literal `$1`. Inserted text
// is not searched for places. If the body has no place for the arguments, they follow at its end.
// The arguments in all their places must not exceed `most` bytes.
Result<std::string> fillArguments(std::string_view body, const PromptArguments &arguments,
                                  std::size_t most);

} // namespace skillhost
