// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.hpp"
#include "catch2.hpp"
#include "raw_client.hpp"

#include <atomic>

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

using Kept = std::shared_ptr<HttpExchange>;

constexpr std::string_view next = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";

std::string postWith(std::string_view fields) {
  return "POST /p HTTP/1.1\r\nHost: x\r\n" + std::string(fields) + "\r\n\r\n";
}

double received() {
  return metrics::all().counter({"skillhost_http_received_bytes_total", {}}).value();
}

void refuse(const Kept &exchange) {
  exchange->respond({401, "text/plain", {}, Fragments("who are you?\n")});
}

// Answers /next, and keeps every other exchange with its body unread.
struct Waiting {
  explicit Waiting(const HttpSettings &settings = {})
      : running(
            [this](const Kept &exchange) {
              if (exchange->request().path == "/next" || exchange->request().path == "/s")
                return echo(exchange);
              exchange->whenGone([this] { gone.put(1); });
              inbox.put(exchange);
            },
            settings) {}
  // Waits until the server has processed everything that was sent before.
  void pass() const {
    RawClient other(running.endpoint());
    other.send(get);
    CHECK(other.answer().status == 200);
  }
  Inbox<Kept> inbox;
  Inbox<int> gone;
  RunningServer running;
};

} // namespace

TEST_CASE("a request is refused by its head alone") {
  Inbox<std::size_t> bodies;
  RunningServer running([&](const Kept &exchange) {
    refuse(exchange);
    bodies.put(exchange->request().body.size());
  });
  RawClient client(running.endpoint());
  SECTION("with a length") { client.send(postWith("Content-Length: 10485760")); }
  SECTION("in chunks") { client.send(postWith("Transfer-Encoding: chunked")); }
  SECTION("when the client asks first, without being told to go on") {
    client.send(postWith("Content-Length: 10485760\r\nExpect: 100-continue"));
  }
  SECTION("when a part of the body is there already") {
    client.send(postWith("Content-Length: 3") + "ab");
  }
  SECTION("when all of a body in chunks is there already, with what is behind it") {
    client.send(postWith("Transfer-Encoding: chunked") + "2\r\nab\r\n0\r\n\r\n" +
                std::string(next));
  }
  SECTION("when a broken chunk is there already") {
    client.send(postWith("Transfer-Encoding: chunked") + "no chunk");
  }
  const Answer answer = client.answer();
  CHECK(answer.status == 401);
  CHECK(answer.head.starts_with("HTTP/1.1 401 "));
  CHECK(answer.has("Connection: close\r\n"));
  CHECK(answer.body == "who are you?\n");
  CHECK(client.ended());
  CHECK(bodies.take() == 0);
  CHECK(bodies.empty());
}

TEST_CASE("a body that came along with its head does not end the connection") {
  Inbox<std::size_t> bodies;
  RunningServer running([&](const Kept &exchange) {
    bodies.put(exchange->request().body.size());
    refuse(exchange);
  });
  RawClient client(running.endpoint());
  client.send(postWith("Content-Length: 2") + "ab" + postWith("Content-Length: 40") +
              std::string(40, 'G') + std::string(get) + postWith("Content-Length: 2") + "ab");
  for (int i = 0; i < 4; ++i) {
    const Answer answer = client.answer();
    CHECK(answer.status == 401);
    CHECK_FALSE(answer.has("Connection:"));
    CHECK(bodies.take() == 0);
  }
  client.send(get);
  CHECK(client.answer().status == 401);
}

TEST_CASE("nor does one that came while it was thought about") {
  Waiting waiting;
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Content-Length: 2"));
  const Kept kept = waiting.inbox.take();
  client.send("ab" + std::string(get));
  waiting.pass();
  SECTION("and is refused") { refuse(kept); }
  SECTION("and is answered with a stream") {
    kept->openStream({});
    kept->closeStream();
  }
  CHECK_FALSE(client.answer().has("Connection:"));
  CHECK(client.answer().status == 200);
  CHECK(kept->request().body.empty());
}

TEST_CASE("a client that sends all of its body before it reads hears why it is refused") {
  RunningServer running(refuse);
  RawClient client(running.endpoint());
  client.send(postWith("Content-Length: 10485760"));
  client.send(std::string(10'485'760, 'x'));
  CHECK(client.answer().status == 401);
}

