// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "fixture.hpp"
#include "ground/blake3.hpp"
#include "ground/hexadecimal.hpp"
#include "store/names.hpp"

#include <sys/stat.h>

#include <fstream>

using namespace skillhost::store;
using namespace store_test;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace {

namespace fs = std::filesystem;

mode_t modeOf(const std::string &path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

} // namespace

TEST_CASE("what is saved is what is loaded, byte by byte") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  Content content = smallSkill();
  std::string everyByte;
  for (int byte = 0; byte < 256; ++byte) everyByte += static_cast<char>(byte);
  content.files.push_back({"every.bin", everyByte});
  content.files.push_back({"controls.txt", everyByte.substr(0, 128) + everyByte.substr(32, 96)});
  content.files.push_back({"euro.txt", "\xE2\x82\xAC \xF0\x9F\x98\x80 \xED\x9F\xBF"});
  content.files.push_back({"surrogate.bin", "\xED\xA0\x80"});
  content.files.push_back({"overlong.bin", "\xC0\xAF and \xE0\x80\xAF"});
  for (std::size_t size = 0; size < 40; ++size)
    content.files.push_back({"sizes/" + std::to_string(size), std::string(size, '\xFE')});
  content.module = std::string("\0asm\1\0\0\0", 8);
  const Compression compression = GENERATE(Compression::None, Compression::Zstd);
  SaveOptions options;
  options.compression = compression;
  REQUIRE(store.save("pdf", content, options).changed);
  const LoadedSkill loaded = store.load("pdf");
  std::vector<std::pair<std::string, std::string>> expected;
  for (const File &file : content.files) expected.emplace_back(file.path, file.bytes);
  std::sort(expected.begin(), expected.end());
  CHECK(filesIn(loaded) == expected);
  CHECK(moduleOf(loaded) == content.module);
  CHECK(loaded.metadata.compression == compression);
  CHECK_THAT(store.names(), Equals(std::vector<std::string>{"pdf"}));
}

TEST_CASE("a version is four files with the modes they should have") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  Content content = smallSkill();
  content.module = "wasm";
  store.save("pdf", content);
  const std::string version = folder.at("skills/pdf/1/");
  CHECK(modeOf(version + "metadata.json") == 0644);
  CHECK(modeOf(version + "vfs.json") == 0644);
  CHECK(modeOf(version + "module.wasm") == 0644);
  CHECK(modeOf(version + "checksum.blake3") == 0600);
  // The official BLAKE3 of all files in sequence, as b3sum prints it.
  skillhost::Blake3 hash;
  for (const char *name : {"metadata.json", "vfs.json", "module.wasm"})
    hash.add(bytesOf(version + name));
  CHECK(bytesOf(version + "checksum.blake3") == skillhost::hexadecimal(hash.finish()) + "\n");
}

TEST_CASE("the digest is the official one") {
  // The value for the empty input in the official test vectors of BLAKE3.
  CHECK(skillhost::hexadecimal(skillhost::Blake3().finish()) ==
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
}

TEST_CASE("unchanged content leaves the store untouched") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  REQUIRE(store.save("pdf", smallSkill()).changed);
  const auto before = fs::last_write_time(folder.at("skills/pdf"));
  const std::string metadata = bytesOf(folder.at("skills/pdf/1/metadata.json"));
  const Saved again = store.save("pdf", smallSkill());
  CHECK_FALSE(again.changed);
  CHECK(again.version == 1);
  CHECK(fs::last_write_time(folder.at("skills/pdf")) == before);
  CHECK(bytesOf(folder.at("skills/pdf/1/metadata.json")) == metadata);
}

TEST_CASE("what does not verify is saved anew though its content is the same") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("pdf", smallSkill());
  writeBytes(folder.at("skills/pdf/1/vfs.json"), "{}");
  CHECK(store.save("pdf", smallSkill()).version == 2);
  CHECK(filesIn(store.load("pdf")).size() == smallSkill().files.size());
}

