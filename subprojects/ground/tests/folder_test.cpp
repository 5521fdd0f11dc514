// SPDX-License-Identifier: Apache-2.0
// This test replaces operator new, so it is a separate program.
#include "catch2.hpp"
#include "failing_memory.hpp"
#include "ground/folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    REQUIRE(::mkdtemp(path.data()) != nullptr);
    for (const char *name : {"a", ".hidden", "a name that needs memory of its own"})
      std::ofstream(path + '/' + name) << "x";
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() { fs::remove_all(path); }

  std::string path = "/tmp/skillhost-folder-XXXXXX";
};

} // namespace

TEST_CASE("a folder is read to its end, or as far as asked") {
  const Folder folder;
  std::error_code error = std::make_error_code(std::errc::io_error);
  std::vector<std::string> names = namesIn(folder.path, error);
  std::sort(names.begin(), names.end());
  CHECK(!error);
  CHECK(names == std::vector<std::string>{".hidden", "a", "a name that needs memory of its own"});
  CHECK(namesIn(folder.path, error, 2).size() == 2);
  CHECK(!error);
  CHECK(namesIn(folder.path, error, 0).empty());
  CHECK(namesIn(folder.path + "/none", error).empty());
  CHECK(error == std::errc::no_such_file_or_directory);
  CHECK(namesIn(folder.path + "/a", error).empty());
  CHECK(error == std::errc::not_a_directory);
}

TEST_CASE("without memory the reader of a folder throws and does not end the process") {
  const Folder folder;
  for (const Lack lack : {Lack::Once, Lack::Lasting}) {
    std::size_t whole = 0, thrown = 0;
    const std::size_t count = failEachAllocation(lack, [&] {
      try {
        std::error_code error;
        whole += namesIn(folder.path, error).size() == 3 ? 1 : 0;
      } catch (const std::bad_alloc &) {
        ++thrown;
      }
    });
    CHECK(count > 0);
    CHECK(whole == 1);
    CHECK(thrown == count);
  }
}