TEST_CASE("a refused request without a body leaves the connection as it is") {
  RunningServer running(refuse);
  RawClient client(running.endpoint());
  client.send(std::string(get) + postWith("Content-Length: 0") + std::string(get));
  for (int i = 0; i < 3; ++i) {
    const Answer answer = client.answer();
    CHECK(answer.status == 401);
    CHECK_FALSE(answer.has("Connection:"));
  }
}

TEST_CASE("a body that nobody has asked for stays with the client") {
  Waiting waiting;
  const double before = received();
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Content-Length: 9000000"));
  const Kept kept = waiting.inbox.take();
  std::thread sending([&] { client.send(std::string(9'000'000, 'x')); });
  for (int i = 0; i < 50; ++i) waiting.pass();
  CHECK(received() - before < (128 << 10));
  CHECK(kept->request().body.empty());
  SECTION("until somebody does, from any thread") {
    Inbox<std::size_t> sizes;
    kept->readBody([&] { sizes.put(kept->request().body.size()); });
    CHECK(sizes.take() == 9'000'000);
    kept->respond({200, "text/plain", {}, Fragments("thanks")});
    sending.join();
    CHECK(client.answer().body == "thanks");
    client.send(next);
    CHECK(client.answer().status == 200);
  }
  SECTION("and is thrown away when the request is refused") {
    refuse(kept);
    sending.join();
    CHECK(client.answer().status == 401);
    CHECK(client.ended());
    CHECK(kept->request().body.empty());
  }
}

