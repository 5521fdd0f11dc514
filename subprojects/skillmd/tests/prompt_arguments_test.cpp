// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "skillmd/prompt_arguments.hpp"

#include <string>
#include <vector>

using namespace skillhost;

namespace {

PromptArguments typed(const std::string &text) { return {text, wordsOfArguments(text), {}}; }

std::string filled(const std::string &body, const PromptArguments &arguments) {
  return *fillArguments(body, arguments, 1000);
}

} // namespace

TEST_CASE("all arguments go where the prompt wants them") {
  CHECK(filled("Do $ARGUMENTS now: $ARGUMENTS.", typed("it")) == "Do it now: it.");
  CHECK(filled("Do it.", typed("now")) == "Do it.\n\nARGUMENTS: now");
  CHECK(filled("Do it.", {}) == "Do it.");
  CHECK(filled("Do $ARGUMENTS.", {}) == "Do .");
  CHECK(filled("$ARGUMENTS", typed("$ARGUMENTS $0")) == "$ARGUMENTS $0");
}

TEST_CASE("single arguments are counted from 0") {
  CHECK(filled("From $0 to $1.", typed("\"Berlin Mitte\" Rome")) == "From Berlin Mitte to Rome.");
  CHECK(filled("Issue $ARGUMENTS[0] of $ARGUMENTS[1].", typed("7 main")) == "Issue 7 of main.");
  CHECK(filled("$ARGUMENTS: $0", typed("'a b' c")) == "'a b' c: a b");
  // An argument that the body leaves out is not lost.
  CHECK(filled("awk {print $1} x", typed("alpha beta gamma")) ==
        "awk {print beta} x\n\nARGUMENTS: alpha beta gamma");
  // A place without an argument stays as it is, and takes no other arguments.
  CHECK(filled("Only $1.", typed("one")) == "Only $1.\n\nARGUMENTS: one");
  CHECK(filled("$0 and $2", typed("one")) == "one and $2");
  CHECK(filled("$ARGUMENTS[9]", typed("one")) == "$ARGUMENTS[9]\n\nARGUMENTS: one");
  CHECK(filled("$ARGUMENTS[x]", typed("one")) == "one[x]");
  // Neither a number within a word nor one with many digits is a place.
  CHECK(filled("$0x and $99999999999999999999", typed("a b")) ==
        "$0x and $99999999999999999999\n\nARGUMENTS: a b");
}

TEST_CASE("a backslash keeps a place as it is written") {
  CHECK(filled(R"(\$0 costs $0)", typed("it")) == "$0 costs it");
  CHECK(filled(R"(\$ARGUMENTS: $ARGUMENTS)", typed("it")) == "$ARGUMENTS: it");
  CHECK(filled(R"(\\$0)", typed("it")) == R"(\\it)");
  CHECK(filled(R"(\$HOME $0)", typed("it")) == R"(\$HOME it)");
}

TEST_CASE("declared names are places too") {
  const PromptArguments both{"7 main", {"7", "main"}, {{"issue", "7"}, {"branch", "main"}}};
  CHECK(filled("Fix $issue on $branch.", both) == "Fix 7 on main.");
  CHECK(filled("$issues $issue[0] $issue_x", both) ==
        "$issues $issue[0] $issue_x\n\nARGUMENTS: 7 main");
  CHECK(filled("Fix $issue on $branch.", {"7", {"7"}, {{"issue", "7"}, {"branch", ""}}}) ==
        "Fix 7 on .");
}

TEST_CASE("arguments are divided as by a shell") {
  using Words = std::vector<std::string>;
  CHECK(wordsOfArguments("  a  b\tc\n") == Words{"a", "b", "c"});
  CHECK(wordsOfArguments(R"("a b" 'c "d"' e\ f)") == Words{"a b", "c \"d\"", "e f"});
  CHECK(wordsOfArguments("it's late") == Words{"it's", "late"});
  CHECK(wordsOfArguments("''") == Words{""});
  CHECK(wordsOfArguments("").empty());
  CHECK(wordsOfArguments({"a\0b", 3}) == Words{std::string("a\0b", 3)});
  for (const Words &words : {Words{"a b", ""}, Words{R"(q"u\o)", "te'"}, Words{"plain"},
                             Words{std::string("=\"\0\"", 4), std::string("\0", 1)}})
    CHECK(wordsOfArguments(textOfWords(words)) == words);
}

TEST_CASE("arguments repeated in many places are not written in any") {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "$ARGUMENTS";
  CHECK(fillArguments(many, typed("ab"), 20'000));
  CHECK(fillArguments(many, typed("ab"), 19'999).failure().message ==
        "2 bytes of arguments in 10000 places of the skill are more than 19999 bytes");
  CHECK_FALSE(fillArguments("Do it.", typed(std::string(1001, 'x')), 1000));
}
