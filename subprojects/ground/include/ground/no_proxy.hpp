// SPDX-License-Identifier: Apache-2.0
// The rule of the variable no_proxy, as libcurl reads it.
#pragma once

#include <algorithm>
#include <string_view>

namespace skillhost {

// True if `list`, in the form of the variable no_proxy, exempts a host from the proxy. Commas and
// blanks separate its entries; "example.org" and ".example.org" are the domain and everything below
// it, "*" is everything. Case matters.
inline bool isProxyExempt(std::string_view host, std::string_view list) noexcept {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(", "), list.size());
    std::string_view one = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    one.remove_prefix(std::min(one.find_first_not_of('.'), one.size()));
    if (one.empty()) continue;
    if (one == "*" || one == host) return true;
    if (host.size() > one.size() + 1 && host.ends_with(one) &&
        host[host.size() - one.size() - 1] == '.')
      return true;
  }
  return false;
}

} // namespace skillhost
