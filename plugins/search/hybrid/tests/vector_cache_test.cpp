// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "hybrid/vector_cache.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include <sys/resource.h>

using namespace skillhost;
using namespace skillhost::hybrid;

namespace {

constexpr std::size_t width = 16;

Blake3::Digest numbered(std::uint8_t number) {
  Blake3::Digest digest{};
  digest.fill(number);
  return digest;
}

QuantisedVector vectorOf(std::uint8_t number) {
  return {static_cast<float>(number) / 128,
          std::vector<std::int8_t>(width, static_cast<std::int8_t>(number))};
}

void fill(const std::string &path, std::uint8_t count) {
  VectorCache cache(path, numbered(1), width);
  REQUIRE(cache.problem().empty());
  for (std::uint8_t each = 0; each < count; ++each)
    cache.append({{numbered(each), vectorOf(each)}});
}

// Checks that exactly the first `count` vectors are there, intact.
void checkHolds(const VectorCache &cache, std::size_t count) {
  CHECK(cache.size() == count);
  for (std::uint8_t each = 0; each < 10; ++each) {
    const auto found = cache.find(numbered(each));
    REQUIRE(found.has_value() == (each < count));
    if (found) CHECK(found->numbers == vectorOf(each).numbers);
    if (found) CHECK(found->scale == vectorOf(each).scale);
  }
}

std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeBytes(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace

TEST_CASE("vectors are there at the next start") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/v";
  fill(path, 5);
  checkHolds(VectorCache(path, numbered(1), width), 5);
  // Another model or another width starts a new file.
  checkHolds(VectorCache(path, numbered(2), width), 0);
  fill(path, 3);
  checkHolds(VectorCache(path, numbered(1), width), 3);
  CHECK(VectorCache(path, numbered(1), 2 * width).size() == 0);
}

TEST_CASE("a vector file that is cut off at any byte gives what was whole") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/v";
  fill(path, 3);
  const std::string whole = bytesOf(path);
  const std::size_t record = 32 + 4 + width + 8;
  const std::size_t header = whole.size() - 3 * record;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    writeBytes(path, whole.substr(0, length));
    const std::size_t kept = length < header ? 0 : (length - header) / record;
    {
      VectorCache cache(path, numbered(1), width);
      CAPTURE(length);
      checkHolds(cache, kept);
      cache.append({{numbered(9), vectorOf(9)}});
    }
    // Records written after the cut are read again.
    const VectorCache again(path, numbered(1), width);
    CHECK(again.size() == kept + 1);
    CHECK(again.find(numbered(9)).has_value());
  }
}

TEST_CASE("a vector file with any bit flipped never gives another vector") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/v";
  fill(path, 2);
  const std::string whole = bytesOf(path);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    writeBytes(path, damaged);
    const VectorCache cache(path, numbered(1), width);
    CHECK(cache.size() < 2);
    for (std::uint8_t each = 0; each < 2; ++each)
      if (const auto found = cache.find(numbered(each)))
        CHECK(found->numbers == vectorOf(each).numbers);
  }
}

TEST_CASE("where vectors cannot be kept it is said, and nothing else is lost") {
  const TemporaryFolder folder;
  VectorCache nowhere(folder.path() + "/none/v", numbered(1), width);
  CHECK_THAT(nowhere.problem(),
             Catch::Contains("/none/v: cannot be opened (No such file or directory)"));
  nowhere.append({{numbered(1), vectorOf(1)}});
  CHECK(!nowhere.find(numbered(1)));
  VectorCache none("", numbered(1), width);
  CHECK(none.problem().empty());
  none.append({{numbered(1), vectorOf(1)}});
  CHECK(none.size() == 0);
}

TEST_CASE("a second process finds what the first appends, and appends after its end") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/v";
  auto first = std::make_unique<VectorCache>(path, numbered(1), width);
  first->append({{numbered(0), vectorOf(0)}});
  VectorCache second(path, numbered(1), width);
  VectorCache third(path, numbered(1), width);
  CHECK(second.isFollowing());
  checkHolds(second, 1);
  second.append({{numbered(1), vectorOf(1)}});
  second.compact({});
  CHECK(second.problem().empty());
  checkHolds(second, 1);
  first->append({{numbered(1), vectorOf(1)}, {numbered(2), vectorOf(2)}});
  checkHolds(second, 1);
  second.refresh();
  checkHolds(second, 3);
  // The first replaces the file.
  first->compact({numbered(0)});
  checkHolds(second, 3);
  first->append({{numbered(1), vectorOf(1)}});
  second.refresh();
  checkHolds(second, 2);
  CHECK(second.isFollowing());
  first.reset();
  second.refresh();
  CHECK(!second.isFollowing());
  second.append({{numbered(2), vectorOf(2)}});
  checkHolds(second, 3);
  third.refresh(); // it has the file open that was replaced
  CHECK(third.isFollowing());
  checkHolds(third, 3);
}

TEST_CASE("a follower takes no record that is not wholly written") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/v";
  VectorCache first(path, numbered(1), width);
  first.append({{numbered(0), vectorOf(0)}});
  VectorCache second(path, numbered(1), width);
  const std::string before = bytesOf(path);
  first.append({{numbered(1), vectorOf(1)}});
  const std::string after = bytesOf(path);
  for (std::size_t size = before.size(); size <= after.size(); ++size) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << after.substr(0, size);
    second.refresh();
    checkHolds(second, size < after.size() ? 1 : 2);
    CHECK(std::filesystem::file_size(path) == size); // a follower cuts nothing off
  }
}

TEST_CASE("a vector file of another model is not followed, and replaced after its writer's end") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/v";
  auto first = std::make_unique<VectorCache>(path, numbered(1), width);
  first->append({{numbered(0), vectorOf(0)}});
  VectorCache second(path, numbered(2), width);
  CHECK(second.isFollowing());
  CHECK(second.size() == 0);
  first->append({{numbered(1), vectorOf(1)}});
  second.refresh();
  CHECK(second.size() == 0);
  checkHolds(*first, 2);
  first.reset();
  second.refresh();
  CHECK(!second.isFollowing());
  second.append({{numbered(0), vectorOf(0)}});
  checkHolds(second, 1);
  checkHolds(VectorCache(path, numbered(2), width), 1);
}

TEST_CASE("a vector file of texts that are gone is made small again") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/v";
  {
    VectorCache cache(path, numbered(1), width);
    std::vector<std::pair<Blake3::Digest, QuantisedVector>> many;
    for (std::size_t each = 0; each < 1100; ++each) {
      Blake3::Digest text{};
      text[0] = static_cast<std::uint8_t>(each);
      text[1] = static_cast<std::uint8_t>(each >> 8U);
      text[2] = 1;
      many.emplace_back(text, vectorOf(7));
    }
    cache.append(many);
    CHECK(!cache.isWasteful(1100));
    CHECK(cache.isWasteful(10));
    cache.append({{numbered(0), vectorOf(0)}});
    cache.compact({numbered(0)});
    checkHolds(cache, 1);
  }
  CHECK(std::filesystem::file_size(path) < 200);
  checkHolds(VectorCache(path, numbered(1), width), 1);
}
