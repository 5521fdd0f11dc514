// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "raw_client.hpp"

#include <atomic>

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

using Kept = std::shared_ptr<HttpExchange>;

constexpr std::string_view getWithQuery = "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n";

std::string post(std::string_view body) {
  return "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

} // namespace

TEST_CASE("requests on one connection are answered one after the other") {
  RunningServer running(echo);
  RawClient client(running.endpoint());
  client.send(getWithQuery);
  const Answer first = client.answer();
  CHECK(first.status == 200);
  CHECK(first.body == "GET /a b=c ");
  CHECK(first.has("\r\nDate: "));
  CHECK(first.has(" GMT\r\n"));
  CHECK(first.has("\r\nContent-Type: text/plain\r\n"));
  CHECK_FALSE(first.has("Connection:"));
  client.send(post("hello"));
  CHECK(client.answer().body == "POST /p  hello");
}

TEST_CASE("pipelined requests are answered in order, the next one after the answer before") {
  Inbox<Kept> inbox;
  RunningServer running([&](const Kept &exchange) {
    exchange->readBody([&inbox, exchange] { inbox.put(exchange); });
  });
  RawClient client(running.endpoint());
  client.send(post("1") + post("2") + std::string(getWithQuery));
  Kept first = inbox.take();
  CHECK(first->request().body == "1");
  CHECK(inbox.empty());
  first->respond({200, "text/plain", {}, Fragments("one")});
  const Kept second = inbox.take();
  second->respond({200, "text/plain", {}, Fragments("two")});
  inbox.take()->respond({204});
  CHECK(client.answer().body == "one");
  CHECK(client.answer().body == "two");
  const Answer third = client.answer();
  CHECK(third.status == 204);
  CHECK_FALSE(third.has("Content-Length"));
}

TEST_CASE("credentials are overwritten, in every field that holds one, and nothing else is") {
  const std::vector<std::string> further{"x-remote-user"};
  RunningServer running([&](const Kept &exchange) {
    exchange->forgetCredentials(further);
    std::string left;
    for (const HttpField &one : exchange->request().fields)
      left += std::string(one.name) +
              (one.value.find_first_not_of('\0') == std::string_view::npos ? "; " : " stays; ");
    exchange->respond({200, "text/plain", {}, Fragments(left)});
  });
  RawClient client(running.endpoint());
  client.send("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nX-Remote-User: cleo\r\n"
              "X-Remote-User: dora\r\nX-Other: y\r\n\r\n");
  CHECK(client.answer().body ==
        "host stays; authorization; x-remote-user; x-remote-user; x-other stays; ");
}

TEST_CASE("an answer may come from any thread, and only the first one counts") {
  RunningServer running([](const Kept &exchange) {
    std::thread([exchange] {
      exchange->respond({200, "text/plain", {}, Fragments("first")});
      exchange->respond({200, "text/plain", {}, Fragments("second")});
    }).detach();
  });
  RawClient client(running.endpoint());
  for (int i = 0; i < 100; ++i) {
    client.send(getWithQuery);
    REQUIRE(client.answer().body == "first");
  }
}

TEST_CASE("a request that nobody answers is answered with 500") {
  RunningServer running([](const Kept &exchange) {
    if (exchange->request().path == "/throw") throw std::runtime_error("on purpose");
    if (exchange->request().path == "/later") std::thread([exchange] {}).detach();
  });
  RawClient client(running.endpoint());
  for (const char *path : {"/at-once", "/throw", "/later"}) {
    client.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(client.answer().status == 500);
  }
}

TEST_CASE("requests behind one that nobody answers are served once") {
  Inbox<std::string> paths;
  RunningServer running([&](const Kept &exchange) {
    paths.put(std::string(exchange->request().path));
    if (exchange->request().path == "/first") echo(exchange);
  });
  RawClient client(running.endpoint());
  for (const char *path : {"/first", "/none", "/none", "/first"})
    client.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(client.answer().status == 200);
  CHECK(client.answer().status == 500);
  CHECK(client.answer().status == 500);
  CHECK(client.answer().status == 200);
  for (const char *path : {"/first", "/none", "/none", "/first"}) CHECK(paths.take() == path);
  CHECK(paths.empty());
}

TEST_CASE("HEAD is answered without a body") {
  RunningServer running(echo);
  RawClient client(running.endpoint());
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const Answer answer = client.answer(false);
  CHECK(answer.has("Content-Length: 9\r\n"));
  client.send(getWithQuery);
  CHECK(client.until("\r\n").find("200 OK") != std::string::npos);
}

