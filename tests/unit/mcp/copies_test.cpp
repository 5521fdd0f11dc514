// SPDX-License-Identifier: Apache-2.0
// Skills that are on no disk of this machine, for a client that runs their scripts here.
#include "reader.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace skillhost;

namespace {

namespace fs = std::filesystem;

ProtocolSettings copyingTo(const std::string &directory) {
  ProtocolSettings settings = ServerOfTest::settings();
  settings.reading.paths = PathStyle::Absolute;
  settings.reading.copies = directory;
  return settings;
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The folder that the text of the loaded skill names; empty: none.
std::string folderIn(const std::string &text) {
  const std::string lead = "Base folder of this skill: ";
  if (!text.starts_with(lead)) return {};
  return text.substr(lead.size(), text.find('\n') - lead.size());
}

mode_t modeOf(const std::string &path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

const char *const forcedLoad = R"({"skill_name":"greeter","force_reload":true})";

} // namespace

TEST_CASE("a remote skill with files is copied to this machine when it is loaded") {
  const TemporaryFolder temporary;
  const std::string copies = temporary.path() + "/cache/copies";
  Reader reader(copyingTo(copies));
  reader.data("load_skill", forcedLoad);
  const std::string folder = folderIn(reader.text());
  REQUIRE(folder.starts_with(copies + '/'));
  CHECK(folder.ends_with("/greeter"));
  CHECK(reader.text().find("read-only copy") != std::string::npos);
  CHECK(reader.text().find("Read `" + folder + "/references/words.md`") != std::string::npos);
  CHECK(contentOf(folder + "/references/words.md") == "hello\nhi\n");
  CHECK(contentOf(folder + "/scripts/greet.sh") == "#!/bin/sh\necho hello\n");
  CHECK((modeOf(folder + "/references/words.md") & 0222U) == 0);
  CHECK(modeOf(copies) == 0700U);
  // Its paths are taken by the tool that reads files, too.
  const Json read =
      reader.data("read_skill_document", R"({"skill_name":"greeter","document_path":")" + folder +
                                             R"(/references/words.md"})");
  CHECK(read.at("documents").at(0).at("path") == "references/words.md");
  // A skill without files needs no folder.
  reader.data("load_skill", R"({"skill_name":"pdf"})");
  CHECK(folderIn(reader.text()).empty());
}

TEST_CASE("a copy that was changed or removed is made again") {
  const TemporaryFolder temporary;
  const std::string copies = temporary.path() + "/copies";
  std::string folder;
  {
    Reader reader(copyingTo(copies));
    reader.data("load_skill", forcedLoad);
    folder = folderIn(reader.text());
    fs::remove_all(folder);
    reader.data("load_skill", forcedLoad);
    CHECK(contentOf(folder + "/references/words.md") == "hello\nhi\n");
  }
  const std::string script = folder + "/scripts/greet.sh";
  fs::permissions(script, fs::perms::owner_all);
  std::ofstream(script) << "#!/bin/sh\necho changed\n";
  Reader next(copyingTo(copies));
  next.data("load_skill", forcedLoad);
  CHECK(folderIn(next.text()) == folder);
  CHECK(contentOf(script) == "#!/bin/sh\necho hello\n");
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto &entry : fs::directory_iterator(copies)) ++entries;
  CHECK(entries == 1); // no draft is left
}

TEST_CASE("without a place for copies the files are read by tools") {
  const TemporaryFolder temporary;
  const std::string copies = temporary.path() + "/copies";
  fs::create_directory(copies);
  fs::permissions(copies, fs::perms::all); // others may write there
  Reader reader(copyingTo(copies));
  reader.data("load_skill", forcedLoad);
  CHECK(folderIn(reader.text()).empty());
  CHECK(reader.text().find("call read_skill_document") != std::string::npos);
  CHECK(fs::is_empty(copies));
}
