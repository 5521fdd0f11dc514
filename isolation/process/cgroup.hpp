// SPDX-License-Identifier: Apache-2.0
// Creates a cgroup for each process of a plugin, if a part of the hierarchy is delegated to this
// server. The kernel then counts the process's memory and threads.
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

// The cgroup of one process. It is removed with this object, which must outlive the process. Only
// one thread may use it.
class Cgroup {
public:
  Cgroup(std::shared_ptr<CgroupTree> tree, std::string name, Descriptor folder, CgroupLimits limits)
      : tree_(std::move(tree)), name_(std::move(name)), folder_(std::move(folder)),
        limits_(limits) {}
  ~Cgroup();
  Cgroup(const Cgroup &) = delete;
  Cgroup &operator=(const Cgroup &) = delete;

  // Returns false, with errno, if the kernel does not move the process.
  bool take(pid_t process) const {
    return writeCgroup(folder_.number(), "cgroup.procs", std::to_string(process));
  }
  // Says that the kernel ended a process of the cgroup for lack of memory; empty if it did not.
  std::string whyEnded() const;
  // Describes the cgroup for the operator: "a cgroup with 256 MB of memory".
  std::string text() const;

private:
  const std::shared_ptr<CgroupTree> tree_;
  const std::string name_;
  const Descriptor folder_;
  const CgroupLimits limits_;
};

// Divides the delegated part: this process moves into a cgroup `host`, and each plugin's process
// gets a cgroup beside it. A cgroup that passes its controllers on may not hold processes itself.
// Any thread may use it.
class CgroupTree : public std::enable_shared_from_this<CgroupTree> {
public:
  // Returns the tree of this process, which lives as long as somebody holds it. Its end puts the
  // cgroup back as it was; a new tree waits for that. Fails if no cgroup is delegated and says why;
  // the first result is logged at debug.
  static Result<std::shared_ptr<CgroupTree>> ofThisProcess();
  // Moves this process and the processes that it started into `host`.
  static Result<std::unique_ptr<CgroupTree>> divide(DelegatedCgroup delegated);
  explicit CgroupTree(DelegatedCgroup delegated) : delegated_(std::move(delegated)) {}
  ~CgroupTree();
  CgroupTree(const CgroupTree &) = delete;
  CgroupTree &operator=(const CgroupTree &) = delete;

  const std::string &folder() const noexcept { return delegated_.folder; }
  Result<std::unique_ptr<Cgroup>> make(const CgroupLimits &limits);
  // Removes cgroups left by servers that no longer run.
  void removeStale() const;

private:
  friend class Cgroup;
  bool remove(const std::string &name) const;
  bool giveControllers(); // returns false with errno
  void moveAll(int from, int to) const;

  const DelegatedCgroup delegated_;
  std::atomic<std::uint64_t> count_{0};
};

// Reads from `memory.events` whether a process was ended for lack of memory, and whether by its own
// limit or another.
enum class OutOfMemory : std::uint8_t { No, Own, Others };
OutOfMemory outOfMemory(const std::string &events);

} // namespace skillhost::process
