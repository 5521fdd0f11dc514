// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as JSON: the library reads every text that the short reader accepts as the same
// tree, and the tree is written and read again without a change.
#include "ground/json.hpp"
#include "plain_json.hpp"

#include <nlohmann/json.hpp>

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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const JsonLimits limits{16, 200};
  Json plain;
  const bool isPlain = readPlainJson(text, limits, plain);
  const Result<Json> read = parseJson(text, limits);
  require(!isPlain || static_cast<bool>(read));
  if (!read) return 0;
  const Json library = Json::parse(text, nullptr, false);
  require(!library.is_discarded());
  if (isPlain) require(plain == library && plain.dump() == library.dump());
  std::string written;
  appendJson(written, *read);
  const Result<Json> again = parseJson(written, limits);
  require(static_cast<bool>(again));
  require(*again == *read);
  return 0;
}
