// SPDX-License-Identifier: Apache-2.0
// Changes a user's file on disk: with a backup, and completely or not at all.
#pragma once

#include "change.hpp"
#include "ground/replace_file.hpp"

#include <string>

namespace skillhost::app::edit {

struct FileChange {
  std::string path; // absolute; a missing file counts as empty, and its folders are made
  Format format = Format::Json;
  Change change;
  FileReaders readers = FileReaders::Everybody; // for a new file
  std::string initial{};                        // start of a new file
};

struct FileChanged {
  bool changed = false;
  std::string backup; // copy of the previous content; empty: none
};

// Returns the file's text; empty if there is no file. Fails if it cannot be read, and above 16 MiB.
Result<std::string> textOf(const std::string &path);

// Changes the file as changed() does. A failure's message names the file, and nothing is written
// then. The file keeps its mode; only its owner can read the backup.
Result<FileChanged> changeFile(const FileChange &wanted);

} // namespace skillhost::app::edit
