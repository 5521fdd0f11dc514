// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillmd/naming.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("a URI ends in the skill's name and never says the folder twice") {
  CHECK(skillUri("src", "pdf", "pdf") == "skill://src/pdf");
  CHECK(skillUri("src", "team/my-pdf", "pdf") == "skill://src/team/my-pdf/pdf");
  CHECK(skillUri("src", "a b/c", "c") == "skill://src/a%20b/c");
}

TEST_CASE("a name that is no segment of a path is left out of the URI") {
  // Clients resolve `..` before they ask, and then ask for another skill's file.
  CHECK(skillUri("src", "dots", "..") == "skill://src/dots");
  CHECK(skillUri("src", "a/dot", ".") == "skill://src/a/dot");
  CHECK(skillUri("src", "slash", "../../other/b") == "skill://src/slash");
  CHECK(skillUri("src", "dots", "...") == "skill://src/dots/...");
}

TEST_CASE("what is encoded is decoded to the same, and malformed escapes are refused") {
  const std::string path = "a b/100%/\xC3\xA9#?.md";
  CHECK(decodePath(encodePath(path)) == path);
  CHECK_FALSE(decodePath("a%2"));
  CHECK_FALSE(decodePath("a%zz"));
  CHECK_FALSE(decodePath("a%00b"));
  CHECK(decodePath(std::string(maxUriBytes, 'a')));
  CHECK_FALSE(decodePath(std::string(maxUriBytes + 1, 'a')));
}
