// SPDX-License-Identifier: Apache-2.0
// What replicas tell each other about a question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace skillhost {

inline constexpr const char *usageChannel = "usage";

// To all others; each reads its own file for it.
struct UsageAsk {
  std::string question, from; // ids, 16 hexadecimal digits each
  std::int64_t since = 0, until = 0;
  std::int64_t patience = 0; // milliseconds
  std::string file;          // of who asks: whoever writes the same one has nothing to add
};

// To who has asked.
struct UsageTold {
  std::string question, from, file;
  std::size_t parts = 0, bytes = 0; // that were put down; none: there is nothing
  std::string problem;              // why there is no answer; empty: there is one
  bool isReading = false;           // the answer is still to come
};

// Of one part of an answer.
inline std::string usagePartKey(const std::string &question, const std::string &from,
                                std::size_t part) {
  return "usage/cells/" + question + '/' + from + '/' + std::to_string(part);
}

} // namespace skillhost
