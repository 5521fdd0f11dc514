// SPDX-License-Identifier: Apache-2.0
// The shared folder: whole files by their digests, and nothing that somebody else has put there.
#include "catch2.hpp"
#include "folder.hpp"
#include "ground/hexadecimal.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

Blake3::Digest digestOf(const std::string &bytes) {
  Blake3 computation;
  computation.add(bytes);
  return computation.finish();
}

SharedFolder::Code codeWith(const std::string &secret) {
  return [secret](const SharedHead &head) {
    return blake3Hex(secret + std::to_string(head.number) + head.manifest);
  };
}

struct FolderFixture {
  TemporaryFolder temporary;
  std::string path = temporary.path() + "/shared", own = path + "/s";
  SharedFolder folder{path, "s", codeWith("key")};

  std::string fileOf(const std::string &bytes) const {
    const std::string digits = hexadecimal(digestOf(bytes));
    return own + "/objects/" + digits.substr(0, 2) + '/' + digits.substr(2);
  }
};

void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::trunc) << bytes;
}

} // namespace

TEST_CASE("what was put down is found, in folders for nobody else") {
  FolderFixture it;
  REQUIRE(it.folder.head());
  CHECK_FALSE(*it.folder.head());
  REQUIRE(it.folder.putObject(digestOf("bytes"), "bytes"));
  CHECK(it.folder.hasObject(digestOf("bytes"), 5));
  CHECK_FALSE(it.folder.hasObject(digestOf("bytes"), 6));
  REQUIRE(it.folder.publish(3, "text"));
  SharedFolder other(it.path, "s", codeWith("key"));
  const auto head = other.head();
  REQUIRE(head);
  REQUIRE(*head);
  CHECK((*head)->number == 3);
  CHECK(*other.manifest((*head)->manifest) == "text");
  CHECK(*other.object(digestOf("bytes"), 5) == "bytes");
  struct stat found{};
  REQUIRE(::stat(it.own.c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0700);
}

TEST_CASE("damaged, cut, linked and missing files are no content") {
  FolderFixture it;
  REQUIRE(it.folder.publish(1, "text"));
  for (const std::string bytes : {"other", "cut", "linked", "gone", "longer"})
    REQUIRE(it.folder.putObject(digestOf(bytes), bytes));
  writeFile(it.fileOf("other"), "OTHER");
  writeFile(it.fileOf("cut"), "cu");
  writeFile(it.fileOf("longer"), "longer still");
  fs::remove(it.fileOf("gone"));
  writeFile(it.temporary.path() + "/elsewhere", "linked");
  fs::remove(it.fileOf("linked"));
  fs::create_symlink(it.temporary.path() + "/elsewhere", it.fileOf("linked"));
  for (const std::string bytes : {"other", "cut", "linked", "gone", "longer"}) {
    INFO(bytes);
    const auto read = it.folder.object(digestOf(bytes), bytes.size());
    REQUIRE_FALSE(read);
    CHECK(read.failure().fault == Fault::Corrupt);
    REQUIRE(it.folder.putObject(digestOf(bytes), bytes, true));
    CHECK(*it.folder.object(digestOf(bytes), bytes.size()) == bytes);
  }
}

TEST_CASE("a head that no replica has written is not believed") {
  FolderFixture it;
  REQUIRE(it.folder.publish(1, "text"));
  SharedFolder other(it.path, "s", codeWith("another key"));
  REQUIRE_FALSE(other.head());
  CHECK(other.head().failure().fault == Fault::Denied);
  writeFile(it.own + "/current", "{");
  CHECK(it.folder.head().failure().fault == Fault::Corrupt);
  writeFile(it.own + "/current", R"({"version":2})");
  CHECK(it.folder.head().failure().fault == Fault::InvalidFormat);
  writeFile(it.own + "/current", R"({"version":1,"number":1,"manifest":"../x","code":""})");
  CHECK(it.folder.head().failure().fault == Fault::Corrupt);
  writeFile(it.own + "/current", std::string(100'000, ' '));
  CHECK(it.folder.head().failure().fault == Fault::Corrupt);
}

TEST_CASE("a folder to which others may write is not used") {
  FolderFixture it;
  fs::create_directory(it.path);
  fs::create_directory(it.own);
  REQUIRE(::chmod(it.own.c_str(), 0770) == 0);
  const Status put = it.folder.putObject(digestOf("x"), "x");
  REQUIRE_FALSE(put);
  CHECK(put.failure().fault == Fault::Denied);
  CHECK(put.failure().message.find(it.own) != std::string::npos);
  REQUIRE(::chmod(it.own.c_str(), 0700) == 0);
  CHECK(it.folder.putObject(digestOf("x"), "x"));
}

TEST_CASE("no link is followed out of the folder, neither to read nor to write") {
  FolderFixture it;
  REQUIRE(it.folder.putObject(digestOf("x"), "x"));
  const fs::path part = fs::path(it.fileOf("x")).parent_path();
  const std::string elsewhere = it.temporary.path() + "/elsewhere";
  fs::rename(part, elsewhere);
  fs::create_symlink(elsewhere, part);
  CHECK_FALSE(it.folder.hasObject(digestOf("x"), 1));
  REQUIRE_FALSE(it.folder.object(digestOf("x"), 1));
  CHECK(it.folder.object(digestOf("x"), 1).failure().fault == Fault::Corrupt);
  fs::remove(elsewhere + '/' + fs::path(it.fileOf("x")).filename().string());
  CHECK_FALSE(it.folder.putObject(digestOf("x"), "x", true));
  CHECK(fs::is_empty(elsewhere));
}

TEST_CASE("a file in the place of a folder is named") {
  FolderFixture it;
  writeFile(it.path, "");
  const Status put = it.folder.putObject(digestOf("x"), "x");
  REQUIRE_FALSE(put);
  CHECK(put.failure().fault == Fault::Unavailable);
  CHECK(put.failure().message.find(it.path) != std::string::npos);
}

TEST_CASE("what is old and not named is removed, and nothing else") {
  FolderFixture it;
  const std::vector<std::string> all{"kept", "young", "old"};
  for (const std::string &bytes : all) REQUIRE(it.folder.putObject(digestOf(bytes), bytes));
  REQUIRE(it.folder.publish(1, "before"));
  REQUIRE(it.folder.publish(2, "now"));
  const std::string stranger = it.own + "/objects/notes.txt",
                    draft = it.own + "/objects/" + hexadecimal(digestOf("old")).substr(0, 2) +
                            "/.new-1";
  writeFile(stranger, "");
  writeFile(draft, "");
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(2);
  for (const std::string &path :
       {it.fileOf("kept"), it.fileOf("old"), draft, stranger,
        it.own + "/manifests/" + blake3Hex("before"), it.own + "/manifests/" + blake3Hex("now")})
    fs::last_write_time(path, old);
  it.folder.sweep({blake3Hex("now")}, {hexadecimal(digestOf("kept"))}, std::chrono::hours(1));
  CHECK(it.folder.hasObject(digestOf("kept"), 4));
  CHECK(it.folder.hasObject(digestOf("young"), 5));
  CHECK_FALSE(it.folder.hasObject(digestOf("old"), 3));
  CHECK_FALSE(fs::exists(draft));
  CHECK(fs::exists(stranger));
  CHECK(it.folder.manifest(blake3Hex("now")));
  CHECK_FALSE(it.folder.manifest(blake3Hex("before")));
  CHECK(*it.folder.head());
}
