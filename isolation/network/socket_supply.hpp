// SPDX-License-Identifier: Apache-2.0
// The host's side of process/socket_filter.cpp. It answers the calls of socket(2), connect(2) and
// clone(2) in one runner.
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
  // The runner sends the listener of its filter once through `channel`.
  explicit SocketSupply(Descriptor channel) : channel_(std::move(channel)) {}

  // Descriptor to poll for reading.
  int number() const noexcept { return listener_ ? listener_.number() : channel_.number(); }
  // Reads and answers one question. `connected` returns a socket that leads to the forwarder, or
  // none if the limit is reached. A connect(2) to an address other than `port` of the loopback
  // interface fails and is reported to `strayed`. Returns false if the runner has ended.
  bool handleEvents(std::uint16_t port, const std::function<Descriptor()> &connected,
                    const std::function<void(const std::string &address)> &strayed);

private:
  bool takeListener();
  Descriptor channel_, listener_;
  process::ThreadCount threads_;
};

} // namespace skillhost::network
