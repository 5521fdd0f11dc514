// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/descriptor.hpp"
#include "process/frame_socket.hpp"
#include "process/start.hpp"

#include <sys/socket.h>

#include <limits>
#include <thread>

using namespace skillhost::process;

namespace {

Moment soon() { return std::chrono::steady_clock::now() + std::chrono::seconds(10); }

} // namespace

TEST_CASE("what is packed comes back as it was") {
  Packer packer;
  packer.u8(200);
  packer.u32(4'000'000'000U);
  packer.i32(-7);
  packer.u64(std::numeric_limits<std::uint64_t>::max());
  packer.i64(std::numeric_limits<std::int64_t>::min());
  packer.number(-0.25);
  packer.text("");
  packer.text(std::string_view("a\0b", 3));
  Unpacker from(packer.frame().substr(4));
  CHECK(from.u8() == 200);
  CHECK(from.u32() == 4'000'000'000U);
  CHECK(from.i32() == -7);
  CHECK(from.u64() == std::numeric_limits<std::uint64_t>::max());
  CHECK(from.i64() == std::numeric_limits<std::int64_t>::min());
  CHECK(from.number() == -0.25);
  CHECK(from.text().empty());
  CHECK(from.text() == std::string_view("a\0b", 3));
  CHECK(from.good());
  CHECK_FALSE(from.hasMore());
}

TEST_CASE("bytes that end too early are void, wherever they end") {
  Start start;
  start.file = "/plugin.so";
  start.mayRead = {"/a", "/b"};
  Packer packer;
  start.pack(packer);
  const std::string whole(packer.frame().substr(4));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Unpacker from(std::string_view(whole).substr(0, size));
    Start read;
    CHECK_FALSE(Start::unpack(from, read));
  }
  Unpacker from(whole);
  Start read;
  REQUIRE(Start::unpack(from, read));
  CHECK(read.mayRead == start.mayRead);
  Unpacker longer(std::string_view("\xff\xff\xff\xff rest", 9));
  CHECK(longer.text().empty());
  CHECK_FALSE(longer.good());
}

TEST_CASE("frames keep their limits whatever pieces they come in") {
  auto [one, other] = skillhost::socketPair();
  FrameSocket reader(std::move(one), 1000);
  Packer packer;
  packer.text(std::string(500, 'x'));
  const std::string bytes = std::string(packer.frame()) + std::string(packer.frame());
  std::string_view frame;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    REQUIRE(reader.receive(Moment{}, frame) == FrameSocket::Got::Nothing);
    REQUIRE(::send(other.number(), &bytes[at], 1, 0) == 1);
    if (at == bytes.size() / 2 - 1) {
      REQUIRE(reader.receive(soon(), frame) == FrameSocket::Got::Frame);
      CHECK(frame.size() == 504);
    }
  }
  CHECK(reader.receive(soon(), frame) == FrameSocket::Got::Frame);
  REQUIRE(::send(other.number(), "\xe9\x03\0\0", 4, 0) == 4);
  CHECK(reader.receive(soon(), frame) == FrameSocket::Got::TooLong);
  other.reset();
}

TEST_CASE("a frame larger than any buffer is sent while it is taken in") {
  auto [one, other] = skillhost::socketPair();
  FrameSocket reader(std::move(one), maxRequestFrameBytes), writer(std::move(other), 1000);
  Packer packer;
  packer.text(std::string(20'000'000, 'y'));
  bool sent = false;
  std::thread sending([&] { sent = writer.send(packer, soon()); });
  std::string_view frame;
  CHECK(reader.receive(soon(), frame) == FrameSocket::Got::Frame);
  CHECK(frame.size() == 20'000'004);
  sending.join();
  CHECK(sent);
  CHECK_FALSE(writer.send(packer, std::chrono::steady_clock::now())); // nobody receives it
  reader.shut();
  CHECK_FALSE(writer.send(packer, soon()));
}
