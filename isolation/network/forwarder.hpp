// SPDX-License-Identifier: Apache-2.0
// A proxy on the loopback interface for the plugins of this host. Each plugin has its own
// credentials and reaches only the hosts that its rule allows. A single thread serves all plugins.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"
#include "network/permit.hpp"

#include <memory>
#include <string>

namespace skillhost::network {

class Forwarder;

// Gives one instance access to the forwarder while this object lives. Any thread may use it.
class ForwarderAccess {
public:
  // Fails with InvalidInput if a proxy of the environment cannot be used, and with Unavailable if
  // the kernel refuses.
  static Result<std::shared_ptr<ForwarderAccess>> open(const std::string &instance,
                                                       NetworkRule rule);
  ForwarderAccess(std::shared_ptr<Forwarder> forwarder, std::shared_ptr<Permit> permit,
                  std::string url);
  ~ForwarderAccess();
  ForwarderAccess(const ForwarderAccess &) = delete;
  ForwarderAccess &operator=(const ForwarderAccess &) = delete;

  // The URL "http://plugin:SECRET@127.0.0.1:PORT", for https_proxy.
  const std::string &url() const noexcept { return url_; }
  // Returns a descriptor for a new runner, to be its Confinement::socketSupply.
  Descriptor supply();

private:
  const std::shared_ptr<Forwarder> forwarder_;
  const std::shared_ptr<Permit> permit_;
  const std::string url_;
};

} // namespace skillhost::network
