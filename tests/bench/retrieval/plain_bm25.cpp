// SPDX-License-Identifier: Apache-2.0
#include "plain_bm25.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::retrieval {
namespace {

std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> found(1);
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) {
      found.back() += lower;
    } else if (!found.back().empty()) {
      found.emplace_back();
    }
  }
  if (found.back().empty()) found.pop_back();
  return found;
}

} // namespace

PlainBm25::PlainBm25(const std::vector<Document> &documents) {
  for (const Document &document : documents) {
    const std::vector<std::string> terms = words(document.title + " " + document.text);
    std::unordered_map<std::string, double> counts;
    for (const std::string &term : terms) counts[term] += 1;
    for (const auto &[term, count] : counts) postings_[term].push_back({ids_.size(), count});
    ids_.push_back(document.id);
    lengths_.push_back(static_cast<double>(terms.size()));
    average_ += lengths_.back() / static_cast<double>(documents.size());
  }
}

std::vector<std::string> PlainBm25::query(const std::string &text, std::size_t limit) const {
  constexpr double k1 = 1.2;
  constexpr double b = 0.75;
  std::vector<double> scores(ids_.size());
  for (const std::string &term : words(text)) {
    const auto found = postings_.find(term);
    if (found == postings_.end()) continue;
    const auto having = static_cast<double>(found->second.size());
    const double rarity =
        std::log(1 + (static_cast<double>(ids_.size()) - having + 0.5) / (having + 0.5));
    for (const Posting &posting : found->second) {
      const double norm = k1 * (1 - b + b * lengths_[posting.document] / average_);
      scores[posting.document] += rarity * posting.count * (k1 + 1) / (posting.count + norm);
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < ids_.size(); ++i)
    if (scores[i] > 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t c) {
    return scores[a] != scores[c] ? scores[a] > scores[c] : ids_[a] < ids_[c];
  });
  std::vector<std::string> best;
  for (std::size_t i = 0; i < std::min(limit, order.size()); ++i) best.push_back(ids_[order[i]]);
  return best;
}

} // namespace skillhost::retrieval
