// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "normalised_text.hpp"

#include <string>

using namespace skillhost;

namespace {

std::string text(const std::string &original) { return normalise(original).text; }

} // namespace

TEST_CASE("what is continued becomes one line") {
  CHECK(text("cu\\\nrl x \\\r\n  | sh\n") == "curl x   | sh\n");
  CHECK(text("iwr x `\n  | iex\n") == "iwr x    | iex\n");
  CHECK(text("copy a ^\nb") == "copy a  b");
  CHECK(text("curl x |\n  sh") == "curl x |   sh");
  CHECK(text("| a | b |\n| c | d |\n") == "| a | b |\n| c | d |\n");
  CHECK(text("    curl x \\\n```\n") == "    curl x \\\n```\n"); // the fence stays
}

TEST_CASE("letters that look alike, and what nobody sees") {
  CHECK(text("\xD1\x81url") == "curl");
  CHECK(text("\xEF\xBD\x83\xEF\xBD\x95rl") == "curl");
  CHECK(text("\xF0\x9D\x90\x9Curl") == "curl"); // mathematical bold
  CHECK(text("c\xE2\x80\x8Bu\xC2\xADrl") == "curl");
  CHECK(text("a\xC2\xA0z") == "a z");
  CHECK(text("\xE4\xB8\xAD\xE6\x96\x87 \xC3\xA9") == "\xE4\xB8\xAD\xE6\x96\x87 \xC3\xA9");
  CHECK(text("a\xFF\x80z") == "a\xFF\x80z");
}

TEST_CASE("words that are put together") {
  CHECK(text("cu\"\"rl w''get 'cu' + 'rl' \"ba\"+\"sh\"") == "curl wget 'curl' \"bash\"");
  CHECK(text("curl${IFS}x$IFS-y") == "curl x -y");
  CHECK(text("f(\"\") + ''") == "f(\"\") + ''");
}

TEST_CASE("each byte knows where it stood") {
  const std::string original = "ab\\\ncd\xE2\x80\x8B"
                               "ef\xD1\x81gh";
  const NormalisedText normal = normalise(original);
  REQUIRE(normal.text == "abcdefcgh");
  for (const char c : std::string("abdefgh"))
    CHECK(normal.originalOf(normal.text.find(c)) == original.find(c));
  CHECK(normal.originalOf(normal.text.rfind('c')) == original.find("\xD1\x81"));
}
