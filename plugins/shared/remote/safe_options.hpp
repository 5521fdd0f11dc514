// SPDX-License-Identifier: Apache-2.0
// What every request to a remote has in common, whoever makes it.
#pragma once

#include <skillhost/plugin.hpp>

#include <string>

#include <curl/curl.h>

namespace skillhost::remote {

// Throws skh::Error(SKH_FAILED) when libcurl has no such option.
template <class Value> void setOption(CURL *handle, CURLoption option, Value value) {
  if (curl_easy_setopt(handle, option, value) != CURLE_OK)
    throw skh::Error(SKH_FAILED, "libcurl refuses an option: it was built without TLS");
}

// HTTP alone, TLS 1.2 and newer with certificates verified, no redirect followed, nobody's .netrc
// and no proxy but this one (none: ""), at most 15 s to connect. libcurl copies the texts. Throws
// as setOption().
void setSafeOptions(CURL *handle, const std::string &proxy, const std::string &caFile,
                    const std::string &agent);

} // namespace skillhost::remote
