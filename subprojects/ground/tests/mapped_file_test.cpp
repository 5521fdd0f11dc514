// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/descriptor.hpp"
#include "ground/mapped_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <system_error>

using namespace skillhost;

TEST_CASE("a part of a file is mapped, wherever it begins") {
  const Descriptor file(::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  REQUIRE(file);
  std::string text;
  for (int number = 0; text.size() < 20'000; ++number) text += std::to_string(number) + ' ';
  REQUIRE(writeAll(file.number(), text));
  for (const std::size_t offset : {0, 1, 4095, 4096, 8200, 20'000}) {
    const MappedFile part(file.number(), offset, text.size() - offset);
    CHECK(part.bytes() == std::string_view(text).substr(offset));
    part.release();
    CHECK(part.bytes() == std::string_view(text).substr(offset));
  }
  CHECK(MappedFile(file.number(), 5, 3).bytes() == text.substr(5, 3));
  CHECK_THROWS_AS(MappedFile(file.number(), 0, text.size() + 1), std::system_error);
  CHECK_THROWS_AS(MappedFile(file.number(), UINT64_MAX, 1), std::system_error);
  CHECK_THROWS_AS(MappedFile(-1, 0, 1), std::system_error);
}
