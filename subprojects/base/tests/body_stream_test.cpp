// SPDX-License-Identifier: Apache-2.0
// Tests how the body of a request gets from the transport's thread to the thread that reads it.
#include "base/body_stream.hpp"
#include "catch2.hpp"

#include <atomic>
#include <string>
#include <thread>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

Result<std::string> readOnce(BodyStream &stream, std::size_t room,
                             const Deadline &deadline = Deadline::after(5s),
                             const std::function<bool()> &isCancelled = {}) {
  std::string buffer(room, '\0');
  const Result<std::size_t> size = stream.read(buffer.data(), room, deadline, isCancelled);
  if (!size) return size.failure();
  buffer.resize(*size);
  return buffer;
}

} // namespace

TEST_CASE("a body is read in the order in which it arrives, and ends") {
  BodyStream stream;
  stream.add("first ");
  stream.add("second");
  CHECK(*readOnce(stream, 3) == "fir");
  CHECK(*readOnce(stream, 100) == "st second");
  stream.finish();
  CHECK(readOnce(stream, 100)->empty());
  CHECK(readOnce(stream, 100)->empty());
  stream.abort(); // it is complete already
  CHECK(readOnce(stream, 100)->empty());
}

TEST_CASE("a reader waits for bytes that another thread writes") {
  BodyStream stream;
  std::thread writer([&] {
    for (int i = 0; i < 100; ++i) stream.add(std::string(1000, 'x'));
    stream.finish();
  });
  std::size_t bytes = 0;
  for (auto piece = readOnce(stream, 777); piece && !piece->empty(); piece = readOnce(stream, 777))
    bytes += piece->size();
  writer.join();
  CHECK(bytes == 100'000);
}

TEST_CASE("a reader stops waiting when the rest does not arrive") {
  BodyStream stream;
  CHECK(readOnce(stream, 1, Deadline::after(30ms)).failure().fault == Fault::ToolTimeout);
  std::atomic<int> asked = 0;
  CHECK(readOnce(stream, 1, Deadline::never(), [&] { return ++asked > 3; }).failure().fault ==
        Fault::Cancelled);
  stream.add("some");
  CHECK(*readOnce(stream, 1) == "s");
  std::thread writer([&] { stream.abort(); });
  while (readOnce(stream, 0)) std::this_thread::yield();
  writer.join();
  CHECK(readOnce(stream, 1).failure().fault == Fault::Cancelled);
  stream.finish();
  CHECK(readOnce(stream, 1).failure().fault == Fault::Cancelled);
}
