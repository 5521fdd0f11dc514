// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "made_up.hpp"
#include "origin.hpp"

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
  // A branch may have slashes. An @ before the repository's name does not start a ref.
  CHECK(of("anthropics/skills@feature/x") ==
        R"(skills github {"url":"anthropics/skills","ref":"feature/x"})");
  CHECK(of("a/b/team/pdf@f/x@2") ==
        R"(pdf github {"url":"a/b","subpath":"team/pdf","ref":"f/x@2"})");
  CHECK(of("a/b/@team/pdf@v1") == R"(pdf github {"url":"a/b","subpath":"@team/pdf","ref":"v1"})");
  CHECK(of("https://github.com/a/b@feature/x") ==
        R"(b github {"url":"https://github.com/a/b","ref":"feature/x"})");
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
  machine.write("skills/pdf/SKILL.md", "");
  CHECK(of("./skills/pdf/SKILL.md") == R"(pdf filesystem {"directories":["HERE/skills/pdf"]})");
  CHECK(of("skills/pdf/SKILL.md") == R"(pdf filesystem {"directories":["HERE/skills/pdf"]})");
  CHECK(contains(of("./skills/x"), "/skills/x: is a file; name the folder"));
  for (const char *file : {"bare.git/HEAD", "bare.git/objects/x", "bare.git/refs/x"})
    machine.write(file, "");
  CHECK(of("./bare.git") == R"(bare github {"url":"HERE/bare.git"})");
  CHECK(of("./bare.git@v1") == R"(bare github {"url":"HERE/bare.git","ref":"v1"})");
  CHECK(of("bare.git", "filesystem") == R"(bare.git filesystem {"directories":["HERE/bare.git"]})");
  // The same entries beside or among skills do not make a folder a repository.
  for (const char *file :
       {"mixed/HEAD", "mixed/objects/x", "mixed/refs/x", "mixed/team/y", "hidden.git/HEAD",
        "hidden.git/objects/x", "hidden.git/refs/x", "hidden.git/info/pdf/SKILL.md", "plain/HEAD",
        "plain/objects/x", "plain/refs/x", "plain/config"})
    machine.write(file, "");
  CHECK(of("./mixed") == R"(mixed filesystem {"directories":["HERE/mixed"]})");
  CHECK(of("./hidden.git") == R"(hidden.git filesystem {"directories":["HERE/hidden.git"]})");
  CHECK(of("./plain") == R"(plain github {"url":"HERE/plain"})");
  CHECK(contains(of("./nothing"), "/nothing: there is no such folder"));
  CHECK(contains(of("word"), "write OWNER/REPO, a URL, or a folder"));
  CHECK(contains(of("a b/c"), "is no folder here"));
  CHECK(originInWords({{"url", "a/b"}, {"subpath", "t"}, {"ref", "v1"}}) == "a/b/t@v1");
  CHECK(originInWords({{"directories", {"/x", "/y"}}}) == "/x, /y");
}

TEST_CASE("a URL with a password is refused without its text") {
  const Machine machine;
  for (const char *const word :
       {"https://user:sekret@host/a/b.git", "https://sekret@host/a/b.git@f/x",
        "HTTPS://user:sekret@host/a", "http://user:sekret@host/index.json",
        "git://sekret@github.com/a/b", "ssh://git:sekret@host/a/b"})
    for (const char *const plugin : {"", "github", "well_known", "filesystem"}) {
      const auto origin = originOf(word, plugin, machine.folder, "");
      INFO(word);
      REQUIRE_FALSE(origin);
      CHECK(contains(origin.failure().message, "--token-env"));
      CHECK_FALSE(contains(origin.failure().message, "sekret"));
    }
  CHECK(originInWords({{"url", "https://user:sekret@host/a.git"}}) == "https://***@host/a.git");
}

TEST_CASE("a folder whose path is not UTF-8 is refused") {
  const Machine machine;
  machine.write("odd\xff/pdf/SKILL.md", "");
  for (const char *const word : {"./odd\xff", "odd\xff", "odd\xff/pdf/SKILL.md"}) {
    const auto origin = originOf(word, "", machine.folder, "");
    REQUIRE_FALSE(origin);
    CHECK(contains(origin.failure().message, "odd\xff"));
    CHECK(contains(origin.failure().message, ": is not UTF-8: rename the folder, or link to it"));
  }
  const auto here = originOf("./pdf", "", machine.folder + "/odd\xff", "");
  REQUIRE_FALSE(here);
  CHECK(contains(here.failure().message, "is not UTF-8"));
}

