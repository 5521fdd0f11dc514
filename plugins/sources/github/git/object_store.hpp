// SPDX-License-Identifier: Apache-2.0
// A bare repository of ours: what was fetched, and nothing about where from. Any thread, several at
// once; handles of libgit2 are lent to one at a time.
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
  // Nothing happens on disk before open().
  explicit ObjectStore(std::string folder) : folder_(std::move(folder)) {}

  // Takes over what is there, or makes a new one; what a process that was killed left is removed.
  // One thread, before any other call but startAnew(). Throws skh::Error(SKH_UNAVAILABLE) when the
  // disk refuses.
  void open();
  // Begins with nothing. No other call may run.
  void startAnew();

  // The commit that `id` is, or that a tag of this id names; empty when it is not here. An id may
  // be cut short to 7 digits or more: throws skh::Error(SKH_INVALID) when several commits begin so.
  std::string commitOf(const std::string &id);
  // Is the commit one of `tips`, commits or tags, or before one? Those that are not here do not
  // count.
  bool isReachable(const std::string &commit, const std::vector<std::string> &tips);
  // Keeps the commit as what the next fetch builds on.
  void keep(const std::string &commit);

  // Those of `ids` that are not here.
  std::set<std::string> lacking(std::set<std::string> ids);
  // Bytes of a blob, without inflating it. Throws skh::Error: SKH_STALE when it is not here,
  // SKH_CORRUPT when it is damaged.
  std::uint64_t size(const std::string &blob);
  // SKH_STALE when it is not here, SKH_CORRUPT when its bytes are not those of its id.
  void read(const std::string &blob, const std::function<void(std::string_view)> &sink);

  // What is lent from now on sees the packs that are there now.
  void reopen();

  // A handle of the caller's own, for one thread.
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
