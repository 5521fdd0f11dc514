// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace store_test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "skillhost-store-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::at(const std::string &path) const {
  return path.empty() ? path_.string() : (path_ / path).string();
}

std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void writeBytes(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

skillhost::store::Content smallSkill(const std::string &body) {
  return {{{"SKILL.md", "---\nname: pdf\ndescription: \"Reads.\"\n---\n" + body + '\n'},
           {"assets/dot.bin", std::string("\xFF\x00\x80\x01", 4)},
           {"notes/\xC3\xA9t\xC3\xA9.txt", ""},
           {"scripts/run.sh", "echo \"\\\t\x01 and enough plain text to stay text\"\r\n"}},
          {}};
}

skillhost::store::Trust keyed(std::uint8_t byte) {
  skillhost::store::Trust trust;
  trust.key.emplace().fill(byte);
  return trust;
}

std::vector<std::pair<std::string, std::string>>
filesIn(const skillhost::store::LoadedSkill &skill) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const skillhost::store::FileView &file : skill.files)
    files.emplace_back(file.path, file.bytes);
  return files;
}

} // namespace store_test
