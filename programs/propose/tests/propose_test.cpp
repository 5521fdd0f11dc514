// SPDX-License-Identifier: Apache-2.0
// Tests what is sent of a folder.
#include "catch2.hpp"
#include "propose.hpp"
#include "temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

void write(const std::string &path, const std::string &bytes) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

const std::string document = "---\nname: pdf\ndescription: Reads PDF files.\n---\nDo it.\n";

Json fileIn(const Json &arguments, const std::string &path) {
  for (const Json &one : arguments["files"])
    if (one["path"] == path) return one;
  return nullptr;
}

} // namespace

TEST_CASE("a folder is sent with its texts, bytes and executable bits") {
  const TemporaryFolder folder;
  write(folder.path() + "/SKILL.md", document);
  write(folder.path() + "/scripts/run.sh", "#!/bin/sh\n");
  fs::permissions(folder.path() + "/scripts/run.sh", fs::perms::owner_all);
  write(folder.path() + "/assets/a.bin", std::string("\0\xff", 2));
  const FolderToPropose sent = readFolderToPropose(folder.path(), "please");
  CHECK(sent.leftOut.empty());
  CHECK(sent.arguments["name"] == "pdf");
  CHECK(sent.arguments["note"] == "please");
  CHECK(fileIn(sent.arguments, "SKILL.md") == Json{{"path", "SKILL.md"}, {"text", document}});
  CHECK(fileIn(sent.arguments, "scripts/run.sh")["executable"] == true);
  CHECK(fileIn(sent.arguments, "assets/a.bin") ==
        Json{{"path", "assets/a.bin"}, {"base64", "AP8="}});
  CHECK_FALSE(readFolderToPropose(folder.path(), "").arguments.contains("note"));
}

TEST_CASE("secrets, hidden files and what tools make are left out and named") {
  const TemporaryFolder folder;
  write(folder.path() + "/SKILL.md", document);
  write(folder.path() + "/.env", "KEY=1");
  write(folder.path() + "/.notes/a.md", "hidden");
  write(folder.path() + "/ops/.style.md", "a document");
  write(folder.path() + "/__pycache__/a.pyc", "made");
  const FolderToPropose sent = readFolderToPropose(folder.path(), "");
  CHECK(sent.arguments["files"].size() == 2);
  CHECK(fileIn(sent.arguments, "ops/.style.md")["text"] == "a document");
  CHECK(sent.leftOut.size() == 2); // what tools make is not worth a word
}

TEST_CASE("a folder without a skill, or with a link, is not sent") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(readFolderToPropose(folder.path() + "/none", ""), std::runtime_error);
  CHECK_THROWS_AS(readFolderToPropose(folder.path(), ""), std::runtime_error);
  write(folder.path() + "/SKILL.md", "no front matter");
  CHECK_THROWS_AS(readFolderToPropose(folder.path(), ""), std::runtime_error);
  write(folder.path() + "/SKILL.md", document);
  fs::create_symlink("/etc/hostname", folder.path() + "/link.md");
  CHECK_THROWS_AS(readFolderToPropose(folder.path(), ""), std::runtime_error);
}
