// SPDX-License-Identifier: Apache-2.0
// Collects facts of a text that are harmless alone, and finds dangerous sequences of them.
#pragma once

#include "patterns.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace skillhost {

struct SeenFact {
  std::size_t line, offset; // in the normalised text
  std::size_t length;
  std::string name; // subject of the fact; may be empty
};

class FactLog {
public:
  void add(Fact fact, SeenFact seen);
  // Calls `found`, after all facts were added, for each sequence, and each first fact that begins
  // it, with all its facts.
  void forEachSequence(
      const std::function<void(const Sequence &, const std::vector<const SeenFact *> &)> &found);

private:
  std::array<std::vector<SeenFact>, facts> seen_; // by Fact
};

} // namespace skillhost
