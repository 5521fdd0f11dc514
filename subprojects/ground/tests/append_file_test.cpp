// SPDX-License-Identifier: Apache-2.0
#include "ground/append_file.hpp"

#include "catch2.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

using namespace skillhost;

namespace {

struct Folder {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("skillhost-append-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

} // namespace

TEST_CASE("a file that is appended to is its owner's alone, and keeps what it has") {
  const Folder folder;
  const std::filesystem::path file = folder.path / "lines";
  std::ofstream(file) << "one\n";
  REQUIRE(::chmod(file.c_str(), 0644) == 0);
  const Descriptor open = openForAppending(file.string());
  REQUIRE(open);
  REQUIRE(writeAll(open.number(), "two\n"));
  std::string text;
  std::getline(std::ifstream(file), text, '\0');
  CHECK(text == "one\ntwo\n");
  struct stat info{};
  REQUIRE(::stat(file.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777U) == 0600U);
  CHECK(openForAppending((folder.path / "new").string()));
}

TEST_CASE("what cannot be appended to is not opened, and errno says why") {
  const Folder folder;
  const auto refused = [&](const char *name, int why) {
    INFO(name);
    errno = 0;
    CHECK_FALSE(openForAppending((folder.path / name).string()));
    CHECK(errno == why);
  };
  refused("none/lines", ENOENT);
  std::ofstream(folder.path / "lines") << "one\n";
  std::filesystem::create_symlink(folder.path / "lines", folder.path / "link");
  refused("link", ELOOP);
  REQUIRE(::mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  refused("pipe", ENXIO);
}
