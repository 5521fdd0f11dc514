// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "filesystem/beneath.hpp"
#include "fixture.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

using namespace skillhost::filesystem;
using namespace skillhost::filesystem::test;
using Names = std::vector<std::string>;

TEST_CASE("links that stay inside work, links that leave are skipped with one warning") {
  const Tree tree;
  tree.skill("root/pdf");
  tree.write("root/pdf/a.md", "inside");
  tree.write("root/.store/b.md", "stored");
  tree.write("secret/SKILL.md", "secret");
  tree.link("pdf", "root/alias");
  tree.link(tree.at("root/pdf"), "root/absolute");
  tree.link("../.store/b.md", "root/pdf/b.md");
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
  CHECK(instance.warnings("root/leak: skipped") == 1);
  CHECK(instance.warnings("root/etc: skipped") == 1);
  for (const char *name : {"absolute:a.md", "alias:a.md", "pdf:a.md"}) {
    CHECK(instance.read(name, listing.documents.at(name).revision).bytes == "inside");
  }
  CHECK(instance.read("pdf:b.md", listing.documents.at("pdf:b.md").revision).bytes == "stored");
  CHECK(instance.read("pdf:out.md", "any").status == SKH_NOT_FOUND);
  CHECK(instance.read("..:secret/SKILL.md", "any").status == SKH_NOT_FOUND);
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
                  FileDescriptor(::open(tree.at("root").c_str(), O_RDONLY | O_DIRECTORY))};
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
