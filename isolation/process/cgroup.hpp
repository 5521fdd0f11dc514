// SPDX-License-Identifier: Apache-2.0
// A cgroup for each process of a plugin, where a part of the hierarchy is delegated to this server:
// the kernel counts its memory and its threads.
#pragma once

#include "process/cgroup_place.hpp"

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace skillhost::process {

struct CgroupLimits {
  std::uint64_t memoryBytes = 0; // 0: no limit
  std::uint32_t threads = 0;
};

class CgroupTree;

// One process's cgroup; goes with its end, which has to come first. One thread.
class Cgroup {
public:
  Cgroup(std::shared_ptr<CgroupTree> tree, std::string name, Descriptor folder, CgroupLimits limits)
      : tree_(std::move(tree)), name_(std::move(name)), folder_(std::move(folder)),
        limits_(limits) {}
  ~Cgroup();
  Cgroup(const Cgroup &) = delete;
  Cgroup &operator=(const Cgroup &) = delete;

  // False with errno when the kernel does not take it.
  bool take(pid_t process) const {
    return writeCgroup(folder_.number(), "cgroup.procs", std::to_string(process));
  }
  // Why the kernel has ended a process in it for lack of memory; empty when it has not.
  std::string whyEnded() const;
  // "a cgroup with 256 MB of memory", for the operator.
  std::string text() const;

private:
  const std::shared_ptr<CgroupTree> tree_;
  const std::string name_;
  const Descriptor folder_;
  const CgroupLimits limits_;
};

// The delegated part, divided: this process in a cgroup `host`, beside it one for each plugin's
// process, since a cgroup whose controllers are given on may have no processes of its own. Any
// thread.
class CgroupTree : public std::enable_shared_from_this<CgroupTree> {
public:
  // The one of this process, as long as somebody holds it; then the cgroup is left as it was found,
  // which the next one waits for.
  // Failure: none is delegated, and why; the log tells that once, at debug.
  static Result<std::shared_ptr<CgroupTree>> ofThisProcess();
  // Moves this process, and what it has started, out of the way.
  static Result<std::unique_ptr<CgroupTree>> divide(DelegatedCgroup delegated);
  explicit CgroupTree(DelegatedCgroup delegated) : delegated_(std::move(delegated)) {}
  ~CgroupTree();
  CgroupTree(const CgroupTree &) = delete;
  CgroupTree &operator=(const CgroupTree &) = delete;

  const std::string &folder() const noexcept { return delegated_.folder; }
  Result<std::unique_ptr<Cgroup>> make(const CgroupLimits &limits);
  // Removes cgroups that servers have left here which are no more.
  void removeStale() const;

private:
  friend class Cgroup;
  bool remove(const std::string &name) const;
  bool giveControllers(); // false with errno
  void moveAll(int from, int to) const;

  const DelegatedCgroup delegated_;
  std::atomic<std::uint64_t> count_{0};
};

// What a process's `memory.events` says: nothing, or by whose limit it was ended.
enum class OutOfMemory : std::uint8_t { No, Own, Others };
OutOfMemory outOfMemory(const std::string &events);

} // namespace skillhost::process
