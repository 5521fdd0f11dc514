// SPDX-License-Identifier: Apache-2.0
// The content of a skill: its files, and a module that accompanies them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::store {

struct File {
  std::string path; // relative to the skill
  std::string bytes;
  bool executable = false; // for callers; the store does not keep it
};

struct Content {
  std::vector<File> files;
  std::string module; // module.wasm, which is stored but never run; empty: none
};

// A file of a loaded skill. Valid as long as that skill.
struct FileView {
  std::string_view path, bytes;
};

// Sorts the files by the bytes of their paths. Throws StoreError (Refused) that names `skill` and
// the file, if there is no SKILL.md, a path is unsafe, two paths differ only in case or Unicode
// form, a path is both file and folder, or a limit is exceeded.
void checkContent(const std::string &skill, Content &content);

} // namespace skillhost::store
