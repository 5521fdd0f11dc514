// SPDX-License-Identifier: Apache-2.0
// The first message to a runner, sent on its control socket, so that no secret of a configuration
// appears on a command line.
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
  // The descriptor after the channels holds a copy of the file, to be loaded in its place.
  bool copied = false;
  std::uint32_t channels = 1;
  std::string hostVersion, instance, config, cacheDirectory;
  std::string upstream; // name of the source that the plugin filters; empty: it filters none
  // Absolute paths in addition to those that every plugin may read.
  std::vector<std::string> mayRead;
  std::uint64_t memoryBytes = 0; // limit of address space; 0: no limit
  std::uint64_t cacheBytes = 0;  // limit of the cache folder; 0: no limit
  bool network = false;
  bool suppliesSockets = false; // the host supplies its sockets
  // Changes of the environment: "NAME=value" sets a variable, "NAME" removes it.
  std::vector<std::string> variables;
  std::int32_t pinMode = 0;            // SKH_PIN_*
  std::string pinned;                  // the pinned snapshot
  std::int64_t deadlineNs = INT64_MAX; // deadline of create(), CLOCK_MONOTONIC

  void pack(Packer &to) const;
  // Descriptors after the channels, if present: the copy of the file, then the supply of sockets.
  int copyDescriptor() const noexcept { return firstChannel + static_cast<int>(channels); }
  int supplyDescriptor() const noexcept { return copyDescriptor() + (copied ? 1 : 0); }
  int endOfDescriptors() const noexcept { return supplyDescriptor() + (suppliesSockets ? 1 : 0); }
  // Returns false if the bytes do not hold a Start.
  static bool unpack(Unpacker &from, Start &to);
};

} // namespace skillhost::process
