// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/shown.hpp"

#include <array>
#include <memory>

using namespace skillhost;

TEST_CASE("nothing of others speaks to a terminal") {
  CHECK(shownText("plain, \xC3\xBC \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "plain, \xC3\xBC \xE2\x82\xAC \xF0\x9F\x98\x80");
  CHECK(shownText("a\n\tb") == "a\n\tb");
  CHECK(shownText("\x1b]0;x\x07\x7f\r") == "\\x1b]0;x\\x07\\x7f\\x0d");
  CHECK(shownText(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(shownText("\xC2\x9B"
                  "2J") == "\\u009b2J"); // C1 as UTF-8
  CHECK(shownText("\x9B"
                  "2J") == "\\x9b2J"); // C1 as a byte
  CHECK(shownText("\xE2\x80\xAE"
                  "gpj") == "\\u202egpj"); // right to left
  CHECK(shownText("\xE2\x81\xA6\xD8\x9C\xE2\x80\xA8") == "\\u2066\\u061c\\u2028");
  CHECK(shownText("\xE2\x80") == "\\xe2\\x80"); // cut
  CHECK(shownText("\xED\xA0\x80") == "\\xed\\xa0\\x80");
}

TEST_CASE("one line is one line") {
  CHECK(shownLine("a\r\nskillhost: all is well\t!") == "a  skillhost: all is well !");
  CHECK(shownLine("\x1b[2J") == "\\x1b[2J");
}

TEST_CASE("what is printed is shown so, arguments and all") {
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::tmpfile(), &std::fclose);
  REQUIRE(file);
  printShown(file.get(), "%-4s|%d\n", "\x1b[m", 7);
  std::rewind(file.get());
  std::array<char, 64> read{};
  const std::size_t length = std::fread(read.data(), 1, read.size(), file.get());
  CHECK(std::string(read.data(), length) == "\\x1b[m |7\n");
}

TEST_CASE("JSON on a terminal says the same to a program, and nothing to the terminal") {
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::tmpfile(), &std::fclose);
  REQUIRE(file);
  printJsonText(file.get(), "{\n  \"a\": \"\xC2\x9B"
                            "31m \x7f \xE2\x80\xAE \xC3\xBC \xff\"\n}");
  std::rewind(file.get());
  std::array<char, 128> read{};
  const std::size_t length = std::fread(read.data(), 1, read.size(), file.get());
  CHECK(std::string(read.data(), length) ==
        "{\n  \"a\": \"\\u009b31m \\u007f \\u202e \xC3\xBC \\ufffd\"\n}\n");
}
