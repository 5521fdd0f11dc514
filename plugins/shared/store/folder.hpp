// SPDX-License-Identifier: Apache-2.0
// An open folder. It accesses its entries by name and never through a link.
#pragma once

#include "ground/descriptor.hpp"

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::store {

class Folder {
public:
  // Throws StoreError. Returns nothing if there is no such folder.
  static std::optional<Folder> open(const std::string &path);
  // Creates the folder and those above it if they are missing, with mode 0755 less the umask.
  static Folder openOrMake(const std::string &path);

  const std::string &path() const noexcept { return path_; }
  int number() const noexcept { return descriptor_.number(); }
  std::string pathOf(const std::string &name) const { return path_ + '/' + name; }

  // Returns nothing if there is none, or if the name belongs to something else than a folder.
  std::optional<Folder> folder(const std::string &name) const;
  Folder makeFolder(const std::string &name) const; // returns the existing folder if there is one
  // Sorted by bytes, without "." and "..". Reads the folder each time.
  std::vector<std::string> names() const;
  // Opens a regular file for reading; returns nothing if there is none.
  std::optional<Descriptor> file(const std::string &name, struct stat &status) const;
  // Creates a file, which must not exist, with exactly this mode. It is on disk when this returns.
  void write(const std::string &name, std::string_view bytes, mode_t mode) const;
  // Does the same, but the file is only on disk after synchronise(file). For several files, create
  // all of them first, so that the disk can write them together.
  Descriptor make(const std::string &name, std::string_view bytes, mode_t mode) const;
  void synchronise(const Descriptor &file, const std::string &name) const;
  // Moves an entry to `target`, which must not have that name unless `existing` is Replace.
  enum class Existing { Refuse, Replace };
  void move(const std::string &name, const Folder &target, const std::string &newName,
            Existing existing = Existing::Refuse) const;
  // Removes an entry with everything in it. A missing entry is no error.
  void erase(const std::string &name) const;
  // When this returns, all entries created, moved and removed here are on disk.
  void synchronise() const;

private:
  Folder(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::string path_;
};

} // namespace skillhost::store
