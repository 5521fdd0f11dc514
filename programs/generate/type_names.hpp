// SPDX-License-Identifier: Apache-2.0
// Makes names and literals of TypeScript.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace skillhost {

// Hands out names of types, each only once.
class TypeNames {
public:
  // Returns a name in PascalCase with `suffix`, and with a number if it is taken.
  std::string take(std::string_view wanted, std::string_view suffix = {});

private:
  std::set<std::string> taken_;
};

// Returns CreateIssue for "create-issue", and "Type" if no character fits into a name.
std::string pascalCase(std::string_view words);
// Returns a member's name, in quotes unless it is an identifier.
std::string memberName(std::string_view name);
// Returns a text in quotes, with escapes for invisible characters.
std::string textLiteral(std::string_view text);
// Returns a comment for the next declaration, with `indent` before each line and a line feed at the
// end; empty if there are no words.
std::string docComment(std::string_view words, const std::string &indent);

} // namespace skillhost
