// SPDX-License-Identifier: Apache-2.0
#include "network/upstream.hpp"

#include "ground/no_proxy.hpp"
#include "ground/percent.hpp"
#include "ground/url.hpp"
#include "network/forward_request.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace skillhost::network {
namespace {

constexpr std::uint16_t usualPort = 1080; // libcurl's default

struct Variable {
  const char *name;
  std::string value;
};

Variable firstOf(std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (const char *value = std::getenv(name); value != nullptr && *value != '\0')
      return {name, value};
  return {"", {}};
}

Result<std::optional<Upstream>> read(const Variable &from) {
  if (from.value.empty()) return std::optional<Upstream>{};
  Result<Upstream> parsed = parseUpstream(from.value);
  if (!parsed)
    return {parsed.failure().fault,
            "the variable " + std::string(from.name) + ": " + parsed.failure().message};
  return std::optional<Upstream>(*std::move(parsed));
}

} // namespace

Result<Upstream> parseUpstream(std::string_view url) {
  const auto parts = urlParts(url);
  if (parts && parts->scheme != "http")
    return {Fault::InvalidInput, "a proxy by " + std::string(parts->scheme) +
                                     ":// cannot be used for plugins, only by http://"};
  url = parts ? parts->authority : url.substr(0, url.find_first_of("/?#"));
  Upstream upstream;
  if (const std::size_t at = url.rfind('@'); at != std::string_view::npos) {
    std::string user = decodePercents(url.substr(0, at));
    if (user.find(':') == std::string::npos) user += ':';
    upstream.credentials = basicCredentials(user);
    url.remove_prefix(at + 1);
  }
  upstream.port = usualPort;
  const std::size_t close = url.starts_with('[') ? url.find(']') : 0;
  const std::size_t colon = close == std::string_view::npos ? close : url.find(':', close);
  if (colon != std::string_view::npos && colon + 1 < url.size()) {
    const char *end = url.data() + url.size();
    const auto [last, error] = std::from_chars(url.data() + colon + 1, end, upstream.port);
    if (error != std::errc{} || last != end || upstream.port == 0)
      return {Fault::InvalidInput, "the proxy's port is no number from 1 to 65535"};
  }
  const auto host = HostName::of(url.substr(0, colon));
  if (!host) return {Fault::InvalidInput, "the proxy's host is neither a name nor an address"};
  upstream.host = host->text;
  return upstream;
}

Result<Upstreams> Upstreams::ofEnvironment() {
  Upstreams all;
  // libcurl reads HTTP_PROXY only in lower case. Other programs read both.
  Variable http = firstOf({"http_proxy", "HTTP_PROXY"}),
           https = firstOf({"https_proxy", "HTTPS_PROXY"});
  const Variable any = firstOf({"all_proxy", "ALL_PROXY"});
  if (http.value.empty()) http = any;
  if (https.value.empty()) https = any;
  const auto forHttp = read(http), forHttps = read(https);
  if (!forHttp) return forHttp.failure();
  if (!forHttps) return forHttps.failure();
  all.http_ = *forHttp;
  all.https_ = *forHttps;
  all.exempt_ = firstOf({"no_proxy", "NO_PROXY"}).value;
  return all;
}

const std::optional<Upstream> &Upstreams::choose(const std::string &host, bool tunnel) const {
  if (isProxyExempt(host, exempt_)) return none_;
  return tunnel ? https_ : http_;
}

} // namespace skillhost::network
