// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as an engine's replies, in pieces; the first byte chooses their size. Reading
// ends, within the bounds, and all values made from a reply keep their rules.
#include "engine/sentinel.hpp"
#include "protocol/reply_reader.hpp"
#include "refusal.hpp"
#include "slots.hpp"
#include "trial.hpp"

#include <cstdint>
#include <cstdlib>

using namespace skillhost::valkey;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

struct Size {
  std::size_t values = 0, bytes = 0;
};

void measure(const Reply &reply, Size &size) {
  size.bytes += reply.text.size();
  size.values += reply.elements.size();
  require(reply.kind == Reply::Kind::List || reply.elements.empty());
  for (const Reply &one : reply.elements) measure(one, size);
}

void interpret(const Reply &reply) {
  Size size;
  measure(reply, size);
  require(size.values <= ReplyReader::maxValues && size.bytes <= ReplyReader::maxBytes);
  const Address asked{"asked", 7};
  if (const auto map = readSlots(reply, asked)) {
    require(!map->nodes.empty() && map->nodes.size() <= SlotMap::maxNodes);
    for (const std::uint16_t owner : map->owners)
      require(owner == SlotMap::nobody || owner < map->nodes.size());
    for (const Address &node : map->nodes) require(!node.isPath() && !node.host.empty());
  }
  if (const auto master = readMaster(reply)) require(!master->isPath() && !master->host.empty());
  if (const auto to = readRedirection(reply.text, asked))
    require(to->slot < slotCount && !to->to.isPath() && !to->to.host.empty());
  static_cast<void>(isNewEnough(readEngineInfo(reply.text).version));
  require(slotOf(reply.text) < slotCount);
  require(shownError(reply.text).find('\x1b') == std::string::npos);
  try {
    throwError(reply, "engine");
    require(!reply.isError());
  } catch (const skh::Error &error) {
    require(reply.isError() && error.status() != SKH_OK);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = std::size_t{1} + data[0] * std::size_t{8};
  const std::string_view bytes(reinterpret_cast<const char *>(data + 1), size - 1);
  ReplyReader reader;
  try {
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      reader.feed(bytes.substr(at, step));
      while (const auto reply = reader.next()) interpret(*reply);
    }
  } catch (const BadReply &) {
    // An invalid reply is refused.
  }
  return 0;
}