TEST_CASE("whoever asks for it hears that the client has gone") {
  Inbox<Kept> inbox;
  Inbox<int> gone;
  RunningServer running([&](const Kept &exchange) {
    exchange->whenGone([&] { gone.put(1); });
    inbox.put(exchange);
  });
  SECTION("by an orderly end") {
    RawClient client(running.endpoint());
    client.send(getWithQuery);
    const Kept kept = inbox.take();
    client.close();
    CHECK(gone.take() == 1);
    kept->respond({200}); // is dropped
  }
  SECTION("by a reset") {
    RawClient client(running.endpoint());
    client.send(getWithQuery);
    const Kept kept = inbox.take();
    client.reset();
    CHECK(gone.take() == 1);
  }
  SECTION("after more of its requests have come") {
    RawClient client(running.endpoint());
    client.send(std::string(getWithQuery) + std::string(getWithQuery));
    const Kept kept = inbox.take();
    client.close();
    CHECK(gone.take() == 1);
    CHECK(inbox.empty());
  }
  SECTION("and at once when it already had") {
    RawClient client(running.endpoint());
    client.send(getWithQuery);
    const Kept kept = inbox.take();
    client.close();
    gone.take();
    std::atomic<int> again{0};
    kept->whenGone([&] { ++again; });
    CHECK(again == 1);
  }
  SECTION("but not after the answer") {
    RawClient client(running.endpoint());
    client.send(getWithQuery);
    inbox.take()->respond({200});
    CHECK(client.answer().status == 200);
    client.close();
    RawClient other(running.endpoint());
    other.send(getWithQuery);
    inbox.take()->respond({200});
    CHECK(other.answer().status == 200);
    CHECK(gone.empty());
  }
}

TEST_CASE("a client that ends its side after whole requests gets the answers that come later") {
  Inbox<Kept> inbox;
  Inbox<int> gone;
  RunningServer running([&](const Kept &exchange) {
    exchange->whenGone([&] { gone.put(1); });
    exchange->readBody([&inbox, exchange] { inbox.put(exchange); });
  });
  RawClient client(running.endpoint());
  const auto answer = [&](std::string_view text) {
    inbox.take()->respond({200, "text/plain", {}, Fragments(text)});
    CHECK(client.answer().body == text);
  };
  // This probe means nothing to the client, but shows the server whether the client is still there.
  const auto isProbed = [&] { CHECK(client.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n"); };
  SECTION("to one") {
    client.send(post("all of it"));
    client.finish();
    isProbed();
    answer("later");
  }
  SECTION("to each of several") {
    client.send(std::string(getWithQuery) + post("two") + std::string(getWithQuery));
    client.finish();
    isProbed();
    answer("one");
    answer("two");
    answer("three");
  }
  SECTION("as a stream") {
    client.send(getWithQuery);
    const Kept stream = inbox.take();
    stream->openStream({});
    client.answer(false);
    client.finish();
    CHECK(client.until("\n\n\r\n") == "3\r\n:\n\n\r\n");
    stream->event("", Fragments("{}"));
    stream->closeStream();
    CHECK(client.until("0\r\n\r\n") == "a\r\ndata: {}\n\n\r\n0\r\n\r\n");
  }
  SECTION("to one of HTTP/1.0, which is told nothing before") {
    client.send("GET / HTTP/1.0\r\n\r\n");
    client.finish();
    answer("later");
  }
  CHECK(client.ended());
  CHECK(gone.empty());
}

TEST_CASE("a client that ends its side and then goes has gone") {
  Inbox<Kept> inbox;
  Inbox<int> gone;
  RunningServer running([&](const Kept &exchange) {
    exchange->whenGone([&] { gone.put(1); });
    inbox.put(exchange);
  });
  RawClient client(running.endpoint());
  client.send(getWithQuery);
  client.finish();
  const Kept kept = inbox.take();
  client.until("100 Continue\r\n\r\n");
  CHECK(gone.empty());
  client.reset();
  CHECK(gone.take() == 1);
}

TEST_CASE("what a client sends by half before it ends its side is not answered") {
  RunningServer running(echo);
  RawClient client(running.endpoint());
  SECTION("a head") {
    client.send(std::string(getWithQuery) + "GET /half HTTP/1.1\r\nHost: x\r\n");
  }
  SECTION("a body") {
    client.send(std::string(getWithQuery) +
                "POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab");
  }
  client.finish();
  CHECK(client.answer().body == "GET /a b=c ");
  CHECK(client.ended());
}

TEST_CASE("a client that ends its side after a request gets what is answered at once") {
  const std::string large(8U << 20U, 'x');
  RunningServer running(
      [&](const Kept &exchange) { exchange->respond({200, "text/plain", {}, Fragments(large)}); });
  RawClient client(running.endpoint());
  client.send(getWithQuery);
  client.finish();
  CHECK(client.answer().body.size() == large.size());
  CHECK(client.ended());
}
