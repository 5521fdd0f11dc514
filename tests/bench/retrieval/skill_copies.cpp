// SPDX-License-Identifier: Apache-2.0
#include "skill_copies.hpp"

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace skillhost::retrieval {
namespace {

// Reads as much of YAML as these files need: the text behind the key, and the indented lines below.
std::string valueOf(std::string_view head, std::string_view key) {
  std::istringstream lines{std::string(head)};
  std::string value;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(std::string(key) + ":")) {
      inside = true;
      value = line.substr(key.size() + 1);
    } else if (inside && line.starts_with(' ')) {
      value += line;
    } else {
      inside = false;
    }
  }
  const std::size_t begin = value.find_first_not_of(" \"'|>-");
  if (begin == std::string::npos) return {};
  return value.substr(begin, value.find_last_not_of(" \"'\r") + 1 - begin);
}

std::vector<std::string> sentencesOf(const std::string &text) {
  std::vector<std::string> sentences(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    sentences.back() += text[at];
    const bool ends =
        text[at] == '\n' || (text[at] == '.' && at + 1 < text.size() && text[at + 1] == ' ');
    if (ends) sentences.emplace_back();
  }
  return sentences;
}

std::string shuffled(const std::string &text, std::mt19937 &random) {
  std::vector<std::string> sentences = sentencesOf(text);
  std::shuffle(sentences.begin(), sentences.end(), random);
  std::string out;
  for (const std::string &sentence : sentences) out += sentence;
  return out;
}

std::mt19937 randomOf(std::size_t number) {
  return std::mt19937(static_cast<std::mt19937::result_type>(number));
}

} // namespace

SkillCopies::SkillCopies(const std::filesystem::path &folder) {
  std::vector<std::filesystem::path> files;
  for (const auto &each : std::filesystem::recursive_directory_iterator(folder))
    if (each.path().filename() == "SKILL.md") files.push_back(each.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path &path : files) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    const std::size_t end = text.find("\n---", 3);
    if (!text.starts_with("---") || end == std::string::npos) continue;
    const std::string_view head = std::string_view(text).substr(0, end);
    originals_.push_back(
        {{}, valueOf(head, "name"), valueOf(head, "description"), text.substr(end + 4)});
  }
  if (originals_.empty()) throw std::runtime_error(folder.string() + ": no SKILL.md is below it");
}

Skill SkillCopies::skill(std::size_t number, std::size_t bodyBytes) const {
  std::mt19937 random = randomOf(number);
  const std::size_t own = number % originals_.size();
  const std::size_t copy = number / originals_.size();
  Skill skill = originals_[own];
  skill.id = "copies/" + std::to_string(number);
  if (copy > 0) {
    skill.name += "-" + std::to_string(copy);
    skill.description = shuffled(skill.description, random);
  }
  // The text comes from other skills too, because real long skills do not repeat themselves.
  while (skill.body.size() < bodyBytes) skill.body += originals_[random() % originals_.size()].body;
  skill.body = shuffled(skill.body, random).substr(0, bodyBytes);
  return skill;
}

std::string SkillCopies::words(std::size_t number, std::size_t count) const {
  std::mt19937 random = randomOf(number);
  std::string text;
  std::size_t words = 0;
  while (words < count) {
    const Skill &from = originals_[random() % originals_.size()];
    std::istringstream in(from.description + " " + from.body);
    for (std::string word; words < count && in >> word; ++words) text += word + " ";
  }
  return text;
}

} // namespace skillhost::retrieval
