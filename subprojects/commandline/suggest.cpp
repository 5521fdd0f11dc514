// SPDX-License-Identifier: Apache-2.0
#include "commandline/suggest.hpp"

#include "ground/edit_distance.hpp"
#include "ground/text.hpp"

#include <algorithm>

namespace skillhost::app {

std::string_view nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 100) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string &candidate : candidates)
    if (const std::size_t steps = editDistance(asciiLowered(word), asciiLowered(candidate));
        steps < least) {
      least = steps;
      best = candidate;
    }
  return best;
}

std::string didYouMean(std::string_view word, std::span<const std::string> candidates) {
  const std::string_view found = nearest(word, candidates);
  return found.empty() ? std::string{} : " - did you mean \"" + std::string(found) + "\"?";
}

} // namespace skillhost::app
