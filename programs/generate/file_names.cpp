// SPDX-License-Identifier: Apache-2.0
#include "file_names.hpp"

#include "ground/sha256.hpp"
#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t maxFileNameBytes = 80, digestDigits = 16;

std::string safe(const std::string &name) {
  if (!isWord(name)) return "tool";
  std::string out = name.substr(0, maxFileNameBytes);
  std::replace_if(
      out.begin(), out.end(), [](char byte) { return byte == '/' || byte == ':'; }, '_');
  for (std::size_t at = out.find(".."); at != std::string::npos; at = out.find("..", at))
    out.replace(at, 2, "__");
  if (out.starts_with('.') || out.starts_with('-')) out.front() = '_';
  if (out.ends_with('.')) out.back() = '_'; // two dots with the extension
  return out;
}

// Returns true for names of devices, which some file systems open instead of a file, and for files
// that agents read on their own: SKILL.md would be a separate skill.
bool isTaken(const std::string &name) {
  constexpr std::array<std::string_view, 9> plain{
      "con", "prn", "aux", "nul", "skill", "agents", "claude", "gemini", "copilot-instructions"};
  const std::string stem = asciiLowered(name.substr(0, name.find('.')));
  return std::find(plain.begin(), plain.end(), stem) != plain.end() ||
         (stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")));
}

} // namespace

bool isWord(const std::string &name) {
  static constexpr std::string_view marks = "._-/:";
  return std::all_of(name.begin(), name.end(), [](unsigned char byte) {
    return byte < 0x80 &&
           (std::isalnum(byte) != 0 || marks.find(static_cast<char>(byte)) != marks.npos);
  });
}

std::vector<std::string> fileNames(const std::vector<std::string> &names) {
  std::map<std::string, int> wanted;
  for (const std::string &name : names) ++wanted[asciiLowered(safe(name))];
  std::set<std::string> plain; // names that stay unchanged
  for (const std::string &name : names)
    if (safe(name) == name && !isTaken(name) && wanted[asciiLowered(name)] == 1)
      plain.insert(asciiLowered(name));
  std::vector<std::string> files;
  files.reserve(names.size());
  for (const std::string &name : names) {
    if (plain.contains(asciiLowered(name)) && safe(name) == name) {
      files.push_back(name);
      continue;
    }
    const std::string digest = sha256Hex(name);
    std::string file = safe(name) + '-' + digest.substr(0, digestDigits);
    if (plain.contains(asciiLowered(file)))
      file = safe(name) + '-' + digest; // somebody chose that name on purpose
    files.push_back(std::move(file));
  }
  return files;
}

} // namespace skillhost
