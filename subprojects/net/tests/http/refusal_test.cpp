// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.hpp"
#include "catch2.hpp"
#include "raw_client.hpp"

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

using Kept = std::shared_ptr<HttpExchange>;
using std::chrono::milliseconds;

constexpr std::size_t largeBody = 1'000'000; // bytes of a body

std::string postOf(std::size_t size) {
  return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" +
         std::string(size, 'x');
}

double refusals(int status) {
  return metrics::all()
      .counter({"skillhost_http_requests_refused_total", {{"status", std::to_string(status)}}})
      .value();
}

} // namespace

TEST_CASE("what follows a refused request is not served") {
  Inbox<std::string> paths;
  RunningServer running([&](const Kept &exchange) {
    paths.put(std::string(exchange->request().path));
    echo(exchange);
  });
  const double before = refusals(400);
  RawClient client(running.endpoint());
  client.send(
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
      "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
  const Answer answer = client.answer();
  CHECK(answer.status == 400);
  CHECK(answer.has("Connection: close\r\n"));
  CHECK(client.ended());
  CHECK(paths.empty());
  CHECK(refusals(400) == before + 1);
}

TEST_CASE("a body over the limit is refused before it comes, and the client hears why") {
  HttpSettings settings;
  settings.maxBodyBytes = 1000;
  RunningServer running(echo, settings);
  RawClient client(running.endpoint());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n");
  client.send(std::string(3'000'000, 'x'));
  CHECK(client.answer().status == 413);
  client.close();
  RawClient asking(running.endpoint());
  asking.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n");
  CHECK(asking.answer().status == 413);
}

TEST_CASE("who asks before it sends a body is told to go on") {
  RunningServer running(echo);
  RawClient client(running.endpoint());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  CHECK(client.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  CHECK(client.answer().body == "POST /  ab");
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\ncd");
  CHECK(client.answer().status == 200); // the body was already there
}

TEST_CASE("a large body comes through, whole and in chunks") {
  RunningServer running([](const Kept &exchange) {
    exchange->readBody([exchange] {
      exchange->respond(
          {200, "text/plain", {}, Fragments(std::to_string(exchange->request().body.size()))});
    });
  });
  RawClient client(running.endpoint());
  const std::string body(5'000'000, 'x');
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" + body);
  CHECK(client.answer().body == "5000000");
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4C4B40\r\n" + body +
              "\r\n0\r\n\r\n");
  CHECK(client.answer().body == "5000000");
}

TEST_CASE("nobody may take its time") {
  HttpSettings settings;
  settings.headTimeout = settings.bodyTimeout = milliseconds(60);
  settings.idleTimeout = milliseconds(60);
  RunningServer running(echo, settings);
  SECTION("with the head") {
    RawClient client(running.endpoint());
    client.send("GET / HTTP/1.1\r\nHo");
    CHECK(client.answer().status == 408);
    CHECK(client.ended());
  }
  SECTION("with the body") {
    RawClient client(running.endpoint());
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab");
    CHECK(client.answer().status == 408);
    CHECK(client.ended());
  }
  SECTION("with a line of a chunk") {
    RawClient client(running.endpoint());
    client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1");
    CHECK(client.answer().status == 408);
  }
  SECTION("before the first request") { CHECK(RawClient(running.endpoint()).ended()); }
  SECTION("between two requests") {
    RawClient client(running.endpoint());
    client.send(get);
    CHECK(client.answer().status == 200);
    CHECK(client.ended());
  }
}

TEST_CASE("a body that comes fast enough may take longer") {
  HttpSettings settings;
  settings.bodyTimeout = milliseconds(400);
  settings.minBytesPerSecond = 1;
  settings.headTimeout = milliseconds(20);
  RunningServer running(echo, settings);
  RawClient client(running.endpoint());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
  std::size_t sent = 0;
  const auto end = std::chrono::steady_clock::now() + 2 * settings.bodyTimeout;
  while (std::chrono::steady_clock::now() < end) {
    client.send("x");
    ++sent;
    RawClient between(running.endpoint()); // is refused after headTimeout
    between.send("GET");
    CHECK(between.answer().status == 408);
  }
  client.send(std::string(100'000 - sent, 'x'));
  CHECK(client.answer().status == 200);
}

TEST_CASE("what came fast at first buys a body no time") {
  HttpSettings settings;
  settings.bodyTimeout = milliseconds(20);
  RunningServer running(echo, settings);
  RawClient client(running.endpoint());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000001\r\n\r\n" +
              std::string(1'000'000, 'x'));
  CHECK(client.answer().status == 408);
}

TEST_CASE("bodies under way are bounded, for all and for each peer") {
  HttpSettings settings;
  SECTION("for all") { settings.maxHeldBodyBytes = 1U << 20U; }
  SECTION("for each peer") { settings.maxHeldBodyBytesOfPeer = 1U << 20U; }
  const bool isKeptElsewhere = GENERATE(false, true);
  Inbox<Kept> kept;
  RunningServer running(
      [&](const Kept &exchange) {
        const auto whole = [&kept, exchange] { kept.put(exchange); };
        if (!isKeptElsewhere) return exchange->readBody(whole);
        const auto bytes = std::make_shared<std::size_t>(0);
        exchange->readBody(whole, largeBody,
                           [bytes](std::string_view piece) { return *bytes += piece.size(); });
      },
      settings);
  constexpr std::size_t usual = 60'000;
  RawClient first(running.endpoint());
  first.send(postOf(largeBody));
  Kept held = kept.take();
  RawClient second(running.endpoint());
  second.send(postOf(largeBody));
  const Answer refused = second.answer();
  CHECK(refused.status == 503);
  CHECK(refused.has("Retry-After: 1\r\n"));
  // A body of usual length is not counted.
  RawClient third(running.endpoint());
  third.send(postOf(usual));
  kept.take()->respond({});
  CHECK(third.answer().status == 200);
  // The end of a request gives back its bytes.
  held->respond({});
  held.reset();
  CHECK(first.answer().status == 200);
  RawClient fourth(running.endpoint());
  fourth.send(postOf(largeBody));
  kept.take()->respond({});
  CHECK(fourth.answer().status == 200);
}

TEST_CASE("bytes of a body that are no longer kept elsewhere leave room for others") {
  HttpSettings settings;
  settings.maxHeldBodyBytesOfPeer = 1U << 20U;
  Inbox<Kept> kept;
  RunningServer running(
      [&](const Kept &exchange) {
        const auto bytes = std::make_shared<std::size_t>(0);
        exchange->readBody([&kept, exchange] { kept.put(exchange); }, largeBody,
                           [bytes](std::string_view piece) {
                             *bytes += piece.size();
                             return *bytes == largeBody ? 0
                                                        : *bytes; // the last piece is read at once
                           });
      },
      settings);
  RawClient first(running.endpoint()), second(running.endpoint());
  first.send(postOf(largeBody));
  const Kept held = kept.take();
  second.send(postOf(largeBody));
  kept.take()->respond({});
  CHECK(second.answer().status == 200);
  held->respond({});
  CHECK(first.answer().status == 200);
}

TEST_CASE("a client that does not read its answer is dropped") {
  Inbox<int> gone;
  Inbox<Kept> kept;
  HttpSettings settings;
  settings.writeTimeout = milliseconds(60);
  RunningServer running(
      [&](const Kept &exchange) {
        exchange->whenGone([&] { gone.put(1); });
        exchange->respond({200, "text/plain", {}, Fragments(std::string(32U << 20U, 'x'))});
        kept.put(exchange);
      },
      settings);
  RawClient client(running.endpoint(), 4096);
  client.send(get);
  CHECK(gone.take() == 1);
}

TEST_CASE("connections over the limit are turned away with 503") {
  HttpSettings settings;
  SECTION("over that of all") { settings.maxConnections = 1; }
  SECTION("over that of one client") { settings.maxConnectionsPerPeer = 1; }
  RunningServer running(
      [](const Kept &exchange) {
        exchange->protectConnection();
        echo(exchange);
      },
      settings);
  RawClient first(running.endpoint());
  first.send(get);
  CHECK(first.answer().status == 200);
  {
    RawClient second(running.endpoint());
    CHECK(second.answer().status == 503);
    CHECK(second.ended());
  }
  first.send(get);
  CHECK(first.answer().status == 200);
  first.finish(); // its place is free once the server has seen this
  CHECK(first.ended());
  RawClient third(running.endpoint());
  third.send(get);
  CHECK(third.answer().status == 200);
}

TEST_CASE("the connection that has waited longest makes room, unless a credential was accepted") {
  HttpSettings settings;
  settings.maxConnections = 3;
  Inbox<Kept> inbox;
  RunningServer running(
      [&](const Kept &exchange) {
        if (exchange->request().path == "/known") exchange->protectConnection();
        if (exchange->request().path == "/wait") return inbox.put(exchange);
        echo(exchange);
      },
      settings);
  const auto ask = [](RawClient &client, const std::string &path) {
    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  };
  const auto isServed = [&](RawClient &client, const std::string &path) {
    ask(client, path);
    CHECK(client.answer().status == 200);
  };
  RawClient known(running.endpoint());
  isServed(known, "/known");
  RawClient slow(running.endpoint());
  slow.send("GET /sl"); // a client within its head is like one without a request
  RawClient quiet(running.endpoint());
  isServed(quiet, "/s");
  RawClient first(running.endpoint());
  ask(first, "/wait");
  const Kept kept = inbox.take();
  CHECK(slow.ended());
  RawClient second(running.endpoint());
  isServed(second, "/known");
  CHECK(quiet.ended());
  RawClient third(running.endpoint());
  CHECK(third.answer().status == 503); // the others are known, or being answered
  isServed(known, "/s");
  kept->respond({204});
  CHECK(first.answer().status == 204);
  RawClient fourth(running.endpoint());
  isServed(fourth, "/s");
  CHECK(first.ended());
  isServed(known, "/s");
  isServed(second, "/s");
}

TEST_CASE("a connection whose body does not come, or that gets a 401, makes room") {
  HttpSettings settings;
  settings.maxConnections = 1;
  RunningServer running(
      [](const Kept &exchange) {
        if (exchange->request().path == "/known") exchange->protectConnection();
        if (exchange->request().path == "/revoked") return exchange->respond({401});
        exchange->readBody([exchange] { echo(exchange); });
      },
      settings);
  RawClient first(running.endpoint());
  SECTION("the body does not come") {
    first.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n");
    first.until("100 Continue\r\n\r\n");
  }
  SECTION("a refused request is read to its end") {
    first.send("POST /revoked HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx");
    CHECK(first.answer().status == 401);
  }
  SECTION("a credential is accepted no longer") {
    first.send("GET /known HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(first.answer().status == 200);
    first.send("GET /revoked HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(first.answer().status == 401);
  }
  RawClient second(running.endpoint());
  second.send("GET /known HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(second.answer().status == 200);
  CHECK(first.ended());
}

TEST_CASE("large answers that a client does not read are bounded for its address") {
  HttpSettings settings;
  settings.maxUnsentBytesOfPeer = 24U << 20U;
  const auto large = std::make_shared<const std::string>(16U << 20U, 'x');
  RunningServer running(
      [&](const Kept &exchange) {
        if (exchange->request().path != "/large") return echo(exchange);
        HttpResponse response{200, "text/plain", {}, {}};
        response.body.append(large);
        exchange->respond(std::move(response));
      },
      settings);
  const std::string ask = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
  const auto unsent = [] {
    return metrics::all().gauge({"skillhost_http_unsent_bytes", {}}).value();
  };
  RawClient first(running.endpoint());
  first.send(ask);
  first.until("HTTP/1.1"); // leaves the rest unread
  RawClient second(running.endpoint());
  second.send(ask);
  const Answer refused = second.answer();
  CHECK(refused.status == 503);
  CHECK(refused.has("Retry-After: 1\r\n"));
  CHECK(refused.body.find("wait until this client reads them") != std::string::npos);
  CHECK(unsent() > static_cast<double>(8U << 20U));
  // Answers of usual length are not counted.
  second.send(get);
  CHECK(second.answer().status == 200);
  CHECK(first.answer().body.size() == large->size());
  for (RawClient *client : {&first, &second}) {
    client->send(ask);
    CHECK(client->answer().body.size() == large->size());
  }
  second.send(ask); // a client that goes gives back its bytes
  second.until("HTTP/1.1");
  second.reset();
  first.send(get);
  CHECK(first.answer().status == 200);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (unsent() != 0 && std::chrono::steady_clock::now() < end) {}
  CHECK(unsent() == 0);
}
