// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "filesystem/content_hash.hpp"
#include "paths/names.hpp"
#include "paths/path_pattern.hpp"

#include <skillhost/plugin.hpp>

using namespace skillhost::filesystem;
using namespace skillhost::paths;

TEST_CASE("a pattern that many folders fit in part is told in time") {
  std::string slow;
  for (int i = 0; i < 40; ++i) slow += "**/a/";
  std::string path;
  for (int i = 0; i < 200; ++i) path += "a/";
  CHECK_FALSE(PathPattern(slow + "b").applies(path + "c"));
}

TEST_CASE("patterns apply below what they match") {
  CHECK(PathPattern("a").applies("a/b/c"));
  CHECK(PathPattern("*/b").applies("a/b/c"));
  CHECK_FALSE(PathPattern("b").applies("a/b"));
  CHECK(PathPattern("a/").applies("a/b"));
  CHECK(PathPattern("a/**").applies("a"));
  CHECK_FALSE(PathPattern("a/*.md").applies("a"));
  CHECK(PathPattern("**/a").applies("x/a"));
  CHECK(PathPattern("{a,b/c}/**").applies("b/c"));
  CHECK_FALSE(PathPattern("{a,b/**}").applies("c"));
  CHECK(PathPattern("{docs,tests}").applies("tests/x.md"));
  CHECK(PathPattern("a/**").applies("a/b/c"));
  CHECK(PathPattern("a/**/**").applies("a")); // "all below" includes the folder itself
  CHECK(PathPattern("a/*/**").applies("a/x"));
  CHECK_FALSE(PathPattern("a/*/**").applies("a"));
  CHECK(PathPattern("{{x}}/**").applies("{{x}}/y")); // braces have no special meaning
}

TEST_CASE("patterns that cannot be meant are refused") {
  for (const char *pattern : {"", "/", "/a", "a//b", "../a", "a/./b", "[a", "a\\", "{a"}) {
    CAPTURE(pattern);
    CHECK_THROWS_AS(PathPattern(pattern), skh::Error);
  }
}

TEST_CASE("names that may be served") {
  CHECK(servable("a b.md"));
  CHECK(servable("\xE6\x97\xA5\xF0\x9F\x98\x80"));
  for (const char *name : {"a\\b", "a\nb", "a\x7F", "\xC2\x85", "\xC0\xAF", "\xED\xA0\x80", "\xFF",
                           "\xF4\x90\x80\x80", "\xE6\x97"}) {
    CAPTURE(printable(name));
    CHECK_FALSE(servable(name));
  }
  CHECK(printable("a\n\xFF\xC3\xA9") == "a\\x0a\\xff\xC3\xA9");
  CHECK(namesEntry("Skill.MD"));
  CHECK_FALSE(namesEntry("skill.mdx"));
}

TEST_CASE("the hash does not depend on how the bytes are cut") {
  const std::string text = "The quick brown fox jumps over the lazy dog";
  ContentHash whole;
  whole.add(text);
  const Digest digest = whole.finish();
  const std::array<char, 32> shown = hexadecimal(digest);
  CHECK(std::string(shown.data(), shown.size()) == "e34bbc7bbc071b6c7a433ca9c49a9347");
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    ContentHash parts;
    parts.add(std::string_view(text).substr(0, cut));
    parts.add(std::string_view(text).substr(cut));
    CHECK(parts.finish() == digest);
  }
}
