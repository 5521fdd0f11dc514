// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a stream of events: nothing crashes, and the sizes of the pieces make no
// difference.
#include "mcp_client/event_parser.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

constexpr std::size_t most = 4096;

// Returns all visible results of a parser that gets `bytes` in pieces of `step`.
std::string seen(std::string_view bytes, std::size_t step) {
  EventParser parser(most);
  std::string all;
  const auto hear = [&all](std::string_view type, std::string_view data) {
    if (data.size() > most) std::abort();
    all.append(type).append("\x01").append(data).append("\x02");
  };
  bool good = true;
  for (std::size_t at = 0; good && at < bytes.size(); at += step)
    good = parser.parse(bytes.substr(at, step), hear);
  // Past its limit the parser may give a stream up a little earlier or later.
  return good ? all + parser.lastId() : "too large";
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  const std::string whole = seen(bytes, most), small = seen(bytes, 1), odd = seen(bytes, 7);
  if (whole != small || whole != odd) std::abort();
  return 0;
}
