// SPDX-License-Identifier: Apache-2.0
#include "measures.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::retrieval {

void Measures::add(const std::vector<std::string> &ranking, const std::set<std::string> &relevant) {
  const auto discount = [](std::size_t place) { // place 0 is the first
    return 1 / std::log2(static_cast<double>(place) + 2);
  };
  double gain = 0;
  double found = 0;
  double first = 0;
  for (std::size_t place = 0; place < std::min(depth, ranking.size()); ++place) {
    if (relevant.count(ranking[place]) == 0) continue;
    gain += discount(place);
    found += 1;
    if (first == 0) first = 1 / (static_cast<double>(place) + 1);
  }
  double ideal = 0;
  for (std::size_t place = 0; place < std::min(depth, relevant.size()); ++place)
    ideal += discount(place);
  ++count_;
  hit_ += first == 1 ? 1 : 0;
  reciprocalRank_ += first;
  gain_ += gain / ideal;
  recall_ += found / static_cast<double>(relevant.size());
}

} // namespace skillhost::retrieval
