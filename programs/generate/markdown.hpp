// SPDX-License-Identifier: Apache-2.0
// A stranger's words in a Markdown document, so that they neither end where they stand nor become
// markup that acts: no HTML, no image that is fetched, no !`command` that a reader would run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// Lines that begin with "> ", at most `most` bytes of the words; ends with a line feed.
std::string quotedMarkdown(std::string_view words, std::size_t most);
// A part of a line.
std::string inlineMarkdown(std::string_view words, std::size_t most);
// The same in quotation marks, of which it has none inside.
std::string quotedWords(std::string_view words, std::size_t most);
// A name as code, whatever it holds.
std::string codeSpan(std::string_view name);
// JSON text (of valid UTF-8) as a block of code; it is still the same JSON.
std::string jsonBlock(std::string_view json);
// A text in quotes for YAML's front matter, which is JSON's form as well.
std::string quotedScalar(std::string_view words);

} // namespace skillhost
