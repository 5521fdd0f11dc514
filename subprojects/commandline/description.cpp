// SPDX-License-Identifier: Apache-2.0
#include "commandline/description.hpp"

#include <algorithm>

namespace skillhost::app {

ArgumentDescription helpOption() {
  return {{"-h", "--help"}, "", "Print this help, or the help of a command.", generalOptions};
}
ArgumentDescription jsonOption() { return {{"--json"}, "", "Print JSON.", generalOptions}; }

std::string joined(const std::vector<std::string> &words, std::string_view between) {
  std::string text;
  for (const std::string &word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::vector<std::string> choicesOf(std::string_view value) {
  std::vector<std::string> choices;
  if (value.find('|') == std::string_view::npos) return choices;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    choices.emplace_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return choices;
}

std::string_view firstSentence(std::string_view text) {
  text = text.substr(0, text.find(". "));
  if (text.ends_with('.')) text.remove_suffix(1);
  return text;
}

} // namespace skillhost::app
