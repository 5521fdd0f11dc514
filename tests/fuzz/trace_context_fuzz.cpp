// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as the fields of a trace, cut at the first line break: an accepted traceparent
// consists of digits alone, and an accepted tracestate is a part of the input that is accepted
// again.
#include "base/trace_context.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {
bool isOfDigits(const std::string &text, std::size_t count) {
  return text.size() == count && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string input(data, data + size);
  const std::size_t cut = input.find('\n');
  const std::string parent = input.substr(0, cut);
  const std::string state = cut == std::string::npos ? parent : input.substr(cut + 1);
  if (const auto read = skillhost::readTraceparent(parent))
    if (!isOfDigits(read->traceId, 32) || !isOfDigits(read->parentId, 16)) std::abort();
  const std::string_view taken = skillhost::readTracestate(state);
  if (taken.size() > 512 || skillhost::readTracestate(taken) != taken) std::abort();
  if (state.find(taken) == std::string::npos) std::abort();
  for (const char c : taken)
    if (c != '\t' && (c < ' ' || c > '~')) std::abort();
  return 0;
}
