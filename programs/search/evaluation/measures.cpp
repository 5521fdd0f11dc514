// SPDX-License-Identifier: Apache-2.0
#include "evaluation/measures.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::evaluation {

Measured measured(const std::vector<std::string> &ranking, const std::set<std::string> &relevant) {
  const auto discount = [](std::size_t place) { // place 0 is the first
    return 1 / std::log2(static_cast<double>(place) + 2);
  };
  Measured question;
  double gain = 0;
  double found = 0;
  for (std::size_t place = 0; place < std::min(depth, ranking.size()); ++place) {
    if (!relevant.contains(ranking[place])) continue;
    gain += discount(place);
    found += 1;
    if (question.rank == 0) question.rank = place + 1;
  }
  double ideal = 0;
  for (std::size_t place = 0; place < std::min(depth, relevant.size()); ++place)
    ideal += discount(place);
  question.hit = question.rank == 1 ? 1 : 0;
  question.reciprocalRank = question.rank == 0 ? 0 : 1 / static_cast<double>(question.rank);
  question.gain = gain / ideal;
  question.recall = found / static_cast<double>(relevant.size());
  return question;
}

void Measures::add(const Measured &question) {
  ++count_;
  sums_.hit += question.hit;
  sums_.reciprocalRank += question.reciprocalRank;
  sums_.gain += question.gain;
  sums_.recall += question.recall;
}

} // namespace skillhost::evaluation
