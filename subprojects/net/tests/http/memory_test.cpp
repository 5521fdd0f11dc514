// SPDX-License-Identifier: Apache-2.0
// Lets each allocation fail in turn, on the thread of all connections and on the one that reads
// stdio.
#include "catch2.hpp"
#include "failing_memory.hpp"
#include "net/stdio.hpp"
#include "raw_client.hpp"

#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

const std::string body(100'000, 'x');

// After the answer to /lack?N, the allocations of this thread fail after N more.
void lackOrEcho(const std::shared_ptr<HttpExchange> &exchange, Lack lack) {
  if (exchange->request().path != "/lack") return echo(exchange);
  const std::size_t successes = std::stoul(std::string(exchange->request().query));
  exchange->respond({200, "text/plain", {}, Fragments("ok")});
  lackMemory(successes, lack);
}

// Returns true if `told` is one whole answer, or empty.
bool isWhole(const std::string &told) {
  if (told.empty()) return true;
  const std::size_t end = told.find("\r\n\r\n"), length = told.find("Content-Length: ");
  if (end == std::string::npos || length == std::string::npos) return false;
  return told.size() - end - 4 == std::stoul(told.substr(length + 16));
}

bool begins(const std::string &told, const char *status) {
  return told.starts_with("HTTP/1.1 " + std::string(status) + ' ');
}

} // namespace

TEST_CASE("whichever allocation fails, a request over HTTP is answered or its connection ends") {
  const auto kind = Lack::Once;
  RunningServer running([&](const auto &exchange) { lackOrEcho(exchange, kind); });
  std::size_t refused = 0, successes = 0;
  for (;; ++successes) {
    const std::size_t before = failedAllocations();
    RawClient first(running.endpoint());
    first.send("GET /lack?" + std::to_string(successes) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    REQUIRE(first.answer().status == 200);
    RawClient client(running.endpoint());
    client.send("POST /p HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    const std::string told = client.theRest();
    CAPTURE(successes, told.substr(0, 300));
    CHECK(isWhole(told));
    CHECK((told.empty() || begins(told, "200") || begins(told, "500") || begins(told, "503")));
    if (begins(told, "503")) ++refused;
    if (failedAllocations() == before) {
      CHECK(begins(told, "200"));
      break;
    }
  }
  CHECK(successes > 10);
  CHECK(refused > 0);
}

TEST_CASE("when no memory is left at all, the server lives on and serves when there is some") {
  for (std::size_t successes = 0; successes < 40; ++successes) {
    RunningServer running([&](const auto &exchange) {
      haveMemory();
      lackOrEcho(exchange, Lack::Lasting);
    });
    RawClient first(running.endpoint());
    first.send("GET /lack?" + std::to_string(successes) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    REQUIRE(first.answer().status == 200);
    {
      RawClient client(running.endpoint());
      client.send(
          "POST /p HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc");
      CHECK(isWhole(client.theRest()));
    }
  }
}

TEST_CASE("whichever allocation fails, lines on stdio are read, or refused as too long") {
  const std::string text = std::string(300'000, 'x') + "\nlast\n";
  for (const Lack lack : {Lack::Once, Lack::Lasting})
    for (std::size_t successes = 1;; ++successes) { // the first allocation is the initial buffer
      CAPTURE(successes, lack == Lack::Lasting);
      std::array<int, 2> in{}, out{};
      REQUIRE(::pipe(in.data()) == 0);
      REQUIRE(::pipe(out.data()) == 0);
      std::thread writer([&] {
        for (std::size_t at = 0; at < text.size();) {
          const ssize_t written = ::write(in[1], text.data() + at, text.size() - at);
          if (written <= 0) break;
          at += static_cast<std::size_t>(written);
        }
        ::close(in[1]);
      });
      std::size_t lines = 0, refused = 0;
      const LineHandler handler{[&](std::string_view) { ++lines; }, [](std::string_view) {},
                                [&](std::size_t) { ++refused; }};
      StdioTransport transport(in[0], out[1], 1'000'000);
      const std::size_t before = failedAllocations();
      lackMemory(successes, lack);
      const StdioTransport::End end = transport.run(handler);
      haveMemory();
      writer.join();
      for (const int each : {in[0], out[0], out[1]}) ::close(each);
      CHECK(end == StdioTransport::End::Input);
      CHECK(lines + refused == 2);
      CHECK(lines >= 1); // the short line is read in any case
      if (failedAllocations() != before) continue;
      CHECK(lines == 2);
      CHECK(successes > 1);
      break;
    }
}
