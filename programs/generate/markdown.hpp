// SPDX-License-Identifier: Apache-2.0
// Writes a stranger's words into a Markdown document, so that they cannot break out of their place
// or act as markup: no HTML, no image that is fetched, no !`command` that a reader would run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// Returns lines that begin with "> ", with at most `maxBytes` bytes of the words. Ends with a line
// feed.
std::string quotedMarkdown(std::string_view words, std::size_t maxBytes);
// Returns the words as a part of a line.
std::string inlineMarkdown(std::string_view words, std::size_t maxBytes);
// Returns the words in quotation marks, without any inside.
std::string quotedWords(std::string_view words, std::size_t maxBytes);
// Returns a name as code, whatever it contains.
std::string codeSpan(std::string_view name);
// Returns JSON text (valid UTF-8) as a block of code that is still the same JSON.
std::string jsonBlock(std::string_view json);
// Returns a text in quotes for YAML front matter, in JSON's form.
std::string quotedScalar(std::string_view words);

} // namespace skillhost
