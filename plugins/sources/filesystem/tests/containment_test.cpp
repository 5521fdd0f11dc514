// SPDX-License-Identifier: Apache-2.0
#include "beneath/beneath.hpp"
#include "catch2.hpp"
#include "fixture.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

using namespace skillhost::filesystem;
using namespace skillhost::filesystem::test;
using Names = std::vector<std::string>;

TEST_CASE("links that stay in the skill work, links that leave are skipped with one warning") {
  const Tree tree;
  tree.skill("root/pdf");
  tree.write("root/pdf/a.md", "inside");
  tree.write("root/pdf/.store/b.md", "stored");
  tree.write("root/.store/c.md", "beside it");
  tree.write("secret/SKILL.md", "secret");
  tree.link("pdf", "root/alias");
  tree.link(tree.at("root/pdf"), "root/absolute");
  tree.link(".store/b.md", "root/pdf/b.md");
  tree.link("../.store/c.md", "root/pdf/c.md");
  tree.link("../../secret/SKILL.md", "root/pdf/out.md");
  tree.link(tree.at("secret/SKILL.md"), "root/pdf/abs.md");
  tree.link("../secret", "root/leak");
  tree.link("/etc", "root/etc");
  tree.link("nowhere", "root/pdf/dangling");
  Instance instance({tree.at("root")}, R"(,"watch":"off")");
  const Listing listing = instance.list();
  CHECK(listing.names() == Names{"absolute:SKILL.md", "absolute:a.md", "absolute:b.md",
                                 "alias:SKILL.md", "alias:a.md", "alias:b.md", "pdf:SKILL.md",
                                 "pdf:a.md", "pdf:b.md"});
  instance.list();
  CHECK(instance.warnings("pdf/out.md: skipped: the symbolic link leads out") == 1);
  CHECK(instance.warnings("pdf/abs.md: skipped: the symbolic link leads out") == 1);
  CHECK(instance.warnings("pdf/c.md: skipped: the symbolic link leads out of its skill") == 1);
  CHECK(instance.warnings("root/leak: skipped") == 1);
  CHECK(instance.warnings("root/etc: skipped") == 1);
  for (const char *name : {"absolute:a.md", "alias:a.md", "pdf:a.md"}) {
    CHECK(instance.read(name, listing.documents.at(name).revision).bytes == "inside");
  }
  CHECK(instance.read("pdf:b.md", listing.documents.at("pdf:b.md").revision).bytes == "stored");
  CHECK(instance.read("pdf:out.md", "any").status == SKH_NOT_FOUND);
  CHECK(instance.read("pdf:c.md", "any").status == SKH_NOT_FOUND);
  CHECK(instance.read("..:secret/SKILL.md", "any").status == SKH_NOT_FOUND);
}

