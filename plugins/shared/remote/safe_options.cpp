// SPDX-License-Identifier: Apache-2.0
#include "safe_options.hpp"

namespace skillhost::remote {

void setSafeOptions(CURL *handle, const std::string &proxy, const std::string &caFile,
                    const std::string &agent) {
  constexpr long connectMs = 15'000;
  setOption(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  setOption(handle, CURLOPT_FOLLOWLOCATION, 0L);
  setOption(handle, CURLOPT_PROXY, proxy.c_str());
  setOption(handle, CURLOPT_NOPROXY, "");
  setOption(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  setOption(handle, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  setOption(handle, CURLOPT_QUICK_EXIT, 1L); // no waiting for a name server when it is given up
#endif
  setOption(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!caFile.empty()) setOption(handle, CURLOPT_CAINFO, caFile.c_str());
  setOption(handle, CURLOPT_USERAGENT, agent.c_str());
  setOption(handle, CURLOPT_CONNECTTIMEOUT_MS, connectMs);
}

} // namespace skillhost::remote
