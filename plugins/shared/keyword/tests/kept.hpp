// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of an index on disk: they collect its notices and list the files in its folder.
#pragma once

#include "entries.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

namespace kept {

using skillhost::keyword::Notice;
using skillhost::keyword::Tell;

class Told {
public:
  Tell tell() {
    return [this](Notice notice, const std::string &text) {
      const std::scoped_lock lock(mutex_);
      const bool isWarning = notice == Notice::Warning || notice == Notice::NotKept;
      lines_.push_back((isWarning ? "warning: " : "information: ") + text);
      if (notice == Notice::NotKept) isKept_ = false;
      if (notice == Notice::Kept) isKept_ = true;
    };
  }
  std::vector<std::string> lines() const {
    const std::scoped_lock lock(mutex_);
    return lines_;
  }
  bool isKept() const {
    const std::scoped_lock lock(mutex_);
    return isKept_;
  }
  bool hasOne(const std::string &part) const {
    const std::vector<std::string> lines = this->lines();
    return lines.size() == 1 && lines[0].find(part) != std::string::npos;
  }

private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  bool isKept_ = true;
};

inline std::string contentOf(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

inline void write(const std::filesystem::path &path, std::string_view content) {
  std::filesystem::remove(path); // closing a file that was truncated and written would flush it
  std::ofstream(path, std::ios::binary) << content;
}

inline std::filesystem::path segmentIn(const std::string &folder) {
  for (const auto &each : std::filesystem::directory_iterator(folder))
    if (each.path().extension() == ".segment") return each.path();
  FAIL("no segment is kept");
  return {};
}

inline std::size_t segmentsIn(const std::string &folder) {
  std::size_t count = 0;
  for (const auto &each : std::filesystem::directory_iterator(folder))
    count += each.path().extension() == ".segment" ? 1U : 0U;
  return count;
}

// Two segments, with a removed entry in the first.
inline void fill(const std::string &folder) {
  Index index({}, folder);
  for (int number = 0; number < 12; ++number) entries::put(index, number, 1);
  index.commit("1");
  index.remove("id3");
  entries::put(index, 4, 2);
  index.commit("2");
}

// Keeps an intact index whose copies the tests damage.
class Original {
public:
  Original() { fill(path()); }
  std::string path() const { return parent_.path() + "/whole"; }
  std::string copy() const { // replaces the previous copy
    const std::string folder = parent_.path() + "/index";
    std::filesystem::remove_all(folder);
    std::filesystem::copy(path(), folder);
    return folder;
  }

private:
  TemporaryFolder parent_;
};

} // namespace kept
