// SPDX-License-Identifier: Apache-2.0
// Keeps fetched content on disk: one file for each digest, and the state beside them.
#pragma once

#include <skillhost/plugin.hpp>

#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace skillhost::objects {

// Several instances and processes may use one folder at the same time. Any thread may use it.
class ObjectFolder {
public:
  // Uses the host's cache directory. If the host grants none, or it cannot be written, new content
  // goes to a folder that is removed with this object, and a warning says so; existing content is
  // still read. Throws skh::Error(SKH_UNAVAILABLE) if no folder can be created.
  explicit ObjectFolder(skh::Host host);
  ~ObjectFolder();
  ObjectFolder(const ObjectFolder &) = delete;
  ObjectFolder &operator=(const ObjectFolder &) = delete;

  bool has(const std::string &digest) const;
  // Returns the bytes with that digest, 64 hexadecimal digits of SHA-256 or 128 of SHA-512. Returns
  // nothing if they are missing or damaged; a damaged file is removed.
  std::optional<std::string> get(const std::string &digest, std::size_t maxBytes) const;
  // The object is on disk after the next putState(). Throws skh::Error(SKH_UNAVAILABLE) if the disk
  // refuses.
  void put(const std::string &digest, std::string_view bytes) const;
  // Removes objects that are not in `kept` and at least a day old. Newer ones may be about to be
  // used by another process.
  void sweep(const std::set<std::string> &kept) const;

  std::string state() const; // text of the state; "" if there is none
  // Writes the state after all objects are on disk. Throws as put() does.
  void putState(std::string_view text) const;

private:
  std::string object(const std::string &folder, const std::string &digest) const {
    return folder + "/objects/" + digest;
  }

  mutable std::atomic<bool> isFlushed_{true}; // every object is on disk
  std::string hostFolder_, written_;          // written_ is hostFolder_ if that can be written
};

} // namespace skillhost::objects
