// SPDX-License-Identifier: Apache-2.0
// BM25 as in the textbook, for comparison: title and text as one field, words of ASCII letters and
// digits in lower case, no stemming, no stop words, k1 = 1.2, b = 0.75, query terms as often as
// they occur.
#pragma once

#include "collection.hpp"

#include <unordered_map>

namespace skillhost::retrieval {

class PlainBm25 {
public:
  explicit PlainBm25(const std::vector<Document> &documents);
  // Returns the ids of the best documents, best first, equal scores in order of id.
  std::vector<std::string> query(const std::string &text, std::size_t limit) const;

private:
  struct Posting {
    std::size_t document;
    double count;
  };
  std::vector<std::string> ids_;
  std::vector<double> lengths_;
  double average_ = 0;
  std::unordered_map<std::string, std::vector<Posting>> postings_;
};

} // namespace skillhost::retrieval
