// SPDX-License-Identifier: Apache-2.0
// What a skill consists of: its files, and a module that goes along with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::store {

struct File {
  std::string path; // relative to the skill
  std::string bytes;
  bool executable = false; // for whom it matters: a store does not keep it
};

struct Content {
  std::vector<File> files;
  std::string module; // of module.wasm, carried and never run; empty: none
};

// A file of a loaded skill; valid as long as that.
struct FileView {
  std::string_view path, bytes;
};

// Sorts the files by the bytes of their paths. Throws StoreError (Refused), which names `skill` and
// the file, for one that breaks a rule: no SKILL.md, a path that is not safe, two that differ in
// case or Unicode form alone or are a file and a folder at once, too many, too much.
void checkContent(const std::string &skill, Content &content);

} // namespace skillhost::store
