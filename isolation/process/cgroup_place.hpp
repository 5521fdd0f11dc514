// SPDX-License-Identifier: Apache-2.0
// Finds the part of the cgroup hierarchy (version 2) that this process may divide.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::process {

// The place of a process in the hierarchy.
struct CgroupPlace {
  std::string folder; // folder of its cgroup; empty: there is no hierarchy of version 2
  bool top = false;   // top of its cgroup namespace, or of the whole hierarchy
};

// Parses the texts of /proc/self/mountinfo and /proc/self/cgroup.
CgroupPlace cgroupPlace(std::string_view mounts, std::string_view cgroups);
CgroupPlace ownCgroupPlace();

// A cgroup that is delegated to this process.
struct DelegatedCgroup {
  std::string folder;
  Descriptor opened;      // the open folder
  bool isDivided = false; // this process is already in a cgroup below
};

// Returns the cgroup of the process at `place`, or the one above if a service manager has put the
// process one level below (systemd's DelegateSubgroup=). It changes nothing. It fails, and says
// why, if the cgroup is the root of all, cannot be written, lacks controllers, is not delegated or
// holds other processes.
Result<DelegatedCgroup> delegatedCgroup(const CgroupPlace &place);

// Read and write a file of a cgroup. The text has no end of line and is empty if the file cannot be
// read. Writing returns false, with errno, if it fails.
std::string readCgroup(int folder, const std::string &file);
bool writeCgroup(int folder, const std::string &file, std::string_view text);
// Lists the processes in a cgroup. 0 stands for a process of another namespace.
std::vector<pid_t> processesOf(int folder);
// True if the process is this one or descends from it.
bool isOurs(pid_t process);

} // namespace skillhost::process
