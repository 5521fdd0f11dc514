// SPDX-License-Identifier: Apache-2.0
// An open folder, and what is done to the entries it holds: by name, never through a link.
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
  // Throws StoreError; nothing when there is no such folder.
  static std::optional<Folder> open(const std::string &path);
  // Makes it, and those above it, when it is not there; mode 0755 less the umask.
  static Folder openOrMake(const std::string &path);

  const std::string &path() const noexcept { return path_; }
  int number() const noexcept { return descriptor_.number(); }
  std::string pathOf(const std::string &name) const { return path_ + '/' + name; }

  // Nothing when there is none, or something else than a folder has that name.
  std::optional<Folder> folder(const std::string &name) const;
  Folder makeFolder(const std::string &name) const; // or the one that is there
  // Sorted by bytes; without "." and "..". Looks anew each time.
  std::vector<std::string> names() const;
  // Open for reading, of a regular file alone; nothing when there is none.
  std::optional<Descriptor> file(const std::string &name, struct stat &status) const;
  // A file that must not be there yet, with exactly this mode; on disk when this returns.
  void write(const std::string &name, std::string_view bytes, mode_t mode) const;
  // The same, but on disk only after synchronise(file): of several files, make all of them first,
  // so that the disk can take them together.
  Descriptor make(const std::string &name, std::string_view bytes, mode_t mode) const;
  void synchronise(const Descriptor &file, const std::string &name) const;
  // Takes the name in `target`, which must have none of it unless `replace`.
  enum class Existing { Refuse, Replace };
  void move(const std::string &name, const Folder &target, const std::string &newName,
            Existing existing = Existing::Refuse) const;
  // With everything in it. What is not there is no failure.
  void erase(const std::string &name) const;
  // What has been made, moved and removed here is on disk when this returns.
  void synchronise() const;

private:
  Folder(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::string path_;
};

} // namespace skillhost::store
