// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "raw_client.hpp"

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

using Kept = std::shared_ptr<HttpExchange>;

} // namespace

TEST_CASE("an event stream goes out in chunks, each event at once") {
  Inbox<Kept> inbox;
  RunningServer running([&](Kept exchange) { inbox.put(std::move(exchange)); });
  RawClient client(running.endpoint());
  client.send(get);
  const Kept stream = inbox.take();
  stream->openStream({{"Mcp-Session-Id", "7"}});
  const Answer head = client.answer(false);
  CHECK(head.status == 200);
  CHECK(head.has("Content-Type: text/event-stream\r\n"));
  CHECK(head.has("Cache-Control: no-store\r\n"));
  CHECK(head.has("X-Accel-Buffering: no\r\n"));
  CHECK(head.has("Mcp-Session-Id: 7\r\n"));
  CHECK(head.has("Transfer-Encoding: chunked\r\n"));
  stream->event("4", Fragments("{}"));
  CHECK(client.until("\n\n\r\n") == "10\r\nid: 4\ndata: {}\n\n\r\n");
  stream->event("", Fragments("{}"));
  CHECK(client.until("\n\n\r\n") == "a\r\ndata: {}\n\n\r\n");
  stream->event("5", Fragments());
  CHECK(client.until("\n\n\r\n") == "e\r\nid: 5\ndata: \n\n\r\n");
  stream->closeStream();
  stream->event("", Fragments("late"));
  CHECK(client.until("\r\n\r\n") == "0\r\n\r\n");
  client.send(get); // the connection is still usable
  inbox.take()->respond({200, "text/plain", {}, Fragments("again")});
  CHECK(client.answer().body == "again");
}

TEST_CASE("a client of HTTP/1.0 gets a stream that ends with the connection") {
  RunningServer running([](const Kept &exchange) {
    exchange->openStream({});
    exchange->event("", Fragments("{}"));
    exchange->closeStream();
  });
  RawClient client(running.endpoint());
  client.send("GET / HTTP/1.0\r\n\r\n");
  const Answer answer = client.answer();
  CHECK_FALSE(answer.has("chunked"));
  CHECK(answer.body == "data: {}\n\n");
}

TEST_CASE("HEAD of a stream is answered with its head alone") {
  RunningServer running([](const Kept &exchange) {
    exchange->openStream({{"X-Of-The-Stream", "1"}});
    exchange->event("", Fragments("{}"));
    exchange->closeStream();
  });
  RawClient client(running.endpoint());
  for (int i = 0; i < 2; ++i) { // the connection is still usable
    client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    const Answer answer = client.answer(false);
    CHECK(answer.head.starts_with("HTTP/1.1 200 "));
    CHECK(answer.has("Content-Type: text/event-stream\r\n"));
    CHECK(answer.has("X-Of-The-Stream: 1\r\n"));
  }
  client.finish();
  CHECK(client.ended());
}

TEST_CASE("a stream that its owner lets go of ends") {
  RunningServer running([](const Kept &exchange) {
    exchange->openStream({});
    exchange->event("", Fragments("{}"));
  });
  RawClient client(running.endpoint());
  client.send(get);
  CHECK(client.answer().body == "a\r\ndata: {}\n\n\r\n0\r\n\r\n");
}

TEST_CASE("comments keep a quiet stream alive") {
  Inbox<Kept> inbox;
  HttpSettings settings;
  settings.commentInterval = std::chrono::milliseconds(20);
  RunningServer running(
      [&](Kept exchange) {
        exchange->openStream({});
        inbox.put(std::move(exchange));
      },
      settings);
  RawClient client(running.endpoint());
  client.send(get);
  const Kept stream = inbox.take();
  client.answer(false);
  CHECK(client.until("\n\n\r\n") == "3\r\n:\n\n\r\n");
  CHECK(client.until("\n\n\r\n") == "3\r\n:\n\n\r\n");
}

TEST_CASE("a client that does not read its stream is dropped at the bound") {
  Inbox<Kept> inbox;
  Inbox<int> gone;
  HttpSettings settings;
  settings.maxUnsentBytes = 64U << 10U;
  RunningServer running(
      [&](Kept exchange) {
        exchange->whenGone([&] { gone.put(1); });
        exchange->openStream({});
        inbox.put(std::move(exchange));
      },
      settings);
  RawClient client(running.endpoint(), 4096);
  client.send(get);
  const Kept stream = inbox.take();
  const std::string data(16U << 10U, 'x');
  for (int i = 0; i < 2000; ++i) stream->event("", Fragments(data)); // 32 MB
  CHECK(gone.take() == 1);
}
