// SPDX-License-Identifier: Apache-2.0
// Tests which requests the forwarder understands, and which proxy it uses.
#include "catch2.hpp"
#include "network/forward_request.hpp"
#include "network/upstream.hpp"

#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::network;

namespace {

Result<ForwardRequest> parsed(std::string line, const std::string &fields = "") {
  return parseForwardRequest(line.append("\r\n").append(fields).append("\r\n"));
}

} // namespace

TEST_CASE("a tunnel and a request for http are understood") {
  const auto tunnel =
      parsed("CONNECT API.github.com:443 HTTP/1.1", "Proxy-Authorization: Basic eDp5\r\n");
  REQUIRE(tunnel);
  CHECK(tunnel->tunnel);
  CHECK(tunnel->authority == "api.github.com:443");
  CHECK(tunnel->credentials == "Basic eDp5");
  CHECK(tunnel->head(true, "Basic dTpw") ==
        "CONNECT api.github.com:443 HTTP/1.1\r\nHost: api.github.com:443\r\n"
        "Proxy-Authorization: Basic dTpw\r\n\r\n");
  const auto request =
      parsed("GET http://A.example?x HTTP/1.1",
             "Host: evil.example\r\nProxy-Authorization: Basic eDp5\r\nConnection: X-One, close\r\n"
             "X-One: 1\r\nX-Two: 2\r\nUpgrade: websocket\r\nContent-Length: 3\r\n");
  REQUIRE(request);
  CHECK(request->port == 80);
  CHECK(request->bodyBytes == 3);
  CHECK(request->head(false, "") == "GET /?x HTTP/1.1\r\nHost: a.example\r\nX-Two: 2\r\n"
                                    "Content-Length: 3\r\nConnection: close\r\n\r\n");
  CHECK(request->head(true, "Basic dTpw")
            .starts_with("GET http://a.example:80/?x HTTP/1.1\r\nHost: "
                         "a.example\r\nProxy-Authorization: Basic dTpw\r\n"));
  const auto six = parsed("CONNECT [2001:DB8::1]:8080 HTTP/1.0");
  REQUIRE(six);
  CHECK(six->authority == "[2001:db8::1]:8080");
}

TEST_CASE("any other head is refused, whatever its bytes") {
  for (const char *line :
       {"", "GET", "GET / HTTP/1.1", "CONNECT a.example HTTP/1.1", "CONNECT a.example: HTTP/1.1",
        "CONNECT a.example:0 HTTP/1.1", "CONNECT a.example:+80 HTTP/1.1",
        "CONNECT u@a.example:80 HTTP/1.1", "CONNECT http://a.example:80 HTTP/1.1",
        "GET http:/a HTTP/1.1", "GET http:// HTTP/1.1", "GET http://a.example/ HTTP/1.1 ",
        "GET http://a.example/#x HTTP/1.1", "GET http://a.example/\t HTTP/1.1",
        "GET http://a.example/ HTTP/3", "connect a.example:443 HTTP/1.1",
        "G@T http://a.example/ HTTP/1.1"}) {
    INFO(line);
    CHECK_FALSE(parsed(line));
  }
  // Changes or removes each byte of the head. The parser must refuse the result or read only what
  // it says.
  const std::string whole =
      "GET http://a.example:81/b HTTP/1.1\r\nA: b\r\nContent-Length: 3\r\n\r\n";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string less = whole;
    less.erase(at, 1);
    for (int byte = -1; byte < 256; ++byte) {
      std::string head = less;
      if (byte >= 0) head.insert(at, 1, static_cast<char>(byte));
      const auto request = parseForwardRequest(head);
      if (!request) continue;
      const std::string sent = request->head(false, "");
      INFO(head);
      CHECK(sent.find("\r\n\r\n") == sent.size() - 4);
      CHECK(sent.find('\0') == std::string::npos);
      CHECK(request->host.text.find_first_of("/@ \r\n") == std::string::npos);
    }
  }
}

TEST_CASE("the proxy of the environment") {
  const auto full = parseUpstream("http://us%40er:pass%3aword@Proxy.example:3128/");
  REQUIRE(full);
  CHECK(full->host == "proxy.example");
  CHECK(full->port == 3128);
  CHECK(full->credentials == basicCredentials("us@er:pass:word"));
  CHECK(basicCredentials("user:hush") == "Basic dXNlcjpodXNo");
  CHECK(basicCredentials("a:") == "Basic YTo=");
  CHECK(basicCredentials("ab:d") == "Basic YWI6ZA==");
  const auto short_ = parseUpstream("[::1]");
  REQUIRE(short_);
  CHECK(short_->host == "::1");
  CHECK(short_->port == 1080);
  CHECK(short_->credentials.empty());
  for (const char *wrong :
       {"socks5://u:hush@h:1", "https://h", "http://", "http://h:0", "http://h:x", "http://h h"}) {
    const auto upstream = parseUpstream(wrong);
    INFO(wrong);
    REQUIRE_FALSE(upstream);
    CHECK(upstream.failure().message.find("hush") == std::string::npos);
  }
}
