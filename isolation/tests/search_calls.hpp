// SPDX-License-Identifier: Apache-2.0
// Calls a search plugin and waits for its answer.
#pragma once

#include "running.hpp"
#include "search_instance.hpp"

#include <string>
#include <vector>

namespace running {

using skillhost::Done;
using skillhost::SearchEntry;
using skillhost::SearchHit;
using skillhost::SearchInstance;

inline Result<Done> update(SearchInstance &search, const std::vector<SearchEntry> &put,
                           const std::string &generation) {
  return wait<Done>([&](auto answer) { search.update({}, put, {}, generation, answer); });
}
inline Result<std::vector<SearchHit>> query(SearchInstance &search, const std::string &text) {
  return wait<std::vector<SearchHit>>([&](auto answer) { search.query({}, text, "", 10, answer); });
}
inline Result<std::string> explain(SearchInstance &search, const std::string &text,
                                   const std::string &id) {
  return wait<std::string>([&](auto answer) { search.explain({}, text, id, answer); });
}
inline Result<std::string> settle(SearchInstance &search) {
  return wait<std::string>([&](auto answer) { search.settle({}, answer); });
}

inline const std::vector<SearchEntry> entries{
    {"s/pdf", "1", "pdf", "Merges and splits PDF documents", "Use qpdf.", "{}"},
    {"s/mail", "1", "mail", "Writes friendly letters", "Dear reader.", "{}"}};

} // namespace running
