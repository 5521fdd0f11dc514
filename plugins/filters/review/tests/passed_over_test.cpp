// SPDX-License-Identifier: Apache-2.0
// Tests files beside the documents of a reviewed skill.
#include "catch2.hpp"
#include "review/passed_over.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

struct Folder {
  TemporaryFolder temporary;
  Review review;
  Folder() { review.folder = temporary.path(); }
  void write(const std::string &path) const {
    const fs::path file = fs::path(temporary.path()) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "x";
  }
  void document(const std::string &path) {
    write(path);
    list(path);
  }
  void list(const std::string &path) {
    review.documents.push_back(std::make_shared<const ExaminedDocument>(
        ExaminedDocument{path, "1", {"digest", 1, false}, {}}));
  }
  std::string text() const { return textOf(passedOver(review)); }
};

} // namespace

TEST_CASE("what lies beside the documents of a skill is named") {
  Folder folder;
  folder.document("SKILL.md");
  folder.document("scripts/run.py");
  folder.document("a/b/c.md");
  CHECK(folder.text().empty());
  CHECK(passedOver(folder.review).isAll);
  for (const char *path :
       {".hidden/deep/run.sh", "scripts/__pycache__/run.pyc", "node_modules/x/y.js", "a/.env",
        "scripts-2/z.py", "a/line\nbreak", "inner/SKILL.md"})
    folder.write(path);
  fs::create_symlink("/etc/passwd", fs::path(folder.temporary.path()) / "a/b/link");
  CHECK(folder.text() == ".hidden/, a/.env, a/b/link, a/line break, inner/, node_modules/, "
                         "scripts-2/, scripts/__pycache__/");
}

TEST_CASE("a document that is reached by a link to a folder is none that is passed over") {
  Folder folder;
  folder.document("SKILL.md");
  folder.document("real/a.md");
  fs::create_directory_symlink("real", fs::path(folder.temporary.path()) / "linked");
  CHECK(folder.text() == "linked");
  folder.list("linked/a.md");
  CHECK(folder.text().empty());
}

TEST_CASE("a folder without documents is not looked into, and of many names the first are told") {
  Folder folder;
  folder.document("SKILL.md");
  folder.write("node_modules/x");
  fs::permissions(fs::path(folder.temporary.path()) / "node_modules", fs::perms::none);
  CHECK(passedOver(folder.review).isAll);
  CHECK(folder.text() == "node_modules/");
  fs::permissions(fs::path(folder.temporary.path()) / "node_modules", fs::perms::owner_all);
  for (int i = 100; i < 130; ++i) folder.write(std::to_string(i) + ".pyc");
  const PassedOver found = passedOver(folder.review);
  CHECK(found.names.size() == 20);
  CHECK(found.names.front() == "100.pyc");
  CHECK_FALSE(found.isAll);
  CHECK(folder.text().ends_with("119.pyc and more"));
}

TEST_CASE(
    "nothing is named where nothing is known, and a folder that is gone is not taken for empty") {
  Folder folder;
  folder.write(".hidden/x");
  // Not all of its files can be read.
  CHECK(folder.text() == "its folder cannot be read to the end");
  folder.document("SKILL.md");
  CHECK(folder.text() == ".hidden/");
  folder.review.folder += "/gone";
  CHECK(folder.text() == "its folder cannot be read to the end");
  folder.review.folder.clear(); // it is elsewhere
  CHECK(folder.text().empty());
}
