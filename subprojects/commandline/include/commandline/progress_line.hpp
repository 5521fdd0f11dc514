// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that shows the progress of the sources to a waiting user.
#pragma once

#include "base/listing_progress.hpp"

#include <memory>

namespace skillhost {

// Writes to standard error, only if that is a terminal, and wipes its line at the end. The progress
// must outlive it.
class ProgressLine {
public:
  explicit ProgressLine(ListingProgress &progress);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

private:
  struct Line;
  std::shared_ptr<Line> line_; // null if there is no terminal
  std::shared_ptr<const ListingProgress::Observer> observer_;
};

// Returns "[#####-----]  50 %  team: fetching", or without a total "team: fetching"; at most
// `columns` bytes, without control characters.
std::string progressText(std::uint64_t done, std::uint64_t total, std::string_view what,
                         std::size_t columns);

} // namespace skillhost
