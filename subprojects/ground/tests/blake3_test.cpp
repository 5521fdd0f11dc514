// SPDX-License-Identifier: Apache-2.0
// Input of the official test vectors: the bytes 0 to 250, repeated.
#include "catch2.hpp"
#include "ground/blake3.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace skillhost;

namespace {

std::string counting(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i % 251);
  return bytes;
}

const std::string of102400 = "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085";

} // namespace

TEST_CASE("BLAKE3 agrees with the official vectors") {
  CHECK(blake3Hex("") == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  CHECK(blake3Hex(counting(1024)) ==
        "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7");
  CHECK(blake3Hex(counting(102400)) == of102400);
}

TEST_CASE("a file has the digest of its bytes, and one that is not there has none") {
  namespace fs = std::filesystem;
  const fs::path path =
      fs::temp_directory_path() / ("skillhost-blake3-" + std::to_string(::getpid()));
  const std::string bytes = counting(1'000'000);
  std::ofstream(path, std::ios::binary) << bytes;
  const Result<std::string> digest = blake3OfFile(path.string());
  fs::remove(path);
  REQUIRE(digest);
  CHECK(*digest == blake3Hex(bytes));
  CHECK(blake3OfFile(path.string()).failure().fault == Fault::NotFound);
  CHECK(blake3OfFile(fs::temp_directory_path().string()).failure().fault == Fault::NotFound);
}
