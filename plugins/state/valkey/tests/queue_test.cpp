// SPDX-License-Identifier: Apache-2.0
// Tests waiting messages and the reports about lost ones.
#include "catch2.hpp"
#include "messages/queue.hpp"

using namespace skillhost::valkey;
using namespace std::chrono_literals;

TEST_CASE("messages come out in order, and nothing is lost while there is room") {
  MessageQueue queue;
  CHECK_FALSE(queue.take(0ms));
  for (std::size_t i = 0; i < MessageQueue::maxMessages; ++i)
    CHECK(queue.add({"c", std::to_string(i)}));
  for (std::size_t i = 0; i < MessageQueue::maxMessages; ++i) {
    const auto message = queue.take(0ms);
    REQUIRE(message);
    CHECK((message->payload == std::to_string(i) && !message->followsLoss));
  }
  CHECK_FALSE(queue.take(0ms));
}

TEST_CASE("the oldest go, by number and by bytes, and the next one says so") {
  MessageQueue queue;
  for (std::size_t i = 0; i < MessageQueue::maxMessages; ++i) queue.add({"c", std::to_string(i)});
  CHECK_FALSE(queue.add({"c", "last"}));
  const auto first = queue.take(0ms), second = queue.take(0ms);
  CHECK((first->payload == "1" && first->followsLoss));
  CHECK((second->payload == "2" && !second->followsLoss));

  MessageQueue large;
  const std::string mebibyte(std::size_t{1} << 20U, 'x');
  for (int i = 0; i < 15; ++i) CHECK(large.add({"c", mebibyte}));
  CHECK_FALSE(large.add({"c", mebibyte})); // the names of the channels exceed the limit
  int count = 0;
  for (auto message = large.take(0ms); message; message = large.take(0ms)) {
    CHECK(message->followsLoss == (count == 0));
    ++count;
  }
  CHECK(count == 15);
}

TEST_CASE("a gap without a message is said by an empty one, once") {
  MessageQueue queue;
  queue.markLoss();
  queue.markLoss();
  const auto message = queue.take(0ms);
  REQUIRE(message);
  CHECK((message->channel.empty() && message->payload.empty() && message->followsLoss));
  CHECK_FALSE(queue.take(0ms));
  queue.markLoss();
  queue.add({"c", "1"});
  CHECK(queue.take(0ms)->followsLoss);
}

TEST_CASE("what could not be handed over is the next one again") {
  MessageQueue queue;
  queue.add({"c", "1"});
  queue.add({"c", "2"});
  queue.markLoss();
  queue.giveBack(*queue.take(0ms));
  const auto again = queue.take(0ms);
  CHECK((again->payload == "1" && again->followsLoss));
  CHECK(queue.take(0ms)->payload == "2");
  queue.markLoss();
  queue.giveBack(*queue.take(0ms)); // the empty message
  CHECK(queue.take(0ms)->followsLoss);
}
