// SPDX-License-Identifier: Apache-2.0
#include "base/repository_page.hpp"
#include "catch2.hpp"

#include <string>

using namespace skillhost;

namespace {

std::string read(const char *address) {
  const RepositoryPage page = repositoryPage(address);
  return page.url + '|' + page.ref + '|' + page.folder + (page.mayRefContinue ? "?" : "") +
         (page.problem.empty() ? "" : "!");
}

} // namespace

TEST_CASE("the page of a folder, a file or a commit names the repository and what is shown of it") {
  CHECK(read("https://github.com/a/b/tree/main/x?tab=readme#usage") ==
        "https://github.com/a/b|main|x?");
  CHECK(read("https://github.com/a/b/blob/main/x/SKILL.md") == "https://github.com/a/b|main|x?");
  CHECK(read("https://github.com/a/b/commit/0123456") == "https://github.com/a/b|0123456|");
  CHECK(read("https://gitlab.com/g/s/b/-/tree/main/x?ref_type=heads") ==
        "https://gitlab.com/g/s/b|refs/heads/main|x?");
  CHECK(read("https://codeberg.org/a/b/src/tag/v1/x") ==
        "https://codeberg.org/a/b|refs/tags/v1|x?");
}

TEST_CASE("any other address is the repository itself") {
  CHECK(read("https://git.example.org/a/b.git") == "https://git.example.org/a/b.git||");
  CHECK(read("https://example.org/skills/?x=1") == "https://example.org/skills||!");
  CHECK(read("git@github.com:a/b") == "git@github.com:a/b||");
}

TEST_CASE("a page that may mean something else says what to write") {
  CHECK(read("https://github.com/a/b/pull/3") == "https://github.com/a/b||!");
  CHECK(repositoryPage("https://github.com/orgs/a").problem.find("an organisation") !=
        std::string::npos);
}

TEST_CASE("hosts that have nothing but repositories are known") {
  CHECK(isKnownGitHost("github.com"));
  CHECK(isKnownGitHost("house.ghe.com"));
  CHECK_FALSE(isKnownGitHost("git.example.org"));
}
