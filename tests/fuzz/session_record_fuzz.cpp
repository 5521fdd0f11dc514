// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as the engine's record of a session, and as the id of one: nothing crashes or
// throws, and a read record is written so that it reads back the same.
#include "session_ids.hpp"
#include "session_record.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void readSession(std::string_view bytes) {
  const auto record = SessionRecord::read(bytes);
  if (!record || record->ended) return;
  const std::string text = record->text();
  if (text.size() > SessionRecord::largest) return; // escapes can make it longer
  const auto again = SessionRecord::read(text);
  require(static_cast<bool>(again));
  require(again->notes == record->notes && again->writes == record->writes);
  require(again->text() == text);
}

// An id cannot be forged: an id that opens was sealed.
void openId(std::string_view bytes) {
  static const SessionIds ids(Blake3Key::random(), std::chrono::seconds(60));
  require(!ids.open(bytes, {}, 0));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  readSession(bytes);
  openId(bytes);
  return 0;
}
