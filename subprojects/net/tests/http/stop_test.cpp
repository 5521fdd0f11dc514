// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "raw_client.hpp"

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

using Kept = std::shared_ptr<HttpExchange>;

} // namespace

TEST_CASE("to stop ends what is idle at once, and the rest with its answer") {
  Inbox<Kept> inbox;
  RunningServer running([&](Kept exchange) { inbox.put(std::move(exchange)); });
  const std::string endpoint = running.endpoint();
  RawClient idle(endpoint);
  RawClient busy(endpoint);
  busy.send(get);
  const Kept kept = inbox.take();
  running.server.stop();
  CHECK(idle.ended());
  CHECK_THROWS(RawClient(endpoint));
  kept->respond({200, "text/plain", {}, Fragments("done")});
  const Answer answer = busy.answer();
  CHECK(answer.body == "done");
  CHECK(answer.has("Connection: close\r\n"));
  CHECK(busy.ended());
  running.join();
}

TEST_CASE("what is not answered in time when it stops is dropped") {
  Inbox<Kept> inbox;
  Inbox<int> gone;
  HttpSettings settings;
  settings.stopTimeout = std::chrono::milliseconds(30);
  RunningServer running(
      [&](Kept exchange) {
        exchange->whenGone([&] { gone.put(1); });
        inbox.put(std::move(exchange));
      },
      settings);
  RawClient client(running.endpoint());
  client.send(get);
  const Kept kept = inbox.take();
  running.server.stop();
  running.join();
  CHECK(gone.take() == 1);
  CHECK(client.ended());
  kept->respond({200}); // is dropped after the end of the server
}
