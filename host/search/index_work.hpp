// SPDX-License-Identifier: Apache-2.0
// What an index is asked to hold, and what an update has to do for it.
#pragma once

#include "search/index.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace skillhost {

struct WantedIndex {
  std::vector<Searchable> all;
  std::string generation;
  std::uint64_t number = 0; // of all updates asked for, from 1 on
};

// What one update has to do.
struct IndexWork {
  std::vector<Searchable> put;      // what is new or changed
  std::vector<std::string> removed; // goes with the first piece
  std::map<std::string, std::string> revisions;
  std::size_t done = 0; // of put: committed
};
// A part of it: read together, then committed.
struct IndexPiece {
  std::vector<SearchEntry> put;
  std::size_t reading = 0; // sources that have not answered
  std::mutex mutex;
};

} // namespace skillhost
