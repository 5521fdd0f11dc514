// SPDX-License-Identifier: Apache-2.0
// A bare repository of our own that holds the fetched objects but not where they came from. Several
// threads may use it at once; each libgit2 handle is lent to one thread at a time.
#pragma once

#include "library.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <vector>

namespace skillhost::github {

class ObjectStore {
public:
  // Does not touch the disk before open().
  explicit ObjectStore(std::string folder) : folder_(std::move(folder)) {}

  // Opens the existing repository or creates one, and removes what a killed process left. Must be
  // called on one thread before any other function except startAnew(). Throws
  // skh::Error(SKH_UNAVAILABLE) if the disk refuses.
  void open();
  // Replaces the repository with an empty one. No other call may be running.
  void startAnew();

  // Returns the commit with this id, or the commit that a tag with this id names; empty if it is
  // not in the store. An id may be shortened to 7 digits or more: throws skh::Error(SKH_INVALID) if
  // several commits begin with it.
  std::string commitOf(const std::string &id);
  // True if the commit is one of `tips`, which are commits or tags, or an ancestor of one. Tips
  // that are not in the store do not count.
  bool isReachable(const std::string &commit, const std::vector<std::string> &tips);
  // Keeps the commit as a base for the next fetch.
  void keep(const std::string &commit);

  // Returns those of `ids` that are not in the store.
  std::set<std::string> missing(std::set<std::string> ids);
  // Returns the size of a blob in bytes without inflating it. Throws skh::Error: SKH_STALE if the
  // blob is missing, SKH_CORRUPT if it is damaged.
  std::uint64_t size(const std::string &blob);
  // Throws SKH_STALE if the blob is missing, SKH_CORRUPT if its bytes do not match its id.
  void read(const std::string &blob, const std::function<void(std::string_view)> &sink);

  // Handles lent from now on see the current packs.
  void reopen();

  // Returns a separate handle for one thread of the caller.
  RepositoryHandle separate() const;

  // Lends a handle to `body` for as long as it runs.
  template <class Body> auto with(Body body) {
    Lease lease(*this);
    return body(lease.repository());
  }

private:
  class Lease {
  public:
    explicit Lease(ObjectStore &store) : store_(store), repository_(store.take()) {}
    ~Lease() { store_.give(std::move(repository_)); }
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
    git_repository *repository() const noexcept { return repository_.get(); }

  private:
    ObjectStore &store_;
    RepositoryHandle repository_;
  };

  RepositoryHandle take();
  void give(RepositoryHandle handle);

  std::string folder_;
  std::mutex mutex_;
  std::vector<RepositoryHandle> idle_;
};

} // namespace skillhost::github
