// SPDX-License-Identifier: Apache-2.0
// The host's side of process/socket_filter.cpp: what answers one runner's socket(2), connect(2) and
// clone(2).
#pragma once

#include "ground/descriptor.hpp"
#include "process/thread_gate.hpp"

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::network {

class SocketSupply {
public:
  // `channel`: where the runner sends the listener of its filter, once.
  explicit SocketSupply(Descriptor channel) : channel_(std::move(channel)) {}

  // To be polled for reading.
  int number() const noexcept { return listener_ ? listener_.number() : channel_.number(); }
  // What can be read is read. `connected` gives a socket that leads to the forwarder, or none when
  // there may be no more; `strayed` hears of a connect(2) to another address than `port` of the
  // loopback interface, which fails. False when the runner has ended.
  bool attend(std::uint16_t port, const std::function<Descriptor()> &connected,
              const std::function<void(const std::string &address)> &strayed);

private:
  bool takeListener();
  Descriptor channel_, listener_;
  process::ThreadCount threads_;
};

} // namespace skillhost::network