TEST_CASE("a link brings nothing into a skill that is not its own") {
  const Tree tree;
  tree.skill("root/hr");
  tree.write("root/hr/secret.md", "secret");
  tree.write("root/hr/deep/secret.md", "secret");
  tree.skill("root/open");
  tree.write("root/open/own.md", "own");
  tree.skill("root/open/inner");
  tree.write("root/open/inner/notes.md", "inner");
  tree.write("root/shared/both.md", "both");
  tree.write("root/open/docs/a.md", "a");
  tree.link("../hr/secret.md", "root/open/file.md");
  tree.link(tree.at("root/hr/secret.md"), "root/open/absolute.md");
  tree.link("file.md", "root/open/twice.md");
  tree.link("../hr/SKILL.md", "root/open/entry.md");
  tree.link("../hr/deep", "root/open/folder");
  tree.link("inner/notes.md", "root/open/notes.md");
  tree.link("../own.md", "root/open/inner/own.md");
  tree.link("../shared/both.md", "root/open/both.md");
  tree.link("../shared", "root/open/shared");
  tree.link("docs", "root/open/alias");
  tree.skill("root/.private/gone"); // in no listed skill
  tree.link("../.private/gone/SKILL.md", "root/open/unlisted.md");
  // The folder of a whole skill may be a link. But a single file of another skill, even its entry,
  // may not be linked.
  tree.link("../hr", "root/open/whole");
  tree.write("root/byentry/x.md", "x");
  tree.link("../hr/SKILL.md", "root/byentry/SKILL.md");
  tree.write("root/byfile/x.md", "x");
  tree.link("../hr/secret.md", "root/byfile/SKILL.md");
  Instance instance({tree.at("root")}, R"(,"watch":"off")");
  const Listing listing = instance.list();
  CHECK(listing.names() == Names{"hr:SKILL.md", "hr:deep/secret.md", "hr:secret.md",
                                 "open/inner:SKILL.md", "open/inner:notes.md",
                                 "open/whole:SKILL.md", "open/whole:deep/secret.md",
                                 "open/whole:secret.md", "open:SKILL.md", "open:alias/a.md",
                                 "open:docs/a.md", "open:own.md"});
  instance.list();
  for (const char *name :
       {"open/file.md", "open/absolute.md", "open/twice.md", "open/entry.md", "open/folder",
        "open/notes.md", "inner/own.md", "byfile/SKILL.md", "byentry/SKILL.md"})
    CHECK(instance.warnings(std::string(name) +
                            ": skipped: the symbolic link leads into another") == 1);
  for (const char *name : {"open/both.md", "open/shared", "open/unlisted.md"})
    CHECK(instance.warnings(std::string(name) +
                            ": skipped: the symbolic link leads out of its skill") == 1);
  CHECK(instance.read("open:file.md", "any").status == SKH_NOT_FOUND);
}

TEST_CASE("a SKILL.md that is a link to nothing is listed, and cannot be read") {
  const Tree tree;
  for (const char *skill : {"root/loop", "root/other", "root/pdf"}) tree.skill(skill);
  tree.write("root/pdf/a.md", "a");
  const std::string text = "---\nname: pdf\n---\n";
  tree.remove("root/pdf/SKILL.md");
  tree.remove("root/loop/SKILL.md");
  tree.link("files/pdf.md", "root/pdf/SKILL.md");
  tree.link("SKILL.md", "root/loop/SKILL.md");
  tree.link("nowhere", "root/other/skill.md"); // beside a good one
  tree.link("../../nowhere", "root/SKILL.md"); // it leads out of the directory
  Instance instance({tree.at("root")}, R"(,"watch":"off")");
  Listing listing = instance.list();
  CHECK(listing.names() == Names{"loop:SKILL.md", "other:SKILL.md", "pdf:SKILL.md", "pdf:a.md"});
  CHECK((listing.documents.at("pdf:SKILL.md").flags & SKH_DOC_ENTRY) != 0);
  CHECK(instance.read("pdf:SKILL.md", listing.documents.at("pdf:SKILL.md").revision).status ==
        SKH_FAILED);
  CHECK(instance.failure() == "cannot open pdf/SKILL.md: No such file or directory");
  CHECK(instance.read("loop:SKILL.md", listing.documents.at("loop:SKILL.md").revision).status ==
        SKH_FAILED);
  tree.write("root/pdf/files/pdf.md", text);
  CHECK(instance.read("pdf:SKILL.md", listing.documents.at("pdf:SKILL.md").revision).status ==
        SKH_STALE);
  const Listing mended = instance.changes(listing.snapshot);
  REQUIRE(mended.documents.count("pdf:SKILL.md") == 1);
  CHECK(instance.read("pdf:SKILL.md", mended.documents.at("pdf:SKILL.md").revision).bytes == text);
}

TEST_CASE("a directory that has moved is served with its links") {
  const Tree tree;
  tree.skill("one/a");
  tree.write("one/a/shared/x.md", "x");
  tree.link("shared/x.md", "one/a/x.md");
  tree.link("one", "root");
  Instance instance({tree.at("root")}, R"(,"watch":"off")");
  const Names names{"a:SKILL.md", "a:shared/x.md", "a:x.md"};
  CHECK(instance.list().names() == names);
  tree.rename("one", "two");
  tree.remove("root");
  tree.link("two", "root");
  CHECK(instance.list().names() == names);
}

