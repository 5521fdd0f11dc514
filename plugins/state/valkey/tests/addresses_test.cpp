// SPDX-License-Identifier: Apache-2.0
// Tests addresses as operators write them.
#include "address.hpp"
#include "catch2.hpp"

using namespace skillhost::valkey;

namespace {

std::string understood(std::string_view text) {
  const auto address = readAddress(text, 6'379);
  return address ? address->text() : "nothing";
}

} // namespace

TEST_CASE("addresses are read as they are written") {
  CHECK(understood("engine.example") == "engine.example:6379");
  CHECK(understood("engine.example:7") == "engine.example:7");
  CHECK(understood("127.0.0.1:65535") == "127.0.0.1:65535");
  CHECK(understood("[::1]") == "[::1]:6379");
  CHECK(understood("[fe80::1]:5") == "[fe80::1]:5");
  CHECK(understood("/run/valkey.sock") == "/run/valkey.sock");
  CHECK(understood("unix:/run/valkey.sock") == "/run/valkey.sock");
  CHECK(readAddress("/run/valkey.sock", 1)->isPath());
}

TEST_CASE("what is no address is none") {
  for (const char *const text :
       {"", ":1", "a:", "a:0", "a:65536", "a:-1", "a:1x", "a:b:1", "a b", "[::1", "[]:1", "[a.b]:1",
        "[::1]1", "[::1]:", "a/b", "unix:relative", "redis://a:1"}) {
    INFO(text);
    CHECK(understood(text) == "nothing");
  }
  CHECK(understood("/" + std::string(107, 'a')) == "nothing");
  CHECK(understood(std::string(254, 'a')) == "nothing");
  CHECK(understood(std::string_view("/a\0b", 4)) == "nothing");
}
