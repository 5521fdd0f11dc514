// SPDX-License-Identifier: Apache-2.0
// What the dynamic linker would read of a shared object, read without running any of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace skillhost::check {

struct ElfFile {
  std::string fault; // why it cannot be read at all; the rest is empty then
  std::vector<std::string> exported, unique;
  std::vector<std::string> runPaths; // RPATH and RUNPATH, one folder each
  std::set<std::string> versions;    // of symbols it needs: "GLIBC_2.34"
  bool textRelocations = false;
};

// Of 64-bit files of this machine. Never throws for what is in the file; trusts nothing in it.
ElfFile readElf(const std::string &path);

// Whether "GLIBCXX_3.4.31" is newer than 3.4.30, given "GLIBCXX_".
bool newerThan(const std::string &version, const std::string &prefix,
               const std::vector<unsigned> &most);

} // namespace skillhost::check
