// SPDX-License-Identifier: Apache-2.0
// What one file has on a span of time, for who adds up several files: not the lists of a report,
// which cannot be added up, but counts, sums and newest times of all that is told apart.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

struct UsageCells {
  // Names the file, for all processes of its machine: what has the same one is counted once. A copy
  // has another one, since it goes on by itself. Empty: there is no file.
  std::string file;
  std::string bytes; // see readCells(); empty: nothing was used
};

// The cells of other files, all of the time that is asked about.
struct UsageOthers {
  std::shared_ptr<const std::vector<UsageCells>> cells; // null: none
  // Hears the place of each one that cannot be read, and is left out, before the answer comes.
  std::function<void(std::size_t)> unread{};
};

} // namespace skillhost
