// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as requests of git, plain and packed, and as trees: nothing crashes, and the
// packets that were read have the bytes that were sent.
#include "compression.hpp"
#include "pack_writer.hpp"
#include "packets.hpp"
#include "password_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace skillhost::git;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string bytes(data, data + size);
  const auto command = readCommand(bytes);
  require(command || !command.failure().message.empty());
  const auto fetch = readFetch(bytes);
  require(fetch || !fetch.failure().message.empty());
  PacketReader reader(bytes);
  std::size_t packets = 0;
  while (reader.next()) ++packets;
  require(packets <= bytes.size() / 4);
  constexpr std::size_t most = 100'000;
  if (const auto plain = gunzip(bytes, most)) require(plain->size() <= most);
  const std::string_view all = bytes;
  (void)treeDifference(all.substr(0, all.size() / 2), all.substr(all.size() / 2));
  Deflater deflater;
  require(deflater.deflate(bytes).size() <= bytes.size() + bytes.size() / 100 + 64);
  (void)tokenOfBasic(bytes);
  (void)isSafePath(bytes);
  return 0;
}
