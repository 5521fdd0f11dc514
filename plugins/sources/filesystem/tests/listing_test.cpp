// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "fixture.hpp"

#include <algorithm>

#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace skillhost::filesystem::test;
using Names = std::vector<std::string>;

namespace {

// Gives this thread the permissions of the user nobody, even if the tests run as root.
class Unprivileged {
public:
  Unprivileged() : before_(::setfsuid(::geteuid() == 0 ? 65'534 : ::geteuid())) {}
  ~Unprivileged() { ::setfsuid(static_cast<uid_t>(before_)); }
  Unprivileged(const Unprivileged &) = delete;
  Unprivileged &operator=(const Unprivileged &) = delete;

private:
  int before_;
};

} // namespace

TEST_CASE("documents belong to the nearest folder with an entry") {
  const Tree tree;
  tree.skill("pdf");
  tree.write("pdf/scripts/deep/run.py", "x");
  tree.skill("pdf/forms");
  tree.write("pdf/forms/a.md", "x");
  tree.write("notes/readme.md", "in no skill");
  tree.skill("team/a/b");
  Instance instance(tree);
  const Listing listing = instance.list();
  CHECK(listing.status == SKH_OK);
  CHECK(listing.repeated == 0);
  CHECK(listing.names() == Names{"pdf/forms:SKILL.md", "pdf/forms:a.md", "pdf:SKILL.md",
                                 "pdf:scripts/deep/run.py", "team/a/b:SKILL.md"});
  const Listed &script = listing.documents.at("pdf:scripts/deep/run.py");
  CHECK(script.flags == 0);
  CHECK(script.length == 1);
  CHECK(script.location == tree.at("pdf/scripts/deep/run.py"));
  CHECK(listing.documents.at("pdf:SKILL.md").flags == SKH_DOC_ENTRY);
}

TEST_CASE("an entry in another case counts when there is no SKILL.md") {
  const Tree tree;
  tree.write("one/skill.md", "x");
  tree.write("two/SKILL.md", "x");
  tree.write("two/Skill.md", "x");
  Instance instance(tree);
  const Listing listing = instance.list();
  CHECK(listing.names() == Names{"one:skill.md", "two:SKILL.md", "two:Skill.md"});
  CHECK(listing.documents.at("one:skill.md").flags == SKH_DOC_ENTRY);
  CHECK(listing.documents.at("two:SKILL.md").flags == SKH_DOC_ENTRY);
  CHECK(listing.documents.at("two:Skill.md").flags == 0);
}

TEST_CASE("a directory that is a skill gives its name to everything below") {
  const Tree tree;
  tree.skill("pack");
  tree.write("pack/other/notes.md", "x");
  tree.skill("pack/sub");
  Instance instance({tree.at("pack")}, R"(,"watch":"off")");
  CHECK(instance.list().names() ==
        Names{"pack/sub:SKILL.md", "pack:SKILL.md", "pack:other/notes.md"});
}

TEST_CASE("several directories are told apart by their base names") {
  const Tree tree;
  tree.skill("a/skills/x");
  tree.skill("b/skills/x");
  tree.skill("c/skills-2");
  Instance instance({tree.at("a/skills"), tree.at("b/skills/"), tree.at("c/skills-2")},
                    R"(,"watch":"off")");
  CHECK(instance.list().names() ==
        Names{"skills-2-2:SKILL.md", "skills-2/x:SKILL.md", "skills/x:SKILL.md"});
}

TEST_CASE("hidden folders are looked into only when asked, .git never") {
  const Tree tree;
  tree.skill(".claude/x");
  tree.skill(".git/y");
  tree.skill("z");
  tree.write("z/.hints", "a file, not a folder");
  Instance hiding(tree);
  CHECK(hiding.list().names() == Names{"z:.hints", "z:SKILL.md"});
  Instance showing(tree, R"(,"watch":"off","hidden":true)");
  CHECK(showing.list().names() == Names{".claude/x:SKILL.md", "z:.hints", "z:SKILL.md"});
}

TEST_CASE("skills below hidden folders are counted in one warning, beside other skills too") {
  const Tree tree;
  tree.skill(".claude/skills/a");
  tree.write(".claude/skills/b/skill.md", "the same in small letters");
  tree.skill("pack/.agents/c");
  tree.skill(".venv/lib/d"); // repositories keep no skills there
  tree.skill(".git/e");
  tree.write(".github/README.md", "no skill");
  tree.skill("z");
  Instance some(tree);
  CHECK(some.list().names() == Names{"z:SKILL.md"});
  some.list();
  CHECK(
      some.warnings("3 skills are passed over below folders whose names begin with a dot, such as "
                    ".claude/skills/a: look into them with \"hidden: true\"") == 1);
  Instance chosen(tree, R"(,"watch":"off","exclude":[".claude","pack"])");
  CHECK(chosen.list().names() == Names{"z:SKILL.md"});
  CHECK(chosen.warnings("passed over below") == 0);
  tree.skill(".new/f"); // another hidden folder, so it is counted again
  CHECK(chosen.list().names() == Names{"z:SKILL.md"});
  CHECK(chosen.warnings("1 skill is passed over below") == 1);
  Instance all(tree, R"(,"watch":"off","hidden":true)");
  CHECK(all.list().names().size() == 6);
  CHECK(all.warnings("passed over below") == 0);
}

TEST_CASE("include and exclude choose documents, and skills by their entry") {
  const Tree tree;
  tree.skill("team/pdf");
  tree.write("team/pdf/a.py", "x");
  tree.write("team/pdf/vendored/m/b.md", "x");
  tree.skill("team/draft");
  tree.write("team/draft/c.md", "x");
  tree.skill("other");
  const std::string off = R"(,"watch":"off")";
  Instance all(tree, off + R"(,"exclude":["**/vendored","team/draft/SKILL.md"])");
  CHECK(all.list().names() == Names{"other:SKILL.md", "team/pdf:SKILL.md", "team/pdf:a.py"});
  Instance team(tree, off + R"(,"include":["team/*"],"exclude":["team/draft"])");
  CHECK(team.list().names() ==
        Names{"team/pdf:SKILL.md", "team/pdf:a.py", "team/pdf:vendored/m/b.md"});
  Instance markdown(tree, off + R"(,"include":["team/**/*.md"])");
  CHECK(markdown.list().names() == Names{"team/draft:SKILL.md", "team/draft:c.md",
                                         "team/pdf:SKILL.md", "team/pdf:vendored/m/b.md"});
  Instance scripts(tree, off + R"(,"include":["**/*.py"])");
  CHECK(scripts.list().names().empty());
}

TEST_CASE("what cannot be a document is skipped with one warning") {
  const Tree tree;
  tree.skill("x");
  tree.write("x/bad\xFFname", "x");
  tree.write("x/line\nbreak", "x");
  tree.write("x/back\\slash", "x");
  tree.write("x/big", std::string(300, 'b'));
  REQUIRE(::mkfifo(tree.at("x/fifo").c_str(), 0600) == 0);
  tree.write("large/SKILL.md", std::string(300, 'b'));
  tree.write("large/small.md", "x");
  Instance instance(tree, R"(,"watch":"off","max_file_bytes":200)");
  CHECK(instance.list().names() == Names{"x:SKILL.md"});
  CHECK(instance.list().names() == Names{"x:SKILL.md"});
  CHECK(instance.warnings("bad\\xffname") == 1);
  CHECK(instance.warnings("line\\x0abreak") == 1);
  CHECK(instance.warnings("back\\slash") == 1);
  CHECK(instance.warnings("x/big: skipped: larger than 200 bytes") == 1);
  CHECK(instance.warnings("large/SKILL.md: skipped") == 1);
}

TEST_CASE("what may not be read is skipped or refused, the rest is served") {
  const Tree tree;
  tree.skill("locked");
  tree.skill("open");
  tree.write("open/secret", "x");
  REQUIRE(::chmod(tree.at().c_str(), 0755) == 0);
  REQUIRE(::chmod(tree.at("locked").c_str(), 0) == 0);
  REQUIRE(::chmod(tree.at("open/secret").c_str(), 0) == 0);
  Instance instance(tree, R"(,"watch":"off","threads":1)");
  {
    const Unprivileged nobody;
    instance.list();
    const Listing listing = instance.list();
    CHECK(listing.names() == Names{"open:SKILL.md", "open:secret"});
    CHECK(instance.warnings("locked: the folder cannot be read: Permission denied") == 1);
    const auto secret = instance.read("open:secret", listing.documents.at("open:secret").revision);
    CHECK(secret.status == SKH_DENIED);
  }
  REQUIRE(::chmod(tree.at("locked").c_str(), 0755) == 0);
  CHECK(instance.list().names() == Names{"locked:SKILL.md", "open:SKILL.md", "open:secret"});
}

TEST_CASE("too many files fail the listing and say so") {
  const Tree tree;
  tree.skill("x");
  for (int i = 0; i < 5; ++i) tree.write("x/" + std::to_string(i), "x");
  Instance instance(tree, R"(,"watch":"off","max_files":5)");
  CHECK(instance.list().status == SKH_TOO_LARGE);
  CHECK(instance.failure().find("more than 5 documents (max_files)") != std::string::npos);
}

TEST_CASE("a directory that is not there is refused at the start, with what to write") {
  const Tree tree;
  tree.skill("here/x");
  tree.write("file", "x");
  CHECK_THROWS_WITH(Instance({tree.at("here"), tree.at("gone")}, ""),
                    "directories[1]: " + tree.at("gone") +
                        " does not exist: create the folder, or write the path of one that is "
                        "there");
  CHECK_THROWS_WITH(Instance({tree.at("file")}, ""), "directories[0]: " + tree.at("file") +
                                                         " is a file: write the path of a folder");
}

TEST_CASE("directories that cannot be read are no empty directories") {
  const Tree tree;
  tree.skill("here/x");
  tree.link("loop", "loop"); // it exists but cannot be opened by any user
  Instance instance({tree.at("loop")}, R"(,"watch":"off")");
  const Listing listing = instance.list();
  CHECK(listing.status == SKH_DENIED);
  CHECK(instance.failure().find("loop cannot be read: ") != std::string::npos);
  Instance both({tree.at("loop"), tree.at("here")}, R"(,"watch":"off")");
  CHECK(both.list().names() == Names{"here/x:SKILL.md"});
}

TEST_CASE("directories that are not there leave the rest alone") {
  const Tree tree;
  tree.skill("here/x");
  tree.write("file", "x");
  Instance instance({tree.at("here"), tree.at("gone"), tree.at("file")},
                    R"(,"watch":"off","optional":true)");
  CHECK(instance.list().names() == Names{"here/x:SKILL.md"});
  CHECK(instance.list().status == SKH_OK);
  CHECK(instance.warnings(tree.at("gone") + ": ") == 0);
  CHECK(instance.warnings(tree.at("file") + ": ") == 1);
  Instance nothing({tree.at("gone")}, R"(,"watch":"off","optional":true)");
  const Listing listing = nothing.list();
  CHECK(listing.status == SKH_OK);
  CHECK(listing.names().empty());
  CHECK_FALSE(listing.snapshot.empty());
}

TEST_CASE("equal trees list equally, with one thread or several") {
  const Tree tree;
  for (int i = 0; i < 120; ++i) {
    const std::string folder = "s" + std::to_string(i);
    tree.skill(folder);
    tree.write(folder + "/references/a.md", folder);
  }
  Instance one(tree, R"(,"watch":"off","threads":1)");
  Instance four(tree, R"(,"watch":"auto","threads":4)");
  const Listing first = four.list();
  CHECK(first.names().size() == 240);
  CHECK(first.names() == one.list().names());
  CHECK(four.list().snapshot == first.snapshot);
}

TEST_CASE("a cancelled call ends as cancelled") {
  const Tree tree;
  tree.skill("x");
  Instance instance(tree);
  const Listing listing = instance.list();
  instance.cancel();
  CHECK(instance.list().status == SKH_CANCELLED);
  CHECK(instance.changes(listing.snapshot).status == SKH_CANCELLED);
  CHECK(instance.read("x:SKILL.md", listing.documents.at("x:SKILL.md").revision).status ==
        SKH_CANCELLED);
}

TEST_CASE("a long listing tells how many folders it has looked into") {
  const Tree tree;
  constexpr std::size_t folders = 1000;
  for (std::size_t i = 0; i < folders; ++i) tree.skill("many/skill-" + std::to_string(i));
  Instance instance(tree, R"(,"watch":"off","threads":1)");
  CHECK(instance.list().documents.size() == folders);
  const auto told = instance.progress();
  REQUIRE(!told.empty());
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.back().first <= folders + 2);
  CHECK(told.back().second == 0);
}

TEST_CASE("litter and files of secrets are no documents of a skill") {
  const Tree tree;
  tree.skill("pdf");
  for (const char *path :
       {"pdf/a.md", "pdf/scripts/run.py", "pdf/.env.example", "node_modules/tool/SKILL.md"})
    tree.write(path, "x");
  Instance instance(tree, R"(,"watch":"off","hidden":true)");
  const Listing before = instance.list();
  CHECK(before.names() == Names{"node_modules/tool:SKILL.md", "pdf:.env.example", "pdf:SKILL.md",
                                "pdf:a.md", "pdf:scripts/run.py"});
  for (const char *path :
       {"pdf/scripts/__pycache__/run.cpython-312.pyc", "pdf/.DS_Store", "pdf/Thumbs.db",
        "pdf/a.md~", "pdf/.a.md.swp", "pdf/node_modules/left-pad/index.js", "pdf/.venv/bin/python",
        "pdf/.git/config", "pdf/.env", "pdf/scripts/.env.local", "pdf/id_rsa", "pdf/.npmrc",
        "pdf/.aws/credentials"})
    tree.write(path, "x");
  tree.link(".env", "pdf/settings.md");
  tree.link(".aws", "pdf/cloud");
  const Listing after = instance.list();
  CHECK(after.names() == before.names());
  CHECK(after.snapshot == before.snapshot);
  CHECK(instance.warnings("pdf/.env: left out: by its name it holds a secret") == 1);
  CHECK(instance.warnings("pdf/settings.md: left out: by its name it holds a secret") == 1);
  CHECK(instance.warnings("pdf/.aws: left out: by its name it holds a secret") == 1);
  CHECK(instance.warnings("__pycache__") == 0);
  CHECK(instance.read("pdf:.env", "any").status == SKH_NOT_FOUND);
}

TEST_CASE("a pointer of Git LFS is no document, until the file is there") {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:"
                              "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
                              "size 12345\n";
  const Tree tree;
  tree.skill("pdf");
  tree.write("pdf/logo.png", pointer);
  tree.write("pdf/lfs.md", "# About\n" + pointer);
  Instance instance(tree);
  CHECK(instance.list().names() == Names{"pdf:SKILL.md", "pdf:lfs.md"});
  CHECK(instance.list().names() == Names{"pdf:SKILL.md", "pdf:lfs.md"});
  CHECK(instance.warnings("pdf/logo.png: left out: it is a pointer of Git LFS") == 1);
  tree.write("pdf/logo.png", std::string(200, 'x'));
  CHECK(instance.list().names() == Names{"pdf:SKILL.md", "pdf:lfs.md", "pdf:logo.png"});
  tree.write("pdf/logo.png", pointer);
  CHECK(instance.list().names() == Names{"pdf:SKILL.md", "pdf:lfs.md"});
}