TEST_CASE("loops of links end") {
  const Tree tree;
  tree.skill("a");
  tree.link("..", "a/up");
  tree.link(".", "a/self");
  tree.skill("b");
  tree.link("../b", "a/to-b");
  tree.link("../a", "b/to-a");
  tree.link("one", "two");
  tree.link("two", "one");
  Instance instance(tree);
  const Listing listing = instance.list();
  CHECK(listing.names() == Names{"a/to-b:SKILL.md", "a:SKILL.md", "b/to-a:SKILL.md", "b:SKILL.md"});
  CHECK(instance.warnings("/a/up: a symbolic link to a folder it lies in") == 1);
}

TEST_CASE("a file exchanged for a link or a FIFO is not read through") {
  const Tree tree;
  tree.skill("root/x");
  tree.write("root/x/a.md", "inside");
  tree.write("secret", "secret");
  Instance instance({tree.at("root")}, R"(,"watch":"off")");
  const std::string revision = instance.list().documents.at("x:a.md").revision;
  tree.remove("root/x/a.md");
  tree.link("../../secret", "root/x/a.md");
  CHECK(instance.read("x:a.md", revision).status == SKH_STALE);
  tree.remove("root/x/a.md");
  REQUIRE(::mkfifo(tree.at("root/x/a.md").c_str(), 0600) == 0);
  CHECK(instance.read("x:a.md", revision).status == SKH_STALE);
  tree.remove("root/x/a.md");
  CHECK(instance.read("x:a.md", revision).bytes.empty());
}

TEST_CASE("opening component by component confines as openat2 does") {
  const Tree tree;
  tree.write("root/a/b/file", "x");
  tree.write("outside", "x");
  tree.link("b/file", "root/a/link");
  tree.link("../../outside", "root/a/out");
  tree.link("/outside", "root/a/absolute");
  tree.link(tree.at("root/a/b"), "root/a/inside");
  tree.link(tree.at("root") + "/../outside", "root/a/dots");
  tree.link("loop", "root/a/loop");
  const Root root{tree.at("root"), tree.at("root"),
                  skillhost::Descriptor(::open(tree.at("root").c_str(), O_RDONLY | O_DIRECTORY))};
  REQUIRE(root.descriptor);
  const auto both = [&](const std::string &path) {
    const int error = openByComponents(root, path, O_RDONLY).error;
    CHECK(openBeneath(root, path, O_RDONLY).error == error);
    return error;
  };
  CHECK(both("") == 0);
  CHECK(both("a/b/file") == 0);
  CHECK(both("a/./b/../link") == 0);
  CHECK(both("a/inside/file") == 0);
  CHECK(both("..") == EXDEV);
  CHECK(both("a/../../outside") == EXDEV);
  CHECK(both("a/out") == EXDEV);
  CHECK(both("a/absolute") == EXDEV);
  CHECK(both("a/dots") == EXDEV);
  CHECK(both("a/loop") == ELOOP);
  CHECK(both("a/none") == ENOENT);
  CHECK(both("a/b/file/more") == ENOTDIR);
}