TEST_CASE("the address of a page says what a browser shows") {
  const Machine machine;
  const auto of = [&](const std::string &word) -> std::string {
    const auto origin = originOf(word, "", machine.folder, "");
    if (!origin) return "refused: " + origin.failure().message;
    std::string text = origin->name + ' ' + origin->plugin;
    for (const auto &[key, value] : origin->config.items()) text += ' ' + value.get<std::string>();
    return text + (origin->mayRefContinue ? " ?" : "");
  };
  for (const auto &[word, is] : std::vector<std::pair<std::string, std::string>>{
           // GitHub
           {"https://github.com/a/b/tree/main/x/pdf",
            "pdf github https://github.com/a/b x/pdf main ?"},
           {"https://github.com/a/b/tree/main", "b github https://github.com/a/b main"},
           {"https://github.com/a/b/tree/main/x?tab=readme-ov-file#usage",
            "x github https://github.com/a/b x main ?"},
           {"https://github.com/a/b?tab=readme-ov-file", "b github https://github.com/a/b"},
           {"https://github.com/a/b#readme", "b github https://github.com/a/b"},
           {"https://github.com/a/b/", "b github https://github.com/a/b"},
           {"https://github.com/a/b/blob/main/x/pdf/SKILL.md",
            "pdf github https://github.com/a/b x/pdf main ?"},
           {"https://github.com/a/b/blob/main/SKILL.md", "b github https://github.com/a/b main"},
           {"https://github.com/a/b/blob/main/x/README.md#L3",
            "x github https://github.com/a/b x main ?"},
           {"https://github.com/a/b/tree/main/my%20skills",
            "my skills github https://github.com/a/b my skills main ?"},
           {"https://github.com/a/b/tree/0123456789012345678901234567890123456789/x",
            "x github https://github.com/a/b x 0123456789012345678901234567890123456789"},
           {"https://github.com/a/b/commit/0123456", "b github https://github.com/a/b 0123456"},
           {"https://github.com/a/b/releases/tag/v1.0",
            "b github https://github.com/a/b refs/tags/v1.0"},
           {"https://github.com/a/b/issues/3", "b github https://github.com/a/b"},
           {"https://github.com/a/b/tree/refs/heads/main/x",
            "x github https://github.com/a/b x refs/heads/main ?"},
           {"https://raw.githubusercontent.com/a/b/main/x/SKILL.md",
            "x github https://github.com/a/b x main ?"},
           {"http://github.com/a/b/tree/main/x", "x github https://github.com/a/b x main ?"},
           {"github.com/a/b", "b github https://github.com/a/b"},
           {"github.com/a/b@v1", "b github https://github.com/a/b v1"},
           {"www.github.com/a/b/tree/main/x", "x github https://www.github.com/a/b x main ?"},
           {"git://github.com/a/b.git", "b github https://github.com/a/b.git"},
           // GitLab
           {"https://gitlab.com/g/s/b/-/tree/main/x?ref_type=heads",
            "x github https://gitlab.com/g/s/b x refs/heads/main ?"},
           {"https://gitlab.com/tree/b/-/tree/main/x",
            "x github https://gitlab.com/tree/b x main ?"},
           {"https://gitlab.com/tree/b", "b github https://gitlab.com/tree/b"},
           {"https://gitlab.com/g/tree/b", "b github https://gitlab.com/g/tree/b"},
           {"https://gitlab.com/g/s/tree/b", "b github https://gitlab.com/g/s/tree/b"},
           {"https://gitlab.com/g/b/-/blob/main/SKILL.md", "b github https://gitlab.com/g/b main"},
           {"https://gitlab.com/g/b/-/commit/0123456", "b github https://gitlab.com/g/b 0123456"},
           {"https://gitlab.com/g/b/-/tags/v1", "b github https://gitlab.com/g/b refs/tags/v1"},
           {"https://gitlab.com/g/b/-/issues", "b github https://gitlab.com/g/b"},
           {"https://gitlab.com/g/b/-/tree/f%2Fx/y", "y github https://gitlab.com/g/b y f/x ?"},
           // Gitea and Forgejo
           {"https://codeberg.org/a/b/src/branch/main/x",
            "x github https://codeberg.org/a/b x refs/heads/main ?"},
           {"https://git.example.org/a/b/src/branch/main/x",
            "x github https://git.example.org/a/b x refs/heads/main ?"},
           {"http://127.0.0.1:3000/a/b/src/branch/main/x",
            "x github http://127.0.0.1:3000/a/b x refs/heads/main ?"},
           {"https://codeberg.org/a/b/src/commit/0123456/x",
            "x github https://codeberg.org/a/b x 0123456"},
           {"https://codeberg.org/a/b/raw/tag/v1/x/SKILL.md",
            "x github https://codeberg.org/a/b x refs/tags/v1 ?"},
           // Words of such pages that are names here.
           {"https://git.example.org/tree/x/tree/y.git",
            "y github https://git.example.org/tree/x/tree/y.git"},
           {"https://git.example.org/g/edit/raw/b",
            "b github https://git.example.org/g/edit/raw/b"},
           {"https://git.example.org/a/b/src/x", "x github https://git.example.org/a/b/src/x"},
           {"https://git.example.org/g/b/-/raw/main/x/SKILL.md",
            "x github https://git.example.org/g/b x main ?"},
           {"https://github.com/a/b/raw/branch/x/y", "x github https://github.com/a/b x branch ?"},
           {"https://github.com/a/b/releases/tag/x/v1",
            "b github https://github.com/a/b refs/tags/x/v1"},
           {"https://github.com/a/b/pulls", "b github https://github.com/a/b"},
           // Bitbucket
           {"https://bitbucket.org/a/b/src/main/x/", "x github https://bitbucket.org/a/b x main ?"},
           {"https://bitbucket.org/a/b/src/0123456789012345678901234567890123456789/x/"
            "?at=feature%2Fy",
            "x github https://bitbucket.org/a/b x feature/y"},
           // Web servers
           {"https://example.org/.well-known/skills/index.json",
            "example.org well_known https://example.org/.well-known/skills/index.json"},
           {"https://example.org/custom/index.json",
            "example.org well_known https://example.org/custom/index.json"},
           {"https://example.org/?utm_source=x", "example.org well_known https://example.org/"},
       }) {
    INFO(word);
    CHECK(of(word) == is);
  }
  CHECK(contains(of("git://git.example.org/a/b"), "write https:// or ssh://"));
  CHECK(contains(of("example.org/skills"), "write https:// before it"));
  CHECK(contains(of("https://example.org/skills"), "--plugin well_known"));
  const auto folder = originOf("github.com/a/b", "filesystem", machine.folder, "");
  REQUIRE_FALSE(folder);
  CHECK(contains(folder.failure().message, "no such folder"));
  for (const char *page :
       {"https://github.com/a/b/pull/3", "https://github.com/a/b/pull/3/files",
        "https://github.com/a/b/compare/main...x", "https://github.com/a/b/releases/latest",
        "https://github.com/a/b/archive/refs/tags/v1.zip", "https://github.com/orgs/a/repositories",
        "https://gitlab.com/g/b/-/merge_requests/1", "https://gitlab.com/g/b/merge_requests/1",
        "https://git.example.org/a/b/pulls/1", "https://bitbucket.org/a/b/pull-requests/1",
        "https://github.com/a/b/tree/refs/pull/3/head", "https://github.com/a/b/tree/main?x=y",
        "https://git.example.org/a/b.git?h=x", "https://codeberg.org/a/b?at=x",
        "https://github.com/a/b/tree/main/x%0Ay", "https://github.com/a/b/tree/main/%2F",
        "https://github.com/a/b/tree/main/x%2Fy"}) {
    INFO(page);
    CHECK(contains(of(page), ": write "));
  }
}

