// SPDX-License-Identifier: Apache-2.0
// Tests how the host observes a process and its folder.
#include "catch2.hpp"
#include "process/process_status.hpp"

#include "ground/descriptor.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace skillhost;
using namespace skillhost::process;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t mebibyte = 1U << 20U, noLimit = UINT64_MAX;

class Folder {
public:
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  void write(const std::string &name, std::size_t size) const {
    std::ofstream(path / name) << std::string(size, 'x');
  }
  const fs::path path =
      fs::temp_directory_path() / ("skillhost-stored-" + std::to_string(::getpid()));
};

} // namespace

TEST_CASE("time on a processor is told of other processes too") {
  const auto before = processorTime(::getpid());
  REQUIRE(before);
  while (processorTime(::getpid()) == before) continue;
  CHECK(processorTime(::getpid()) > before);
  CHECK(processorTime(::getppid()));
  CHECK_FALSE(processorTime(1 << 23)); // above every process id
}

TEST_CASE("a folder is counted by what it takes on the disk") {
  const Folder folder;
  CHECK(storedBytes((folder.path / "absent").string(), noLimit) == 0U);
  CHECK(storedBytes(folder.path.string(), noLimit) == 0U);
  fs::create_directories(folder.path / "a" / "b");
  folder.write("a/b/file", mebibyte);
  const auto one = storedBytes(folder.path.string(), noLimit);
  REQUIRE(one);
  CHECK(*one >= mebibyte);
  CHECK(*one < mebibyte + 100'000);
  // Another name of the same file adds only an entry, and a link to the outside is not followed.
  fs::create_hard_link(folder.path / "a" / "b" / "file", folder.path / "again");
  fs::create_symlink("/usr", folder.path / "out");
  const auto linked = storedBytes(folder.path.string(), noLimit);
  REQUIRE(linked);
  CHECK(*linked >= *one + 2048);
  CHECK(*linked < *one + 100'000);
  // A hole takes no storage.
  fs::resize_file(folder.path / "again", 100 * mebibyte);
  CHECK(storedBytes(folder.path.string(), noLimit).value_or(0) < 2 * mebibyte);
}

TEST_CASE("empty files are counted too, and counting stops beyond the limit") {
  const Folder folder;
  for (int i = 0; i < 100; ++i) folder.write("empty" + std::to_string(i), 0);
  CHECK(storedBytes(folder.path.string(), noLimit).value_or(0) >= 100 * 1024U);
  const auto some = storedBytes(folder.path.string(), 10 * 1024U);
  REQUIRE(some);
  CHECK(*some > 10 * 1024U);
  CHECK(*some < 50 * 1024U);
}

TEST_CASE("what is made so that it cannot be counted is told apart") {
  const Folder folder;
  fs::path deep = folder.path;
  for (int i = 0; i < 70; ++i) deep /= "d";
  fs::create_directories(deep);
  CHECK_FALSE(storedBytes(folder.path.string(), noLimit));
  fs::remove_all(folder.path / "d");
  CHECK(storedBytes(folder.path.string(), noLimit) == 0U);
  if (::geteuid() == 0) {
    WARN("root may read every folder: one that is unreadable was not tested");
    return;
  }
  ::mkdir((folder.path / "hidden").c_str(), 0300);
  CHECK_FALSE(storedBytes(folder.path.string(), noLimit));
}

TEST_CASE("a deleted file counts as long as it is open") {
  const Folder folder;
  const std::uint64_t before = deletedBytes(::getpid()).value_or(0);
  {
    const Descriptor file(
        ::open((folder.path / "gone").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    REQUIRE(file);
    const std::string text(mebibyte, 'x');
    REQUIRE(::write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    CHECK(deletedBytes(::getpid()).value_or(0) < before + mebibyte);
    fs::remove(folder.path / "gone");
    const Descriptor twice(::fcntl(file.number(), F_DUPFD_CLOEXEC, 0));
    const std::uint64_t now = deletedBytes(::getpid()).value_or(0);
    CHECK(now >= before + mebibyte);
    CHECK(now < before + 2 * mebibyte);
  }
  CHECK(deletedBytes(::getpid()).value_or(0) < before + mebibyte);
}

TEST_CASE("a process is described from outside") {
  const auto before = readKernelStatus(::getpid());
  REQUIRE(before);
  std::uint32_t during = 0;
  std::thread one([&during] {
    if (const auto seen = readKernelStatus(::getpid())) during = seen->threads;
  });
  one.join();
  CHECK(during == before->threads + 1);
  CHECK_FALSE(readKernelStatus(0));
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  REQUIRE(::syscall(SYS_capget, &header, data.data()) == 0);
  CHECK(before->capabilities ==
        (data[0].permitted | static_cast<std::uint64_t>(data[1].permitted) << 32U));
}
