// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "request_parser.hpp"

#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::http;

namespace {

// Parses bytes that arrive in pieces of one size; 0: all at once.
struct Parsed {
  explicit Parsed(const std::string &bytes, std::size_t piece = 0, std::size_t maxBody = 1000) {
    RequestParser parser({2048, 10}, maxBody, request, head, body);
    std::string waiting;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = piece == 0 ? bytes.size() : piece;
      waiting.append(bytes, at, size);
      at += size;
      for (std::size_t used = 1; used != 0;) waiting.erase(0, used = parser.feed(waiting));
      if (parser.state() == RequestParser::State::Complete) break;
      if (parser.state() == RequestParser::State::Refused) break;
    }
    state = parser.state();
    status = parser.refusal().status;
    keepAlive = parser.keepAlive();
    rest = waiting;
  }
  HttpRequest request;
  std::string head, body, rest;
  RequestParser::State state = RequestParser::State::Head;
  int status = 0;
  bool keepAlive = false;
};

std::string line(const std::string &target) { return "GET " + target + " HTTP/1.1\r\n"; }

int refusalOf(const std::string &bytes) {
  const Parsed whole(bytes);
  const Parsed pieces(bytes, 1);
  CHECK(pieces.state == whole.state);
  if (whole.state != RequestParser::State::Refused) return 0;
  CHECK(pieces.status == whole.status);
  return whole.status;
}

constexpr const char *host = "Host: x\r\n";

} // namespace

TEST_CASE("a request is taken apart, however it is cut") {
  const std::string bytes =
      "POST /mcp/a?b?c HTTP/1.1\r\nHost: x\r\nMCP-Thing:  a b \t\r\n"
      "Accept: one\r\naccept:two\r\nEmpty:\r\nContent-Length: 5\r\n\r\nhelloGET";
  for (std::size_t piece = 0; piece < 20; ++piece) {
    const Parsed parsed(bytes, piece);
    REQUIRE(parsed.state == RequestParser::State::Complete);
    CHECK(parsed.request.method == "POST");
    CHECK(parsed.request.path == "/mcp/a");
    CHECK(parsed.request.query == "b?c");
    CHECK(parsed.request.field("mcp-thing") == "a b");
    CHECK(parsed.request.field("accept") == "one");
    CHECK(parsed.request.count("accept") == 2);
    CHECK(parsed.request.field("empty") == "");
    CHECK(parsed.request.body == "hello");
    CHECK(parsed.keepAlive);
    if (piece == 0) CHECK(parsed.rest == "GET");
  }
}

TEST_CASE("a chunked body is put together, however it is cut") {
  const std::string bytes =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "3\r\nabc\r\n0A;name=\"value\"\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
  for (std::size_t piece = 0; piece < 30; ++piece) {
    const Parsed parsed(bytes, piece);
    REQUIRE(parsed.state == RequestParser::State::Complete);
    CHECK(parsed.request.body == "abc0123456789");
    CHECK_FALSE(parsed.request.field("trailer"));
  }
}

TEST_CASE("the target may be a path, an http URL or *") {
  CHECK(Parsed(line("http://x:80/c?d") + host + "\r\n").request.path == "/c");
  CHECK(Parsed(line("HTTPS://X") + host + "\r\n").request.path == "/");
  CHECK(Parsed(line("http://x?c") + host + "\r\n").request.query == "c");
  CHECK(Parsed("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").request.path == "*");
  for (const char *bad : {"a", "a.b:443", "ftp://a/b", "http://", "http:///a", "/a#b", "/\x01",
                          "/\x7f", "", "http://u@a/b", "http://a:99999/b", "http://[::1/b"}) {
    CAPTURE(bad);
    CHECK(refusalOf(line(bad) + host + "\r\n") == 400);
  }
}

TEST_CASE("a target in absolute form names the host of Host") {
  const auto asked = [](const std::string &target, const std::string &name) {
    return line(target) + "Host: " + name + "\r\n\r\n";
  };
  struct Case {
    const char *target, *host;
    int status;
  };
  for (const Case &one :
       {Case{"http://a.b/c", "a.b", 0}, Case{"http://A.b/c", "a.B:80", 0},
        Case{"https://a.b:443/c", "a.b", 0}, Case{"http://a.b:/c", "a.b", 0},
        Case{"http://[::1]:8080/c", "[::1]:8080", 0}, Case{"http://evil.example/c", "a.b", 400},
        Case{"http://a.b:81/c", "a.b", 400}, Case{"http://a.b/c", "", 400},
        Case{"https://a.b:80/c", "a.b", 400}, Case{"http://[::1]/c", "[::2]", 400}}) {
    CAPTURE(one.target, one.host);
    CHECK(refusalOf(asked(one.target, one.host)) == one.status);
  }
}

TEST_CASE("a field that says one thing is given once") {
  const std::string get = line("/") + host;
  for (const char *name :
       {"Origin", "oRIGIN", "Content-Type", "Last-Event-ID", "X-Hub-Signature-256"}) {
    CAPTURE(name);
    const std::string field = std::string(name) + ": a\r\n";
    CHECK(refusalOf(get + field + "\r\n") == 0);
    CHECK(refusalOf(get + field + "A: b\r\n" + field + "\r\n") == 400);
  }
  CHECK(refusalOf(get + "Accept: a\r\nAccept: b\r\n\r\n") == 0);
}