TEST_CASE("as many versions are kept as asked for, and the one before comes back") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  SaveOptions options;
  options.keep = 3;
  for (const char *body : {"one", "two", "three", "four"})
    store.save("pdf", smallSkill(body), options);
  CHECK(store.versions("pdf") == std::vector<std::uint64_t>{4, 3, 2});
  CHECK(store.load("pdf", 2).files.front().bytes.find("two") != std::string_view::npos);
  const RolledBack first = store.rollback("pdf");
  CHECK(first.from == 3);
  CHECK(first.version == 5);
  CHECK(store.versions("pdf") == std::vector<std::uint64_t>{5, 2});
  CHECK(store.rollback("pdf").from == 2);
  CHECK(store.load("pdf").files.front().bytes.find("two") != std::string_view::npos);
  const Refusal refused = refusalOf([&] { store.rollback("pdf"); });
  CHECK_THAT(refused.message, Contains("no earlier version is kept"));
  store.save("pdf", smallSkill("five"));
  CHECK(store.versions("pdf") == std::vector<std::uint64_t>{7});
}

TEST_CASE("going back makes a new version, above all that were served") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  SaveOptions options;
  options.keep = 3;
  for (const char *body : {"one", "two", "three"}) store.save("pdf", smallSkill(body), options);
  RollbackOptions back;
  back.to = 4;
  CHECK(refusalOf([&] { store.rollback("pdf", back); }).problem == Problem::Missing);
  back.to = 1;
  back.above = 40;
  const RolledBack done = store.rollback("pdf", back);
  CHECK(done.from == 1);
  CHECK(done.version == 41);
  CHECK(store.versions("pdf") == std::vector<std::uint64_t>{41});
  CHECK(store.load("pdf").files.front().bytes.find("one") != std::string_view::npos);
  back.to = 41;
  back.above = 1; // less than the present number
  CHECK(store.rollback("pdf", back).version == 42);
}

TEST_CASE("a skill that was removed goes on with its numbers") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("pdf", smallSkill("one"));
  store.save("pdf", smallSkill("two"));
  store.save("a name with blanks", smallSkill());
  store.remove("pdf");
  store.remove("a name with blanks");
  CHECK(store.save("pdf", smallSkill("one")).version == 3);
  CHECK(store.save("a name with blanks", smallSkill()).version == 2);
  CHECK(store.save("csv", smallSkill()).version == 1);
  store.remove("pdf");
  writeBytes(folder.at("skills/.removed"), "nonsense\n99999999999999999999 pdf\n0 pdf\n\n7 csv");
  CHECK(store.save("pdf", smallSkill()).version == 1);
}

TEST_CASE("a version that would come back wrong is no version to go back to") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  SaveOptions options;
  options.keep = 2;
  store.save("pdf", smallSkill("one"), options);
  store.save("pdf", smallSkill("two"), options);
  writeBytes(folder.at("skills/pdf/1/metadata.json"), "{}");
  CHECK(refusalOf([&] { store.rollback("pdf"); }).problem == Problem::Corrupt);
  CHECK(store.load("pdf").metadata.version == 2);
}

TEST_CASE("names and paths that mean trouble are refused, and say why") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  for (const std::string &name :
       {std::string(), std::string(".."), std::string("a/b"), std::string("a\\b"),
        std::string("a.b"), std::string("a\nb"), std::string("a\0b", 3), std::string(65, 'a'),
        std::string("\xFF"), std::string(" a"),
        std::string("a\xE2\x80\xAE"
                    "b")}) {
    CAPTURE(name);
    CHECK(refusalOf([&] { store.save(name, smallSkill()); }).problem == Problem::Refused);
    CHECK(refusalOf([&] { (void)store.load(name); }).problem == Problem::Refused);
    CHECK(refusalOf([&] { store.remove(name); }).problem == Problem::Refused);
  }
  for (const std::string &path : {std::string("../a"), std::string("/a"), std::string("a//b"),
                                  std::string("./a"), std::string("a/.."), std::string("a\\b"),
                                  std::string("a\x7F"), std::string("a\0b", 3), std::string()}) {
    CAPTURE(path);
    Content content = smallSkill();
    content.files.push_back({path, "x"});
    const Refusal refused = refusalOf([&] { store.save("pdf", content); });
    CHECK(refused.problem == Problem::Refused);
    CHECK_THAT(refused.message, Contains("pdf: "));
  }
  CHECK_FALSE(fs::exists(folder.at("skills/pdf")));
}

