// SPDX-License-Identifier: Apache-2.0
// How many refusals of one address are worth a line each: guesses must not fill the audit.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// Not for several threads at once.
class RefusalLimit {
public:
  using Moment = std::chrono::steady_clock::time_point;
  using Counts = std::vector<std::pair<std::string, std::size_t>>; // by address

  RefusalLimit(std::size_t each, std::chrono::milliseconds span) : each_(each), span_(span) {}

  // Whether this one is to be told. Addresses that are too many are taken for one, "others".
  bool tell(std::string_view address, Moment now);
  // When the span ends that is under way: then take() is to be called.
  Moment end() const noexcept { return begin_ + span_; }
  // What was not told, once its span is over; a new one begins then.
  Counts take(Moment now);

private:
  const std::size_t each_;
  const std::chrono::milliseconds span_;
  Moment begin_{};
  std::map<std::string, std::size_t, std::less<>> counts_; // since begin_
};

} // namespace skillhost
