// SPDX-License-Identifier: Apache-2.0
// The proxy of the environment, by libcurl's rules: https_proxy, all_proxy, no_proxy.
#pragma once

#include <string>

namespace skillhost::web {

// The proxy for `host` (brackets allowed), or "" for none. Plain http is for this machine alone and
// has none. What is chosen here is all that libcurl is told, so that whoever judges the address of
// a connection knows whether it is the proxy's.
std::string proxyFor(const std::string &host);

// The host's own proxy, for whatever is asked, where that holds this process to a list of hosts;
// "" where it does not.
std::string forwarder();

} // namespace skillhost::web
