// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as the other end of a plugin's process: nothing is read past the end, no frame
// above the limit is handed out, and everything that can be unpacked packs to the same bytes.
#include "process/frame_socket.hpp"
#include "process/start.hpp"

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace skillhost::process;

namespace {

constexpr std::size_t limit = 4096;    // bytes of a frame
constexpr std::size_t fitting = 64000; // bytes that a socket takes while nobody reads

void require(bool holds) {
  if (!holds) std::abort();
}

bool lies(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

// The first half of the bytes chooses the steps that unpack the second.
void unpackAnything(std::string_view bytes) {
  const std::string_view steps = bytes.substr(0, bytes.size() / 2);
  const std::string_view rest = bytes.substr(steps.size());
  Unpacker from(rest);
  for (const char step : steps) {
    const bool wasGood = from.good();
    switch (static_cast<unsigned char>(step) % 5U) {
    case 0:
      from.u8();
      break;
    case 1:
      from.u32();
      break;
    case 2:
      from.u64();
      break;
    case 3:
      from.number();
      break;
    default:
      require(lies(from.text(), rest));
    }
    require(wasGood || !from.good()); // a void value stays void
    require(from.good() || !from.hasMore());
  }
}

void unpackStart(std::string_view bytes) {
  Start start;
  Unpacker from(bytes);
  if (!Start::unpack(from, start)) return;
  Packer packer;
  start.pack(packer);
  Start again;
  const std::string packed(packer.frame().substr(sizeof(std::uint32_t)));
  Unpacker second(packed);
  require(Start::unpack(second, again));
  require(again.file == start.file && again.copied == start.copied &&
          again.mayRead == start.mayRead && again.network == start.network);
}

void receiveFrames(std::string_view bytes) {
  std::array<int, 2> ends{};
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
  skillhost::Descriptor other(ends[1]);
  FrameSocket socket(skillhost::Descriptor(ends[0]), limit);
  bytes = bytes.substr(0, fitting);
  std::size_t received = 0;
  for (bool closed = false; !closed;) {
    const std::string_view piece = bytes.substr(0, bytes.empty() ? 0 : 1 + bytes.size() / 2);
    require(::send(other.number(), piece.data(), piece.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(piece.size()));
    bytes.remove_prefix(piece.size());
    if (bytes.empty()) other.reset();
    std::string_view frame;
    auto got = socket.receive(Moment{}, frame);
    for (; got == FrameSocket::Got::Frame; got = socket.receive(Moment{}, frame)) {
      require(frame.size() <= limit);
      received += frame.size() + sizeof(std::uint32_t);
      require(received <= fitting);
    }
    closed = got != FrameSocket::Got::Nothing;
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  unpackAnything(bytes);
  unpackStart(bytes);
  receiveFrames(bytes);
  return 0;
}
