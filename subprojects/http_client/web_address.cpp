// SPDX-License-Identifier: Apache-2.0
#include "http_client/web_address.hpp"

#include "curl_functions.hpp"
#include "ground/text.hpp"

#include <algorithm>
#include <memory>

namespace skillhost::web {
namespace {

constexpr std::size_t maxAddressBytes = 2'048;

struct FreeAddress {
  void operator()(CURLU *address) const noexcept { curl().url_cleanup(address); }
};
using Address = std::unique_ptr<CURLU, FreeAddress>;

// Returns "" if there is no such part.
std::string part(CURLU *address, CURLUPart which) {
  char *text = nullptr;
  if (curl().url_get(address, which, &text, 0) != CURLUE_OK) return {};
  std::string copy(text);
  curl().free(text);
  return copy;
}

bool isPlainText(const std::string &text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c <= '~' && c != '\\'; });
}

} // namespace

std::optional<WebAddress> readWebAddress(const std::string &reference, const std::string &base) {
  if (reference.empty() || reference.size() > maxAddressBytes || !isPlainText(reference)) return {};
  const Address address(curl().url());
  if (!address ||
      (!base.empty() &&
       curl().url_set(address.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK) ||
      curl().url_set(address.get(), CURLUPART_URL, reference.c_str(), 0) != CURLUE_OK ||
      curl().url_set(address.get(), CURLUPART_FRAGMENT, nullptr, 0) != CURLUE_OK)
    return {};
  WebAddress read;
  const std::string scheme = asciiLowered(part(address.get(), CURLUPART_SCHEME));
  read.secure = scheme == "https";
  if (!read.secure && scheme != "http") return {};
  if (!part(address.get(), CURLUPART_USER).empty() ||
      !part(address.get(), CURLUPART_PASSWORD).empty())
    return {};
  read.host = asciiLowered(part(address.get(), CURLUPART_HOST));
  const std::string port = part(address.get(), CURLUPART_PORT);
  const bool usual = port.empty() || port == (read.secure ? "443" : "80");
  read.origin = scheme + "://" + read.host + (usual ? "" : ":" + port);
  read.path = part(address.get(), CURLUPART_PATH);
  const std::string query = part(address.get(), CURLUPART_QUERY);
  read.url = read.origin + read.path + (query.empty() ? "" : "?" + query);
  if (read.host.empty() || read.url.size() > maxAddressBytes || !isPlainText(read.url)) return {};
  return read;
}

} // namespace skillhost::web
