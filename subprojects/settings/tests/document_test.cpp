// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "settings/written.hpp"

#include <limits>

using namespace skillhost;
using namespace skillhost::settings;
using Kind = Written::Kind;

namespace {

std::string refusal(const std::string &text) {
  const Result<Written> read = readDocument(text);
  return read ? std::string{} : read.failure().message;
}

} // namespace

TEST_CASE("unquoted scalars follow the core schema of YAML 1.2") {
  for (const char *text : {"", "~", "null", "Null", "NULL"})
    CHECK(plainScalar(text).kind == Kind::Null);
  for (const char *text : {"true", "True", "TRUE"}) CHECK(plainScalar(text).boolean);
  for (const char *text : {"yes", "on", "no", "off", "y", "nULL", "1_000", "0x", "-", "+", ".",
                           "1.2.3", "inf", "nan", "+-1", "1e", "-0x1"}) {
    INFO(text);
    CHECK(plainScalar(text).kind == Kind::Text);
  }
  CHECK(plainScalar("-12").integer == -12);
  CHECK(plainScalar("+12").integer == 12);
  CHECK(plainScalar("0o17").integer == 15);
  CHECK(plainScalar("0x1F").integer == 31);
  CHECK(plainScalar("012").integer == 12);
  CHECK(plainScalar("1.5e3").number == 1500.0);
  CHECK(plainScalar("-.inf").number == -std::numeric_limits<double>::infinity());
  CHECK(plainScalar("99999999999999999999").kind == Kind::Number);
}

TEST_CASE("values know their line and column") {
  const Result<Written> read = readDocument("a: 1\nb:\n  - x\n  - c: \"2\"\n");
  REQUIRE(read);
  const Written *list = read->find("b");
  REQUIRE(list != nullptr);
  REQUIRE(list->items.size() == 2);
  CHECK(list->items[0].line == 3);
  CHECK(list->items[0].column == 5);
  const Member &quoted = list->items[1].members.at(0);
  CHECK(quoted.line == 4);
  CHECK(quoted.column == 5);
  CHECK(quoted.value.column == 8);
  CHECK(quoted.value.kind == Kind::Text);
}

TEST_CASE("JSON is read as it is, tabs and all") {
  const Result<Written> read = readDocument("{\n\t\"a\":\t[1, true, null, \"x\\ty\\u00e9\\/\"]\n}");
  REQUIRE(read);
  const Written *list = read->find("a");
  REQUIRE(list != nullptr);
  REQUIRE(list->items.size() == 4);
  CHECK(list->items[3].text == "x\ty\u00e9/");
  CHECK(list->line == 2);
}

TEST_CASE("a document that could mislead is refused, and where") {
  CHECK(refusal("a: 1\nb: 2\na: 3\n") == "3:1: duplicate key \"a\"; its first value is on line 1");
  CHECK(refusal("{\"a\": 1,\n \"a\": 2}").substr(0, 4) == "2:2:");
  CHECK(refusal("a: &x 1\nb: *x\n").substr(0, 12) == "2:4: aliases");
  CHECK(refusal("a: !!int 1\n").substr(0, 5) == "1:4: ");
  CHECK(refusal("a: 1\n---\nb: 2\n").find("second document") != std::string::npos);
  CHECK(refusal("a: [1\nb: 2\n").find(':') != std::string::npos);
  CHECK(refusal("a: b: c\n").substr(0, 2) == "1:");
  CHECK(refusal("? [1]\n: 2\n").find("plain word") != std::string::npos);
  CHECK(refusal("a: 1\nb: \xff\n") == "2:4: not UTF-8 text");
  CHECK(refusal(std::string(40, '[') + std::string(40, ']')).find("32 levels") !=
        std::string::npos);
  CHECK(refusal(std::string(100'000, '[')).size() > 5);
  CHECK(refusal(std::string(1'048'577, ' ')).find("1048576") != std::string::npos);
}

TEST_CASE("an empty document is nothing") {
  for (const char *text : {"", "\n\n", "# only a comment\n", "---\n", "---\n...\n"}) {
    const Result<Written> read = readDocument(text);
    INFO(text);
    REQUIRE(read);
    CHECK(read->kind == Kind::Null);
  }
}
