// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that says how far the sources are, for who waits at it.
#pragma once

#include "base/listing_progress.hpp"

#include <memory>

namespace skillhost {

// Writes to standard error, and only when that is a terminal; what it wrote is gone with it. The
// progress outlives it.
class ProgressLine {
public:
  explicit ProgressLine(ListingProgress &progress);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

private:
  struct Line;
  std::shared_ptr<Line> line_; // null: no terminal
  std::shared_ptr<const ListingProgress::Observer> observer_;
};

// "[#####-----]  50 %  team: fetching", or without a total "team: fetching"; at most `columns`
// bytes, none of them a control character.
std::string progressText(std::uint64_t done, std::uint64_t total, std::string_view what,
                         std::size_t columns);

} // namespace skillhost
