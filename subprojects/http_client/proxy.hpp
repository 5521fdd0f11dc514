// SPDX-License-Identifier: Apache-2.0
// Chooses the proxy of the environment by libcurl's rules: https_proxy, all_proxy, no_proxy.
#pragma once

#include <string>

namespace skillhost::web {

// Returns the proxy for `host` (brackets allowed), or "" for none. Plain http is only allowed to
// this machine and has no proxy. libcurl gets exactly this choice, so that the check of a
// connection's address knows whether it is the proxy's.
std::string proxyFor(const std::string &host);

// Returns the host's own proxy, if it restricts this process to a list of hosts, or else "".
std::string forwarder();

} // namespace skillhost::web
