// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "filesystem/content_hash.hpp"
#include "paths/glob.hpp"
#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

using namespace skillhost::filesystem;
using namespace skillhost::paths;

TEST_CASE("patterns match whole paths") {
  CHECK(Glob("a/b").matches("a/b"));
  CHECK_FALSE(Glob("a/b").matches("a/b/c"));
  CHECK(Glob("*").matches("abc"));
  CHECK_FALSE(Glob("*").matches("a/b"));
  CHECK(Glob("a*c*e").matches("abcde"));
  CHECK_FALSE(Glob("a*c*f").matches("abcde"));
  CHECK(Glob("?").matches("\xC3\xA9"));
  CHECK_FALSE(Glob("?").matches("ab"));
  CHECK(Glob("[a-c]x").matches("bx"));
  CHECK_FALSE(Glob("[!a-c]x").matches("bx"));
  CHECK(Glob("[]a]").matches("]"));
  CHECK(Glob("[a-]").matches("-"));
  CHECK(Glob("[\xC3\xA0-\xC3\xBF]").matches("\xC3\xA9"));
  CHECK(Glob("\\*").matches("*"));
  CHECK_FALSE(Glob("\\*").matches("a"));
  CHECK_FALSE(Glob("A").matches("a"));
}

TEST_CASE("two stars are any number of folders") {
  CHECK(Glob("**/SKILL.md").matches("SKILL.md"));
  CHECK(Glob("**/SKILL.md").matches("a/b/SKILL.md"));
  CHECK(Glob("a/**/b").matches("a/b"));
  CHECK(Glob("a/**/b").matches("a/x/y/b"));
  CHECK(Glob("a/**/b/**/c").matches("a/b/x/b/y/c"));
  CHECK_FALSE(Glob("a/**/b").matches("a/x/c"));
  CHECK(Glob("**").matches("a/b/c"));
  std::string slow;
  for (int i = 0; i < 40; ++i) slow += "**/a/";
  std::string path;
  for (int i = 0; i < 200; ++i) path += "a/";
  CHECK_FALSE(Glob(slow + "b").matches(path + "c"));
}

TEST_CASE("patterns apply below what they match") {
  CHECK(Glob("a").applies("a/b/c"));
  CHECK(Glob("*/b").applies("a/b/c"));
  CHECK_FALSE(Glob("b").applies("a/b"));
  CHECK(Glob("a/").applies("a/b"));
  CHECK(Glob("a/**").covers("a"));
  CHECK_FALSE(Glob("a/*.md").covers("a"));
  CHECK(Glob("**/a").covers("x/a"));
}

TEST_CASE("patterns that cannot be meant are refused") {
  for (const char *pattern : {"", "/", "/a", "a//b", "../a", "a/./b", "[a", "a\\"}) {
    CAPTURE(pattern);
    CHECK_THROWS_AS(Glob(pattern), skh::Error);
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