TEST_CASE("Host is an authority and nothing else") {
  const auto asked = [](const std::string &name) {
    return line("/") + "Host: " + name + "\r\n\r\n";
  };
  for (const char *good : {"", "x", "X.example", "x:80", "x:", "192.0.2.1:8080", "[::1]",
                           "[::1]:80", "[::ffff:192.0.2.1]:1", "a_b-c.example"}) {
    CAPTURE(good);
    CHECK(Parsed(asked(good)).request.field("host") == good);
  }
  for (const char *bad : {"a/b",     "a/../b",    "u@x", "x:a",      "x:1:2",
                          "x:65536", "x y",       "x,y", "[::1",     "[]",
                          "[::1]80", "[::1]x:80", ":80", "a%2fb",    "http://x",
                          "x?y",     "x#y",       "::1", "[::1%lo]", "\xc3\xa9.example"}) {
    CAPTURE(bad);
    CHECK(refusalOf(asked(bad)) == 400);
  }
}

TEST_CASE("the connection stays open as the version and Connection say") {
  CHECK(Parsed(line("/") + host + "\r\n").keepAlive);
  CHECK_FALSE(Parsed(line("/") + host + "Connection: x, Close\r\n\r\n").keepAlive);
  CHECK_FALSE(Parsed("GET / HTTP/1.0\r\n\r\n").keepAlive);
}

TEST_CASE("what two readers could take differently is refused") {
  const std::string post = "POST / HTTP/1.1\r\nHost: x\r\n";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n";
  struct Case {
    std::string bytes;
    int status;
  };
  const std::vector<Case> cases = {
      {post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {chunked + "Content-Length: 1\r\n\r\n0\r\n\r\n", 400},
      {post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
      {post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 400},
      {post + "Content-Length: 1, 1\r\n\r\na", 400},
      {post + "Content-Length: +1\r\n\r\na", 400},
      {post + "Content-Length: -1\r\n\r\na", 400},
      {post + "Content-Length: 0x1\r\n\r\na", 400},
      {post + "Content-Length: 1 1\r\n\r\na", 400},
      {post + "Content-Length:\r\n\r\n", 400},
      {post + "Content-Length : 1\r\n\r\na", 400},
      {post + "Content-Length: 1\r\n folded\r\n\r\na", 400},
      {post + "Content-Length: 1\n\r\n\r\na", 400},
      {post + "Content-Length: 1\r\n\nGET / HTTP/1.1\r\n\r\n", 400},
      {post + "A: b\rContent-Length: 1\r\n\r\na", 400},
      {post + std::string("A: b\0c\r\n\r\n", 10), 400},
      {post + "A: b\x01\r\n\r\n", 400},
      {post + "A b: c\r\n\r\n", 400},
      {post + "no colon\r\n\r\n", 400},
      {post + ": no name\r\n\r\n", 400},
      {post + "\r\n", 411},
      {chunked + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {post + "Transfer-Encoding: gzip\r\n\r\n", 501},
      {post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
      {post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 501},
      {post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
      {post + "Transfer-Encoding: \x0b"
              "chunked\r\n\r\n0\r\n\r\n",
       400},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {post + "Host: y\r\nContent-Length: 0\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505},
      {"GET / HTTP/1.2\r\nHost: x\r\n\r\n", 505},
      {"GET /\r\n\r\n", 400},
      {" GET / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"\x16\x03\x01\x02\n", 400},
      {chunked + "\r\nx\r\n", 400},
      {chunked + "\r\n-1\r\n", 400},
      {chunked + "\r\n0x1\r\na\r\n", 400},
      {chunked + "\r\n1\r\nab\r\n", 400},
      {chunked + "\r\n1\na\r\n0\r\n\r\n", 400},
      {chunked + "\r\nfffffffffffffffff\r\n", 400},
      {chunked + "\r\n1;" + std::string(5000, 'e') + "\r\na\r\n", 400},
      {chunked + "\r\n0\r\nA: b\r\nno colon\r\n\r\n", 400},
      {chunked + "\r\n0\r\n" + std::string(5000, 'A') + ": b\r\n\r\n", 400},
  };
  for (const Case &each : cases) {
    CAPTURE(each.bytes);
    CHECK(refusalOf(each.bytes) == each.status);
  }
}

TEST_CASE("what is too large, or not understood, is refused") {
  const std::string post = "POST / HTTP/1.1\r\nHost: x\r\n";
  CHECK(refusalOf(line("/" + std::string(3000, 'a'))) == 431);
  CHECK(refusalOf(line("/") + host + "A: " + std::string(3000, 'a') + "\r\n\r\n") == 431);
  std::string fields;
  for (int i = 0; i < 10; ++i) fields += "A: b\r\n";
  CHECK(refusalOf(line("/") + host + fields + "\r\n") == 431);
  CHECK(refusalOf(post + "Content-Length: 1001\r\n\r\n") == 413);
  CHECK(refusalOf(post + "Content-Length: 99999999999999999999\r\n\r\n") == 400);
  CHECK(refusalOf(post + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n") == 413);
  CHECK(refusalOf(post + "Expect: much\r\nContent-Length: 1\r\n\r\na") == 417);
  const std::string chunk = "1f4\r\n" + std::string(500, 'a') + "\r\n";
  const std::string three =
      post + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + "1\r\na\r\n";
  CHECK(refusalOf(three) == 413);
}
