// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "commands/own_sources/origin.hpp"
#include "made_up.hpp"

#include <nlohmann/json.hpp>

using namespace made_up;

TEST_CASE("one word says where skills come from") {
  const Machine machine;
  machine.write("skills/x", "");
  machine.write("home/mine/x", "");
  const auto of = [&](const std::string &word, const std::string &plugin = "") -> std::string {
    const auto origin = originOf(word, plugin, machine.folder, machine.folder + "/home");
    if (!origin) return "refused: " + origin.failure().message;
    std::string text = origin->name + ' ' + origin->plugin + ' ' + origin->config.dump();
    for (std::size_t at = 0; (at = text.find(machine.folder, at)) != std::string::npos;)
      text.replace(at, machine.folder.size(), "HERE");
    return text;
  };
  CHECK(of("anthropics/skills") == R"(skills github {"url":"anthropics/skills"})");
  CHECK(of("a/b/team/pdf@v1.2") == R"(pdf github {"url":"a/b","subpath":"team/pdf","ref":"v1.2"})");
  CHECK(of("https://github.com/a/b/tree/main/team") ==
        R"(team github {"url":"https://github.com/a/b","subpath":"team","ref":"main"})");
  CHECK(of("https://github.com/a/b") == R"(b github {"url":"https://github.com/a/b"})");
  CHECK(of("https://git.example.org/a/b.git@v1") ==
        R"(b github {"url":"https://git.example.org/a/b.git","ref":"v1"})");
  CHECK(of("git@git.example.org:a/b.git") == R"(b github {"url":"git@git.example.org:a/b.git"})");
  CHECK(of("git@git.example.org:a/b.git@v1") ==
        R"(b github {"url":"git@git.example.org:a/b.git","ref":"v1"})");
  CHECK(of("file:///srv/repo@main") == R"(repo github {"url":"file:///srv/repo","ref":"main"})");
  // A branch may have slashes; an @ before the repository's name is none of it.
  CHECK(of("anthropics/skills@feature/x") ==
        R"(skills github {"url":"anthropics/skills","ref":"feature/x"})");
  CHECK(of("a/b/team/pdf@f/x@2") ==
        R"(pdf github {"url":"a/b","subpath":"team/pdf","ref":"f/x@2"})");
  CHECK(of("a/b/@team/pdf@v1") == R"(pdf github {"url":"a/b","subpath":"@team/pdf","ref":"v1"})");
  CHECK(of("https://github.com/a/b@feature/x") ==
        R"(b github {"url":"https://github.com/a/b","ref":"feature/x"})");
  CHECK(of("https://me@git.example.org/a/b.git@f/x") ==
        R"(b github {"url":"https://me@git.example.org/a/b.git","ref":"f/x"})");
  CHECK(of("https://git.example.org/b.git@f/x") ==
        R"(b github {"url":"https://git.example.org/b.git","ref":"f/x"})");
  CHECK(of("git@git.example.org:a/b.git@f/x") ==
        R"(b github {"url":"git@git.example.org:a/b.git","ref":"f/x"})");
  CHECK(of("ssh://git@git.example.org:22/a/b@f/x") ==
        R"(b github {"url":"ssh://git@git.example.org:22/a/b","ref":"f/x"})");
  CHECK(of("ssh://git@git.example.org/a/b") ==
        R"(b github {"url":"ssh://git@git.example.org/a/b"})");
  CHECK(of("file:///srv/repo@f/x") == R"(repo github {"url":"file:///srv/repo","ref":"f/x"})");
  machine.write("u@here/repo/x", "");
  const std::string local = "file://" + machine.folder + "/u@here/repo";
  CHECK(of(local) == R"(repo github {"url":"file://HERE/u@here/repo"})");
  CHECK(of(local + "@f/x") == R"(repo github {"url":"file://HERE/u@here/repo","ref":"f/x"})");
  CHECK(of("https://example.org") == R"(example.org well_known {"url":"https://example.org"})");
  CHECK(of("https://example.org/.well-known/agent-skills/index.json") ==
        R"(example.org well_known {"url":"https://example.org"})");
  CHECK(contains(of("https://example.org/skills"), "--plugin github"));
  CHECK(of("https://example.org/skills", "github") ==
        R"(skills github {"url":"https://example.org/skills"})");
  CHECK(of("./skills") == R"(skills filesystem {"directories":["HERE/skills"]})");
  CHECK(of("skills") == R"(skills filesystem {"directories":["HERE/skills"]})");
  CHECK(of("~/mine") == R"(mine filesystem {"directories":["HERE/home/mine"]})");
  CHECK(contains(of("./nothing"), "/nothing: there is no such folder"));
  CHECK(contains(of("word"), "write OWNER/REPO, a URL, or a folder"));
  CHECK(contains(of("a b/c"), "is no folder here"));
  CHECK(originInWords({{"url", "a/b"}, {"subpath", "t"}, {"ref", "v1"}}) == "a/b/t@v1");
  CHECK(originInWords({{"directories", {"/x", "/y"}}}) == "/x, /y");
}
