// SPDX-License-Identifier: Apache-2.0
// A folder that is removed after the test, a small skill, and a store with or without a key.
#pragma once

#include "store/problem.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace store_test {

class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string at(const std::string &path = {}) const;

private:
  std::filesystem::path path_;
};

std::string bytesOf(const std::string &path);
void writeBytes(const std::string &path, const std::string &bytes); // replaces the file
// A text, a binary file and an empty file. Another `body` gives another content.
skillhost::store::Content smallSkill(const std::string &body = "Read PDF files.");
skillhost::store::Trust keyed(std::uint8_t byte); // a key that repeats this byte
// Returns the bytes by path of a loaded skill.
std::vector<std::pair<std::string, std::string>>
filesIn(const skillhost::store::LoadedSkill &skill);
// The problem and message of the exception that `body` throws; {} and "" if it throws none.
struct Refusal {
  bool thrown = false;
  skillhost::store::Problem problem{};
  std::string message;
};
template <class Body> Refusal refusalOf(Body &&body) {
  try {
    body();
    return {};
  } catch (const skillhost::store::StoreError &error) {
    return {true, error.problem(), error.what()};
  }
}

} // namespace store_test
