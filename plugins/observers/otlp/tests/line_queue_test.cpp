// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "line_queue.hpp"

#include <string>
#include <thread>

using namespace skillhost;
using telemetry::LineQueue;

namespace {
log::ExportedLine lineOf(std::string_view text) {
  return {LogLevel::Info, "mcp", text, R"("call":1)"};
}
} // namespace

TEST_CASE("lines leave the queue in their order, in batches") {
  LineQueue queue;
  for (std::size_t i = 0; i <= LineQueue::maxBatchLines; ++i)
    REQUIRE(queue.add(lineOf(std::to_string(i))));
  const auto batch = queue.take();
  REQUIRE(batch.size() == LineQueue::maxBatchLines);
  CHECK(batch.front().text == "0");
  CHECK(batch.front().part == "mcp");
  CHECK(batch.front().endedAt > 1'700'000'000'000'000'000);
  CHECK(queue.take().front().text == std::to_string(LineQueue::maxBatchLines));
  CHECK(queue.empty());
  CHECK(queue.take().empty());
}

TEST_CASE("a full queue takes nothing more, until something has left it") {
  LineQueue queue;
  const std::string large(1U << 20U, 'x');
  std::size_t taken = 0;
  while (queue.add(lineOf(large))) ++taken;
  CHECK(taken == LineQueue::maxBytes / large.size() - 1); // a line has more bytes than its text
  CHECK(queue.take().size() == taken);
  CHECK(queue.add(lineOf(large)));
}

TEST_CASE("the queue's waits end by time, with a whole batch, and with its end") {
  using namespace std::chrono_literals;
  LineQueue queue;
  queue.waitFor(LineQueue::Clock::now() + 1ms, 1h); // no line arrives
  for (std::size_t i = 0; i < LineQueue::maxBatchLines; ++i) REQUIRE(queue.add(lineOf("x")));
  queue.waitFor(LineQueue::Clock::now() + 1h, 1h);
  CHECK(queue.take().size() == LineQueue::maxBatchLines);
  REQUIRE(queue.add(lineOf("x")));
  queue.waitFor(LineQueue::Clock::now() + 1h, 1ms); // the time for further lines is over
  std::thread waiting([&queue] { queue.waitUntil(LineQueue::Clock::now() + 1h); });
  queue.end();
  waiting.join();
  CHECK(queue.ended());
  CHECK_FALSE(queue.add(lineOf("too late")));
  CHECK(queue.take().size() == 1);
}
