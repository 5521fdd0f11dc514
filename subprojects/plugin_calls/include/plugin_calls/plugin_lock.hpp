// SPDX-License-Identifier: Apache-2.0
// The operator's list of plugin files, by BLAKE3 digest: nothing else is loaded.
#pragma once

#include "ground/result.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace skillhost {

// Lines of `<64 hexadecimal digits>  <file name or path>`; # begins a comment.
class PluginLock {
public:
  // A failure names file and line.
  static Result<PluginLock> read(const std::string &file);
  // Returns the text of such a list. A file that cannot be read is left out.
  static std::string write(const std::vector<std::string> &files);

  // Succeeds if `path` (absolute) is listed, by itself or by its name, with this digest. The
  // failure says what is wrong.
  Status check(const std::string &path, const std::string &digest) const;

private:
  std::string file_;
  std::map<std::string, std::set<std::string>> digests_; // by name as written
};

} // namespace skillhost
