// SPDX-License-Identifier: Apache-2.0
// A change of somebody's file on disk: with a backup, all of it or nothing.
#pragma once

#include "change.hpp"
#include "ground/replace_file.hpp"

#include <string>

namespace skillhost::app::edit {

struct FileChange {
  std::string path; // absolute; a file that is not there is an empty one, its folders are made
  Format format = Format::Json;
  Change change;
  FileReaders readers = FileReaders::Everybody; // of a file that is new
  std::string initial{};                        // what such a file begins with
};

struct FileChanged {
  bool changed = false;
  std::string backup; // what the file held before; empty when there was none
};

// The file's text; an empty one when there is no file. Fails for what cannot be read, and above
// 16 MiB.
Result<std::string> textOf(const std::string &path);

// As changed() does it. The messages of a failure name the file; nothing is written then. The file
// keeps its mode; the backup is its owner's alone.
Result<FileChanged> changeFile(const FileChange &wanted);

} // namespace skillhost::app::edit
