// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/glob.hpp"

#include <chrono>
#include <string>

using namespace skillhost;

namespace {

bool matches(const std::string &pattern, const std::string &path) {
  const Result<Glob> glob = Glob::compile(pattern);
  INFO(pattern);
  REQUIRE(glob);
  return glob->matches(path);
}

} // namespace

TEST_CASE("an exact path matches itself alone") {
  CHECK(matches("references/api.md", "references/api.md"));
  CHECK_FALSE(matches("references/api.md", "references/api_md"));
  CHECK_FALSE(matches("api.md", "references/api.md"));
  CHECK(matches("app/[id]/page.tsx", "app/[id]/page.tsx"));
  CHECK(matches("a{b}.md", "a{b}.md"));
  CHECK_FALSE(matches("a", ""));
}

TEST_CASE("a star stays within a segment") {
  CHECK(matches("*.md", "a.md"));
  CHECK(matches("*.md", ".md"));
  CHECK_FALSE(matches("*.md", "a/b.md"));
  CHECK(matches("*", "a"));
  CHECK_FALSE(matches("*", "a/b"));
  CHECK(matches("a/*/c", "a/b/c"));
  CHECK_FALSE(matches("a/*/c", "a/c"));
  CHECK(matches("a*b*c", "axxbxxc"));
  CHECK_FALSE(matches("a*b*c", "axxcxxb"));
  CHECK(matches("a**b", "axb"));
  CHECK_FALSE(matches("a**b", "a/b"));
}

TEST_CASE("two stars are any number of segments") {
  CHECK(matches("**", "a"));
  CHECK(matches("**", "a/b/c"));
  CHECK(matches("**/*.md", "a.md"));
  CHECK(matches("**/*.md", "a/b/c.md"));
  CHECK_FALSE(matches("**/a.md", "ba.md"));
  CHECK(matches("a/**", "a/b"));
  CHECK(matches("a/**", "a/b/c"));
  CHECK_FALSE(matches("a/**", "ab"));
  CHECK_FALSE(matches("a/**", "a"));
  CHECK(matches("a/**/**/**/b", "a/b"));
  CHECK(matches("a/**/**/**/b", "a/x/y/b"));
  CHECK_FALSE(matches("a/**/**/**/b", "a/xb"));
  CHECK(matches("a/**/b", "a/b"));
  CHECK(matches("a/**/b", "a/x/y/b"));
  CHECK_FALSE(matches("a/**/b", "a/xb"));
}

TEST_CASE("question marks and classes are one character") {
  CHECK(matches("?.md", "a.md"));
  CHECK(matches("?.md", "\xC3\xA9.md"));
  CHECK_FALSE(matches("?", "/"));
  CHECK_FALSE(matches("?", ""));
  CHECK(matches("[a-c]", "b"));
  CHECK_FALSE(matches("[a-c]", "d"));
  CHECK(matches("[!a-c]", "d"));
  CHECK_FALSE(matches("[!a-c]", "b"));
  CHECK_FALSE(matches("a[!b]c", "a/c"));
  CHECK(matches("[]]", "]"));
  CHECK(matches("[a-]", "-"));
  CHECK(matches("[\xC3\xA0-\xC3\xBF]", "\xC3\xA9"));
  CHECK(matches("\\*", "*"));
  CHECK_FALSE(matches("\\*", "a"));
  CHECK(matches("[\\]]", "]"));
}

TEST_CASE("braces are alternatives, one inside another too") {
  CHECK(matches("*.{md,txt}", "a.md"));
  CHECK(matches("*.{md,txt}", "a.txt"));
  CHECK_FALSE(matches("*.{md,txt}", "a.mdtxt"));
  CHECK(matches("{a,b{c,d}}/x", "bd/x"));
  CHECK(matches("{a,}b", "b"));
  CHECK(matches("{references/**,*.md}", "references/a/b"));
  CHECK(matches("{references/**,*.md}", "a.md"));
  CHECK(matches("{**/a,b}", "x/a"));
  CHECK(matches("a,b}", "a,b}"));
}

TEST_CASE("what cannot be a pattern is refused in words") {
  for (const std::string &pattern :
       {std::string(), std::string(1001, 'a'), std::string("a["), std::string("{a"),
        std::string("a\\"), std::string("\xFF"), std::string("a\0b", 3)}) {
    const Result<Glob> glob = Glob::compile(pattern);
    REQUIRE_FALSE(glob);
    CHECK(glob.failure().fault == Fault::InvalidInput);
    CHECK(glob.failure().message.find("pattern") != std::string::npos);
  }
  CHECK(matches(std::string(1000, 'a'), std::string(1000, 'a')));
}

TEST_CASE("no pattern takes exponential time") {
  std::string stars;
  std::string braces;
  for (int i = 0; i < 200; ++i) stars += "a*";
  for (int i = 0; i < 150; ++i) braces += "{a,aa}";
  const std::string path(2000, 'a');
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(matches(stars + "b", path));
  CHECK_FALSE(matches(braces + "b", path));
  CHECK(matches(braces, std::string(200, 'a')));
  CHECK_FALSE(matches(std::string(499, '{') + "a" + std::string(499, '}') + "b", path));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("a budget of steps ends what takes too many") {
  const Result<Glob> glob = Glob::compile("{*,?}{*,?}{*,?}{*,?}{*,?}{*,?}b");
  REQUIRE(glob);
  const std::string path = std::string(100, 'a') + "b";
  std::size_t left = 1'000'000;
  CHECK(glob->matches(path, left));
  CHECK(left > 0);
  CHECK(left < 1'000'000);
  left = 100;
  CHECK_FALSE(glob->matches(path, left));
  CHECK(left == 0);
}

TEST_CASE("an escape counts in a range, and parts no alternatives") {
  CHECK(matches("[a-\\z]", "m"));
  CHECK(matches("[A-\\]]", "B"));
  CHECK_FALSE(matches("[A-\\]]", "a"));
  CHECK_FALSE(matches("{a\\,**}", "a,x/y"));
  CHECK(matches("{a\\,**}", "a,xy"));
  CHECK(matches("{a,**}", "x/y"));
}

TEST_CASE("a folder above a path is matched on the way") {
  const auto above = [](const std::string &pattern, const std::string &path) {
    const Result<Glob> glob = Glob::compile(pattern);
    REQUIRE(glob);
    return glob->matchesOrAbove(path);
  };
  CHECK(above("a", "a"));
  CHECK(above("a", "a/b/c"));
  CHECK(above("*/b", "a/b/c"));
  CHECK(above("**/b", "x/y/b/c"));
  CHECK(above("[ab]", "[ab]/c")); // matches by its exact spelling
  CHECK_FALSE(above("a", "ab"));
  CHECK_FALSE(above("b", "a/b"));
  CHECK_FALSE(above("a/b", "a"));
}
