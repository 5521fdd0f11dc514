// SPDX-License-Identifier: Apache-2.0
// A process as the kernel describes it to the outside, whatever it says of itself.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::process {

struct Observed {
  std::uint32_t threads = 0;
  bool noNewPrivileges = false;
  bool filtered = false;          // a seccomp filter holds
  std::uint32_t filters = 0;      // so many, its parent's among them; 0 too before Linux 5.9
  std::uint64_t capabilities = 0; // those it has or may take, a bit each
};

// Nothing when there is no such process, or no /proc.
std::optional<Observed> observe(pid_t process);

// How long its threads have run on processors, those that have ended too, to the nanosecond: while
// that stays the same, the process has done nothing. Nothing when the kernel does not tell.
std::optional<std::chrono::nanoseconds> processorTime(pid_t process);

// Bytes of storage of the files that it holds open and that no folder has any more. Nothing when
// this process may not see them.
std::optional<std::uint64_t> deletedBytes(pid_t process);

// Bytes of storage that a folder takes with all below it, each entry at least 1 KiB; of one that is
// not there none. Stops when it is more than `most`. Nothing when it is made so that it cannot be
// counted: unreadable, or nested deeper than 64 folders.
std::optional<std::uint64_t> storedBytes(const std::string &folder, std::uint64_t most);

} // namespace skillhost::process
