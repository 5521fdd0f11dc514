// SPDX-License-Identifier: Apache-2.0
// A proxy on the loopback interface for the plugins of this host: each has credentials of its own,
// and reaches what its rule allows. One thread for all of them, from the first to the last.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"
#include "network/permit.hpp"

#include <memory>
#include <string>

namespace skillhost::network {

class Forwarder;

// One instance's way through the forwarder, until it is let go of. Any thread.
class ForwarderAccess {
public:
  // Failure: InvalidInput when a proxy of the environment cannot be used, Unavailable when the
  // kernel refuses.
  static Result<std::shared_ptr<ForwarderAccess>> open(const std::string &instance,
                                                       NetworkRule rule);
  ForwarderAccess(std::shared_ptr<Forwarder> forwarder, std::shared_ptr<Permit> permit,
                  std::string url);
  ~ForwarderAccess();
  ForwarderAccess(const ForwarderAccess &) = delete;
  ForwarderAccess &operator=(const ForwarderAccess &) = delete;

  // "http://plugin:SECRET@127.0.0.1:PORT", for https_proxy.
  const std::string &url() const noexcept { return url_; }
  // For a new runner, to be its Confinement::socketSupply.
  Descriptor supply();

private:
  const std::shared_ptr<Forwarder> forwarder_;
  const std::shared_ptr<Permit> permit_;
  const std::string url_;
};

} // namespace skillhost::network