TEST_CASE("names that differ in case or Unicode form alone are refused") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  const auto collide = [&](const std::string &one, const std::string &other) {
    Content content = smallSkill();
    content.files.push_back({one, "1"});
    content.files.push_back({other, "2"});
    return refusalOf([&] { store.save("pdf", content); });
  };
  CHECK_THAT(collide("A.md", "a.md").message, Contains("differ in case"));
  CHECK_THAT(collide("\xC3\xA9.md", "e\xCC\x81.md").message, Contains("differ in case"));
  CHECK_THAT(collide("x/1.md", "X/2.md").message, Contains("differ in case"));
  CHECK_THAT(collide("x", "x/1.md").message, Contains("is there twice"));
  CHECK_THAT(collide("x", "x").message, Contains("is there twice"));
  CHECK_FALSE(collide("x/1.md", "x/2.md").thrown);
  CHECK_THAT(refusalOf([&] { store.save("PDF", smallSkill()); }).message,
             Contains("\"pdf\", which differs"));
  CHECK(folded("Stra\xC3\x9F"
               "e") == folded("STRASSE"));
}

TEST_CASE("limits are held before anything is written") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  Content many = smallSkill();
  for (int i = 0; i < 512; ++i) many.files.push_back({"f" + std::to_string(i), ""});
  CHECK_THAT(refusalOf([&] { store.save("pdf", many); }).message, Contains("512 files"));
  Content large = smallSkill();
  large.files.push_back({"large", std::string((16U << 20U) - 10, 'x')});
  CHECK_THAT(refusalOf([&] { store.save("pdf", large); }).message, Contains("16 MiB"));
  Content headless = smallSkill();
  headless.files.erase(headless.files.begin());
  CHECK_THAT(refusalOf([&] { store.save("pdf", headless); }).message, Contains("no file SKILL.md"));
  CHECK_FALSE(fs::exists(folder.at("skills")));
}

TEST_CASE("what a dead writer left is removed by the next one, and nothing else") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("pdf", smallSkill());
  fs::create_directories(folder.at("skills/.skillhost-new"));
  writeBytes(folder.at("skills/.skillhost-new/vfs.json"), "half");
  fs::create_directories(folder.at("skills/.skillhost-gone/7"));
  fs::create_directories(folder.at("skills/.other"));
  fs::create_directories(folder.at("skills/Csv")); // a first version that was never completed
  CHECK_THAT(store.names(), Equals(std::vector<std::string>{"pdf"}));
  store.save("csv", smallSkill());
  CHECK_FALSE(fs::exists(folder.at("skills/.skillhost-new")));
  CHECK_FALSE(fs::exists(folder.at("skills/.skillhost-gone")));
  CHECK(fs::exists(folder.at("skills/.other")));
}

TEST_CASE("a folder that no store has written is not removed") {
  const TemporaryFolder folder;
  const Store store(folder.at());
  fs::create_directories(folder.at("letters/1"));
  writeBytes(folder.at("letters/1/to-ada.txt"), "Dear Ada");
  CHECK_THAT(refusalOf([&] { store.remove("letters"); }).message, Contains("to-ada.txt"));
  CHECK(bytesOf(folder.at("letters/1/to-ada.txt")) == "Dear Ada");
  store.save("pdf", smallSkill());
  store.remove("pdf");
  CHECK_FALSE(fs::exists(folder.at("pdf")));
  CHECK(refusalOf([&] { store.remove("pdf"); }).problem == Problem::Missing);
}
