// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "net/listen_address.hpp"

#include <optional>
#include <stdexcept>
#include <string>

using namespace skillhost;

namespace {

constexpr AddressKey key{"http.listen", "HOST:PORT"};

std::string read(const char *text, std::optional<std::uint16_t> port = 7800) {
  const HttpAddress address = addressOf(text, port, key);
  return address.path.empty() ? address.host + ' ' + std::to_string(address.port) : address.path;
}

} // namespace

TEST_CASE("an address is a host with or without a port, or a socket") {
  CHECK(read("127.0.0.1") == "127.0.0.1 7800");
  CHECK(read("localhost:80") == "localhost 80");
  CHECK(read("[::1]") == "::1 7800");
  CHECK(read("[::1]:80", std::nullopt) == "::1 80");
  CHECK(read("unix:/run/a.sock") == "/run/a.sock");
  for (const char *wrong : {"", ":80", "a:", "a:x", "a:65536", "[::1", "[::1]80", "unix:a.sock"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(read(wrong), std::runtime_error);
  }
  CHECK_THROWS_WITH(read("localhost", std::nullopt),
                    "http.listen: \"localhost\" is no address: write HOST:PORT");
}

TEST_CASE("loopback addresses are told from all others") {
  for (const char *local : {"127.0.0.1", "127.200.0.9", "localhost", "[::1]", "unix:/run/a.sock"})
    CHECK(isLoopback(addressOf(local, 0, key)));
  for (const char *open : {"0.0.0.0", "[::]", "10.0.0.7", "skills.example.org", "1270.0.0.1"})
    CHECK_FALSE(isLoopback(addressOf(open, 0, key)));
}
