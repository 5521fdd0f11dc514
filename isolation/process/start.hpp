// SPDX-License-Identifier: Apache-2.0
// What a runner is told before anything else, on its control socket, so that no secret of a
// configuration stands on a command line.
#pragma once

#include "process/wire.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::process {

// Descriptors of a runner: the control socket, then its channels.
constexpr int controlDescriptor = 3;
constexpr int firstChannel = 4;

struct Start {
  std::string file, kind, id; // the plugin
  bool copied = false;        // a copy of the file, to be loaded in its place, follows the channels
  std::uint32_t channels = 1;
  std::string hostVersion, instance, config, cacheDirectory;
  std::vector<std::string> mayRead; // absolute paths besides those that every plugin may read
  std::uint64_t memoryBytes = 0;    // of address space; 0: no limit
  std::uint64_t cacheBytes = 0;     // that the cache folder may hold; 0: no limit
  bool network = false;
  bool suppliesSockets = false; // its sockets are given by the host
  // Of the environment: "NAME=value" is set, "NAME" is taken away.
  std::vector<std::string> variables;
  std::int32_t pinMode = 0;            // SKH_PIN_*
  std::string pinned;                  // the snapshot
  std::int64_t deadlineNs = INT64_MAX; // of create(), CLOCK_MONOTONIC

  void pack(Packer &to) const;
  // Where what follows the channels is, if it is there: the copy, then whom it asks for sockets.
  int copyDescriptor() const noexcept { return firstChannel + static_cast<int>(channels); }
  int supplyDescriptor() const noexcept { return copyDescriptor() + (copied ? 1 : 0); }
  int endOfDescriptors() const noexcept { return supplyDescriptor() + (suppliesSockets ? 1 : 0); }
  // False when the bytes do not hold one.
  static bool unpack(Unpacker &from, Start &to);
};

} // namespace skillhost::process
