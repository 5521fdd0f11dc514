// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/base64.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("base64url has one spelling") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    CHECK(decodeBase64Url(encodeBase64Url(bytes)) == bytes);
    bytes += static_cast<char>(i);
  }
  CHECK(encodeBase64Url("\xfb\xff") == "-_8");
  for (const char *wrong : {"A", "AB==", "-_9", "+/8=", "+/8A", "AA A", "AAAA\n"}) {
    CAPTURE(wrong);
    CHECK_FALSE(decodeBase64Url(wrong).has_value());
  }
}

TEST_CASE("base64 has one spelling, and is decoded where it stands") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    std::string text = encodeBase64(bytes);
    CHECK(text.size() == base64Size(bytes.size()));
    CHECK(decodeBase64(text) == bytes);
    const std::optional<std::size_t> size = decodeBase64(text, text.data());
    REQUIRE(size == bytes.size());
    CHECK(text.substr(0, *size) == bytes);
    bytes += static_cast<char>(i);
  }
  CHECK(encodeBase64("\xfb\xff") == "+/8=");
  for (const char *wrong : {"A", "AA", "AAA", "=", "====", "A===", "AB==", "AAB=", "-_8=", "AA=A",
                            "AAAA=", "AA==AAAA", "AAAA\n", " AAA"}) {
    CAPTURE(wrong);
    CHECK_FALSE(decodeBase64(wrong).has_value());
  }
}
