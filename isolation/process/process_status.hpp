// SPDX-License-Identifier: Apache-2.0
// Describes a process as the kernel shows it from outside, whatever the process itself reports.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::process {

struct KernelStatus {
  std::uint32_t threads = 0;
  bool noNewPrivileges = false;
  bool hasSeccompFilter = false; // a seccomp filter is active
  // Number of filters, inherited ones included; 0 also before Linux 5.9.
  std::uint32_t seccompFilters = 0;
  std::uint64_t capabilities = 0; // capabilities that it has or may take, a bit each
};

// Returns nothing if there is no such process or no /proc.
std::optional<KernelStatus> readKernelStatus(pid_t process);

// Returns the processor time of all its threads, ended ones included, in nanoseconds. While it does
// not change, the process has done nothing. Returns nothing if the kernel does not report it.
std::optional<std::chrono::nanoseconds> processorTime(pid_t process);

// Returns the bytes of storage of deleted files that the process still holds open. Returns nothing
// if this process may not see them.
std::optional<std::uint64_t> deletedBytes(pid_t process);

// Returns the bytes of storage of a folder with everything below, at least 1 KiB for each entry; 0
// if it does not exist. It stops counting above `maxBytes`. Returns nothing if the folder cannot be
// counted, because parts are unreadable or nested deeper than 64 folders.
std::optional<std::uint64_t> storedBytes(const std::string &folder, std::uint64_t maxBytes);

} // namespace skillhost::process