TEST_CASE("who asks before it sends a body is told to go on when the body is wanted") {
  Waiting waiting;
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Content-Length: 2\r\nExpect: 100-continue"));
  const Kept kept = waiting.inbox.take();
  Inbox<std::string> bodies;
  kept->readBody([&] { bodies.put(std::string(kept->request().body)); });
  CHECK(client.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  CHECK(bodies.take() == "ab");
  kept->respond({200});
  CHECK(client.answer().status == 200);
}

TEST_CASE("a body with a content coding is for those who take it") {
  Waiting waiting;
  RawClient client(waiting.running.endpoint());
  const auto asked = [&](std::string_view coding, std::string_view body) {
    client.send(postWith("Content-Length: 2\r\nContent-Encoding: " + std::string(coding)));
    Kept kept = waiting.inbox.take();
    client.send(body);
    return kept;
  };
  const auto read = [](const Kept &kept) {
    kept->readBody([kept] {
      kept->respond({200, "text/plain", {}, Fragments(std::string(kept->request().body))});
    });
  };
  const Kept plain = asked("Identity", "ab");
  read(plain);
  CHECK(client.answer().body == "ab");
  const Kept taken = asked("gzip", "cd");
  taken->takeCodedBody();
  read(taken);
  CHECK(client.answer().body == "cd");
  const Kept refused = asked("gzip", "ef");
  read(refused);
  const Answer answer = client.answer();
  CHECK(answer.status == 415);
  CHECK(answer.body ==
        "a body with a content coding is not supported: send it without Content-Encoding\n");
  CHECK(client.ended());
}

TEST_CASE("what has come of the body while it waited is not asked for again") {
  Waiting waiting;
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Content-Length: 2\r\nExpect: 100-continue") + "ab" + std::string(next));
  const Kept kept = waiting.inbox.take();
  kept->readBody([kept] {
    kept->respond({200, "text/plain", {}, Fragments(std::string(kept->request().body))});
  });
  const Answer answer = client.answer();
  CHECK(answer.status == 200);
  CHECK(answer.body == "ab");
  CHECK(client.answer().body == "GET /next  ");
}

TEST_CASE("the client goes before its body was asked for") {
  Waiting waiting;
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Content-Length: 200") + "some");
  const Kept kept = waiting.inbox.take();
  client.close();
  CHECK(waiting.gone.take() == 1);
  std::atomic<bool> came{false};
  auto token = std::make_shared<int>();
  const std::weak_ptr<int> held = token;
  kept->readBody([&came, token = std::move(token)] { came = true; });
  waiting.pass();
  CHECK_FALSE(came);
  CHECK(held.expired());
  kept->respond({200}); // is dropped
}

TEST_CASE("a body that is not kept is handed over while it comes") {
  HttpSettings settings;
  settings.maxHeldBodyBytes = settings.maxHeldBodyBytesOfPeer = 1000;
  Inbox<std::string> bodies;
  RunningServer running(
      [&](const Kept &exchange) {
        const auto seen = std::make_shared<std::string>();
        exchange->readBody(
            [&bodies, exchange, seen] {
              bodies.put(*seen + std::string(exchange->request().body));
              exchange->respond({204});
            },
            1'000'000,
            [seen](std::string_view bytes) {
              seen->append(bytes);
              return std::size_t{0};
            });
      },
      settings);
  std::string large(1'000'000, ' ');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>('a' + i % 26);
  RawClient client(running.endpoint());
  client.send(postWith("Content-Length: 1000000") + large);
  CHECK(client.answer().status == 204);
  CHECK(bodies.take() == large);
  client.send(postWith("Transfer-Encoding: chunked") + "F4000\r\n" + large.substr(0, 0xF4000) +
              "\r\n240\r\n" + large.substr(0xF4000) + "\r\n0\r\n\r\n" +
              postWith("Content-Length: 0"));
  CHECK(client.answer().status == 204);
  CHECK(bodies.take() == large);
  CHECK(client.answer().status == 204);
  CHECK(bodies.take().empty());
  client.send(postWith("Transfer-Encoding: chunked") + "F4000\r\n" + large.substr(0, 0xF4000) +
              "\r\n241\r\n");
  CHECK(client.answer().status == 413);
  CHECK(bodies.empty());
}

TEST_CASE("a piece of a body may be answered, and what fails with one is no end of the server") {
  RunningServer running([&](const Kept &exchange) {
    exchange->readBody([exchange] { exchange->respond({204}); }, 1'000'000,
                       [exchange](std::string_view bytes) {
                         if (bytes.front() == 'r') refuse(exchange);
                         if (bytes.front() == 't') throw std::runtime_error("on purpose");
                         return std::size_t{0};
                       });
  });
  RawClient client(running.endpoint());
  SECTION("answered") {
    client.send(postWith("Content-Length: 200000") + std::string(200'000, 'r'));
    CHECK(client.answer().status == 401);
    CHECK(client.ended());
  }
  SECTION("failed") {
    client.send(postWith("Content-Length: 200000") + std::string(200'000, 't'));
    CHECK(client.answer().status == 204);
  }
  RawClient other(running.endpoint());
  other.send(postWith("Content-Length: 1") + "x");
  CHECK(other.answer().status == 204);
}

TEST_CASE("a body that does not come in order is never handed over") {
  HttpSettings settings;
  settings.bodyTimeout = std::chrono::milliseconds(60);
  Waiting waiting(settings);
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Transfer-Encoding: chunked"));
  Kept kept = waiting.inbox.take();
  std::atomic<bool> came{false};
  const std::weak_ptr<HttpExchange> held = kept;
  kept->readBody([&came, kept] { came = true; });
  kept.reset();
  SECTION("broken") {
    client.send("no chunk");
    CHECK(client.answer().status == 400);
  }
  SECTION("late") { CHECK(client.answer().status == 408); }
  SECTION("not at all") { client.close(); }
  CHECK(waiting.gone.take() == 1);
  waiting.pass();
  CHECK_FALSE(came);
  CHECK(held.expired());
}

TEST_CASE("a request whose body is on its way may still be answered") {
  Waiting waiting;
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Content-Length: 200") + "some");
  Kept kept = waiting.inbox.take();
  kept->readBody([kept] { refuse(kept); });
  SECTION("at once") {
    refuse(kept);
    CHECK(client.answer().status == 401);
  }
  SECTION("with a stream") {
    kept->openStream({});
    kept->event("", Fragments("{}"));
    kept->closeStream();
    CHECK(client.answer().has("Connection: close"));
  }
  const std::weak_ptr<HttpExchange> held = kept;
  kept.reset();
  CHECK(client.ended());
  waiting.pass();
  CHECK(held.expired());
}

TEST_CASE("who lets go of a request without its body has it answered with 500") {
  Waiting waiting;
  RawClient client(waiting.running.endpoint());
  client.send(postWith("Content-Length: 200") + "some");
  SECTION("before the body is asked for") { waiting.inbox.take(); }
  SECTION("and when it is there") {
    waiting.inbox.take()->readBody([] {});
    client.send(std::string(196, 'x'));
  }
  SECTION("and when its reader throws") {
    waiting.inbox.take()->readBody([] { throw std::runtime_error("on purpose"); });
    client.send(std::string(196, 'x'));
  }
  CHECK(client.answer().status == 500);
}
