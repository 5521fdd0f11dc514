// SPDX-License-Identifier: Apache-2.0
// Reads the parts of a shared object that the dynamic linker uses, without running any of its code.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace skillhost::check {

struct ElfFile {
  std::string fault; // reason why it cannot be read at all; the rest is then empty
  std::vector<std::string> exported, unique;
  std::vector<std::string> runPaths; // folders of RPATH and RUNPATH
  std::set<std::string> versions;    // versions of the symbols that it needs: "GLIBC_2.34"
  bool textRelocations = false;
};

// Reads 64-bit files for this machine. The content is not trusted and never causes an exception.
ElfFile readElf(const std::string &path);

// Returns true if `version`, such as "GLIBCXX_3.4.31", has the prefix "GLIBCXX_" and is newer than
// `most`, such as 3.4.30.
bool newerThan(const std::string &version, const std::string &prefix,
               const std::vector<unsigned> &most);

} // namespace skillhost::check
