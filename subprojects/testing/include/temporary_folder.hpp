// SPDX-License-Identifier: Apache-2.0
// A temporary folder for each test, because several tests may run at once.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

// The destructor removes the folder and its content.
class TemporaryFolder {
public:
  TemporaryFolder()
      : path_((std::filesystem::temp_directory_path() / "skillhost-test-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::string &path() const noexcept { return path_; }

private:
  std::string path_;
};
