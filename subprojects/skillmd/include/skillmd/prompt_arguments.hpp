// SPDX-License-Identifier: Apache-2.0
// Arguments of a skill that a user asks for, as Claude Code fills them in: $ARGUMENTS is all of
// them, $ARGUMENTS[0] and $0 the first word, $NAME the word of a name that the skill declares.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

struct PromptArguments {
  std::string text;               // as it was typed
  std::vector<std::string> words; // of the text, without the quotes around them
  std::vector<std::pair<std::string, std::string>> named; // every name that the skill declares
};

// The words of a line as a shell would split it: quotes and backslashes hold blanks together. If a
// quote is not closed, blanks alone divide the words.
std::vector<std::string> wordsOfArguments(std::string_view text);
// The inverse, for arguments that come one by one.
std::string textOfWords(const std::vector<std::string> &words);

// The body of a prompt with the arguments in their places. A place whose word was not given stays
// as it is; a declared name without a value becomes nothing. `\$1` is a literal `$1`. What is
// filled in is not looked into. If the body has no place for the arguments, they follow at its end.
// The arguments in all their places must not exceed `most` bytes.
Result<std::string> fillArguments(std::string_view body, const PromptArguments &arguments,
                                  std::size_t most);

} // namespace skillhost
