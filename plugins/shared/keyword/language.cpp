// SPDX-License-Identifier: Apache-2.0
#include "language.hpp"

#include "english.hpp"

#include <utility>

namespace skillhost::keyword {
namespace {

TextSet split(std::string_view list) {
  TextSet words;
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    words.emplace(list.substr(0, end));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return words;
}

} // namespace

Language::Language(std::string name, const std::optional<std::vector<std::string>> &stopWords)
    : name_(std::move(name)) {
  const Stemmer proof(name_); // an unknown language fails now, not at the first query
  const bool english = name_ == "english" || name_ == "porter";
  if (stopWords) {
    stopWords_.insert(stopWords->begin(), stopWords->end());
  } else if (english) {
    stopWords_ = split(englishStopWords);
  }
  if (english) requestWords_ = split(englishRequestWords);
}

} // namespace skillhost::keyword
