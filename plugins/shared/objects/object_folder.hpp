// SPDX-License-Identifier: Apache-2.0
// What was fetched, on disk: one file for each digest, and the state beside them.
#pragma once

#include <skillhost/plugin.hpp>

#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace skillhost::objects {

// Several instances and processes may use one folder at once. Any thread.
class ObjectFolder {
public:
  // In the host's cache directory. Where it grants none, or one that cannot be written to, what is
  // written goes to a folder that ends with this object, and a warning says so; what is there is
  // read all the same. Throws skh::Error(SKH_UNAVAILABLE) when there is no place at all.
  explicit ObjectFolder(skh::Host host);
  ~ObjectFolder();
  ObjectFolder(const ObjectFolder &) = delete;
  ObjectFolder &operator=(const ObjectFolder &) = delete;

  bool has(const std::string &digest) const;
  // The bytes with that digest, 64 hexadecimal digits of SHA-256 or 128 of SHA-512; nothing when
  // they are not there or damaged, and then the file is removed.
  std::optional<std::string> get(const std::string &digest, std::size_t most) const;
  // On disk with the next state. Throws skh::Error(SKH_UNAVAILABLE) when the disk refuses.
  void put(const std::string &digest, std::string_view bytes) const;
  // Removes what is not in `kept` and a day old: until then another process may be about to use it.
  void sweep(const std::set<std::string> &kept) const;

  std::string state() const; // its text; "" when there is none
  // After all objects are on disk. Throws as put().
  void putState(std::string_view text) const;

private:
  std::string object(const std::string &folder, const std::string &digest) const {
    return folder + "/objects/" + digest;
  }

  mutable std::atomic<bool> isFlushed_{true}; // every object is on disk
  std::string given_, written_; // the second is the first where that can be written to
};

} // namespace skillhost::objects
