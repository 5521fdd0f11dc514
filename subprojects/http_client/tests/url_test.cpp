// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "http_client/url.hpp"

using namespace skillhost;

TEST_CASE("addresses a provider may have") {
  for (const char *good : {"https://id.example.org", "https://id.example.org:8443/a?b=c",
                           "http://127.0.0.1:9400/x", "http://localhost", "http://[::1]:80/"}) {
    CAPTURE(good);
    CHECK(web::isAllowedUrl(good));
  }
  for (const char *wrong :
       {"", "id.example.org", "http://id.example.org", "http://127.0.0.1.example.org/",
        "http://localhost@example.org/", "https://user:pass@id.example.org", "https:///x",
        "https://:80/", "ftp://127.0.0.1/", "file:///etc/passwd", "https://a b/", "https://a/\n",
        "https://a/#x", "HTTPS://a/"}) {
    CAPTURE(wrong);
    CHECK_FALSE(web::isAllowedUrl(wrong));
  }
  CHECK_FALSE(web::isAllowedUrl("https://a/" + std::string(2'048, 'a')));
  CHECK(web::formEncoded("a b&c=\xc3\xa9~") == "a%20b%26c%3D%C3%A9~");
  CHECK(web::withoutQuery("https://a/b?token=c") == "https://a/b");
}