TEST_CASE("a part of a commit's SHA is made whole") {
  const std::string commit = "0123456789012345678901234567890123456789";
  CHECK(wholeRef("0123456", commit) == commit);
  CHECK(wholeRef("0123456", commit + "+" + commit) == commit);
  CHECK(wholeRef("20240101", commit) == "20240101"); // a tag
  CHECK(wholeRef("main", "main-and-more") == "main");
}

TEST_CASE("what a page shows is read with the longest ref first") {
  const auto all = interpretationsOf(*originOf("https://github.com/a/b/tree/f/x/pdf", "", "/", ""));
  std::string text;
  for (const Origin &one : all) text += one.name + '=' + originInWords(one.config) + '\n';
  CHECK(text == "b=https://github.com/a/b@f/x/pdf\npdf=https://github.com/a/b/pdf@f/x\n"
                "pdf=https://github.com/a/b/x/pdf@f\n");
  const auto full =
      interpretationsOf(*originOf("https://codeberg.org/a/b/src/tag/f/x", "", "/", ""));
  REQUIRE(full.size() == 2);
  CHECK(originInWords(full[0].config) == "https://codeberg.org/a/b@refs/tags/f/x");
  CHECK(originInWords(full[1].config) == "https://codeberg.org/a/b/x@refs/tags/f");
  CHECK(interpretationsOf(*originOf("https://github.com/a/b", "", "/", "")).size() == 1);
  CHECK(interpretationsOf(*originOf("https://github.com/a/b/tree/1/2/3/4/5/6/7/8", "", "/", ""))
            .size() == 5);
}
