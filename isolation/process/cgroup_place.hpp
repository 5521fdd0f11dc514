// SPDX-License-Identifier: Apache-2.0
// Which part of the cgroup hierarchy (version 2) this process may divide among others.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::process {

// Where a process is.
struct CgroupPlace {
  std::string folder; // of its cgroup; empty: there is no hierarchy of version 2
  bool top = false;   // of its namespace of cgroups, or of the whole hierarchy
};

// From what /proc/self/mountinfo and /proc/self/cgroup say.
CgroupPlace cgroupPlace(std::string_view mounts, std::string_view cgroups);
CgroupPlace ownCgroupPlace();

// A cgroup that is delegated to this process.
struct DelegatedCgroup {
  std::string folder;
  Descriptor opened;      // that folder
  bool isDivided = false; // this process is in a cgroup below already
};

// The cgroup that the process at `place` is in, or the one above when a service manager has put it
// into one below (systemd's DelegateSubgroup=). Changes nothing. Failure, and why: it is the root
// of all, cannot be written, lacks controllers, was delegated by nobody, or others are in it.
Result<DelegatedCgroup> delegatedCgroup(const CgroupPlace &place);

// Files of a cgroup. The text without the end of line, empty when it cannot be read; false with
// errno when it cannot be written.
std::string readCgroup(int folder, const std::string &file);
bool writeCgroup(int folder, const std::string &file, std::string_view text);
// 0 stands for one of another namespace of processes.
std::vector<pid_t> processesOf(int folder);
// Whether that process is this one, or was started by it or by one that it has started.
bool isOurs(pid_t process);

} // namespace skillhost::process
