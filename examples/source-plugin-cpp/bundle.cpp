// SPDX-License-Identifier: Apache-2.0
#include "bundle.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace {

using nlohmann::json;

// 64-bit FNV-1a and the length are enough for a file that its owner edits. Use a cryptographic hash
// where the author of the text must not be able to forge a revision.
std::string revisionOf(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::array<char, 17> digits{};
  for (std::size_t at = 16; at-- > 0; hash >>= 4U) digits.at(at) = "0123456789abcdef"[hash & 15U];
  return std::string(digits.data(), 16) + '-' + std::to_string(text.size());
}

// Accepts relative names of segments separated by '/', as the host demands: one other name would
// make it refuse the whole list.
bool isRelative(std::string_view name) {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view segment = name.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..") return false;
    begin = end + 1;
  }
  return name.find_first_of(std::string_view("\\\0", 2)) == std::string_view::npos;
}

std::string whatIsWrong(const std::string &skill, const json &files) {
  if (!isRelative(skill)) return "its name is not a clean relative path";
  if (!files.is_object()) return "must be an object of path and text";
  if (!files.contains("SKILL.md")) return "has no SKILL.md";
  for (const auto &[path, text] : files.items()) {
    if (!isRelative(path)) return path + ": not a clean relative path";
    if (!text.is_string()) return path + ": must be a string";
  }
  return {};
}

} // namespace

Bundle Bundle::parse(std::string_view text) {
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object() || !root.contains("skills") || !root["skills"].is_object())
    throw std::runtime_error(R"(must be a JSON object with an object "skills")");
  Bundle bundle;
  std::string all;
  for (const auto &[skill, files] : root["skills"].items()) {
    if (const std::string wrong = whatIsWrong(skill, files); !wrong.empty()) {
      bundle.warnings.push_back("skill " + skill + ": " + wrong);
      continue;
    }
    for (const auto &[path, content] : files.items()) {
      auto fileText = content.get<std::string>();
      std::string revision = revisionOf(fileText);
      all.append(skill).append(1, '\0').append(path).append(1, '\0').append(revision);
      bundle.skills[skill][path] = {std::move(fileText), std::move(revision)};
    }
  }
  bundle.snapshot = revisionOf(all);
  return bundle;
}
