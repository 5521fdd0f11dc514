// SPDX-License-Identifier: Apache-2.0
#include "configuration/suggest.hpp"

#include <algorithm>
#include <vector>

namespace skillhost::app {
namespace {

// Insertions, deletions, replacements and swapped neighbours that turn one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

} // namespace

std::string_view nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 100) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string &candidate : candidates)
    if (const std::size_t steps = distance(word, candidate); steps < least) {
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
