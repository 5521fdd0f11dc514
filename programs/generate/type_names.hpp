// SPDX-License-Identifier: Apache-2.0
// Names and literals of TypeScript.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace skillhost {

// Names of types, each given once.
class TypeNames {
public:
  // In PascalCase, `suffix` behind it, and a number when that is taken.
  std::string take(std::string_view wanted, std::string_view suffix = {});

private:
  std::set<std::string> taken_;
};

// "create-issue" becomes CreateIssue; "Type" when nothing of it can stand in a name.
std::string pascalCase(std::string_view words);
// A member's name: in quotes unless it is an identifier.
std::string memberName(std::string_view name);
// A text in quotes, with escapes for what a reader does not see.
std::string textLiteral(std::string_view text);
// A comment for what follows, with `indent` before each line and a line feed behind the last;
// empty when there is nothing to say.
std::string docComment(std::string_view words, const std::string &indent);

} // namespace skillhost