TEST_CASE("a link at the top leads out where nobody else decides what it leads to") {
  const Tree tree;
  tree.skill("store/pdf");
  tree.write("store/pdf/scripts/a.py", "a");
  tree.write("store/notes.md", "beside it");
  tree.link("../notes.md", "store/pdf/notes.md");
  tree.link("scripts/a.py", "store/pdf/inside.py");
  tree.skill("store/pdf/nested");
  tree.skill("store/open");
  tree.skill("store/loose");
  tree.skill("served/there");
  tree.write("store/none/readme.md", "no skill");
  tree.skill("other/far");
  ::chmod(tree.at("store/open").c_str(), 0777);
  ::chmod(tree.at("store/loose/SKILL.md").c_str(), 0666);
  tree.skill("root/own");
  for (const char *name : {"pdf", "open", "loose", "none"})
    tree.link(std::string("../store/") + name, std::string("root/") + name);
  tree.link(tree.at("other/far"), "root/far");
  tree.link("../../store/pdf", "root/own/pdf"); // the link stays within a skill
  tree.link("../served/there", "root/there");
  tree.link("../store/nowhere", "root/nowhere");
  const std::string settings = R"(,"watch":"off","follow_links_into":[")" + tree.at("store") +
                               R"("],"served_elsewhere":[")" + tree.at("served") + R"("])";
  Instance instance({tree.at("root")}, settings);
  const Listing listing = instance.list();
  CHECK(listing.names() == Names{"own:SKILL.md", "pdf/nested:SKILL.md", "pdf:SKILL.md",
                                 "pdf:inside.py", "pdf:scripts/a.py"});
  CHECK(listing.documents.at("pdf:scripts/a.py").location == tree.at("root/pdf/scripts/a.py"));
  const auto read = [&](const char *name) {
    return instance.read(name, listing.documents.at(name).revision);
  };
  CHECK(read("pdf:scripts/a.py").bytes == "a");
  CHECK(read("pdf:inside.py").bytes == "a");
  CHECK(instance.warnings("root/open: skipped: the symbolic link leads out") == 1);
  CHECK(instance.warnings("because other users may write to its target") == 1);
  CHECK(instance.warnings("may write to the SKILL.md of its target") == 1);
  CHECK(instance.warnings("because its target is no folder with a SKILL.md") == 1);
  CHECK(instance.warnings("/other/far, lies in no folder that links may lead into") == 1);
  CHECK(instance.warnings("root/nowhere: skipped") == 1);
  CHECK(instance.warnings("root/there") == 0);
  CHECK(instance.warnings("root/own/pdf: skipped: the symbolic link leads out") == 1);
  // A replacement of the target must not be read.
  tree.rename("store/pdf", "store/moved");
  tree.skill("store/pdf");
  tree.write("store/pdf/scripts/a.py", "b");
  CHECK(read("pdf:scripts/a.py").status == SKH_STALE);
  tree.remove("store/pdf");
  tree.rename("store/moved", "store/pdf");
  CHECK(read("pdf:scripts/a.py").bytes == "a");
  ::chmod(tree.at("store/pdf").c_str(), 0777);
  CHECK(read("pdf:scripts/a.py").status == SKH_STALE);
}

TEST_CASE("a directory that is a skill itself has no link that leads out of it") {
  const Tree tree;
  tree.skill("store/pdf");
  tree.skill("root");
  tree.link("../store/pdf", "root/pdf");
  Instance instance({tree.at("root")},
                    R"(,"watch":"off","follow_links_into":[")" + tree.at("store") + R"("])");
  CHECK(instance.list().names() == Names{"root:SKILL.md"});
  CHECK(instance.warnings("root/pdf: skipped: the symbolic link leads out of the directory") == 1);
}

TEST_CASE("a link that git has written as a text is told of") {
  const Tree tree;
  tree.skill("root/own");
  tree.write("root/pdf", "../store/pdf");
  tree.write("root/readme", "See ../store/pdf.\n");
  Instance instance({tree.at("root")}, R"(,"watch":"off")");
  CHECK(instance.list().names() == Names{"own:SKILL.md"});
  CHECK(instance.warnings("root/pdf: skipped: git has written a symbolic link to ../store/pdf") ==
        1);
  CHECK(instance.warnings("as a text") == 1);
  std::string refusal;
  try {
    const Instance named({tree.at("root/pdf")}, "");
  } catch (const skh::Error &error) {
    refusal = error.what();
  }
  CHECK(refusal.find("git has written a symbolic link to ../store/pdf") != std::string::npos);
}
