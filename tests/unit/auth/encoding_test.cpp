// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "encoding/base64url.hpp"
#include "encoding/strict_json.hpp"
#include "http/url.hpp"

using namespace skillhost;

TEST_CASE("base64url has one spelling") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    CHECK(encoding::decodeBase64Url(encoding::encodeBase64Url(bytes)) == bytes);
    bytes += static_cast<char>(i);
  }
  CHECK(encoding::encodeBase64Url("\xfb\xff") == "-_8");
  for (const char *wrong : {"A", "AB==", "-_9", "+/8=", "+/8A", "AA A", "AAAA\n"}) {
    CAPTURE(wrong);
    CHECK_FALSE(encoding::decodeBase64Url(wrong).has_value());
  }
}

TEST_CASE("JSON that can be read in one way only") {
  CHECK(encoding::readJsonObject(R"({"a":{"b":[1,{"a":2}]},"c":{"b":1}})").has_value());
  for (const char *wrong :
       {"", "[]", "1", "{", "{}x", R"({"a":1,"a":1})", R"({"x":[{"b":1,"b":2}]})",
        R"({"a":1,"\u0061":1})", "{\"a\":\"\xc0\xaf\"}", "{\"a\":NaN}"}) {
    CAPTURE(wrong);
    CHECK_FALSE(encoding::readJsonObject(wrong).has_value());
  }
  const std::string deep = R"({"a":)" + std::string(15, '[') + std::string(15, ']') + '}';
  CHECK(encoding::readJsonObject(deep).has_value());
  CHECK_FALSE(encoding::readJsonObject(deep, 15).has_value());
  CHECK_FALSE(encoding::readJsonObject(R"({"a":)" + std::string(200'000, '[')).has_value());
}

TEST_CASE("addresses a provider may have") {
  for (const char *good : {"https://id.example.org", "https://id.example.org:8443/a?b=c",
                           "http://127.0.0.1:9400/x", "http://localhost", "http://[::1]:80/"}) {
    CAPTURE(good);
    CHECK(http::isAllowedUrl(good));
  }
  for (const char *wrong :
       {"", "id.example.org", "http://id.example.org", "http://127.0.0.1.example.org/",
        "http://localhost@example.org/", "https://user:pass@id.example.org", "https:///x",
        "https://:80/", "ftp://127.0.0.1/", "file:///etc/passwd", "https://a b/", "https://a/\n",
        "https://a/#x", "HTTPS://a/"}) {
    CAPTURE(wrong);
    CHECK_FALSE(http::isAllowedUrl(wrong));
  }
  CHECK_FALSE(http::isAllowedUrl("https://a/" + std::string(2'048, 'a')));
  CHECK(http::formEncoded("a b&c=\xc3\xa9~") == "a%20b%26c%3D%C3%A9~");
  CHECK(http::withoutQuery("https://a/b?token=c") == "https://a/b");
}
