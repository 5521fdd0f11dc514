// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded when telemetry is sent and not before: the server does not load a library for
// what hardly anybody configures.
#pragma once

#include <curl/curl.h>

namespace skillhost::telemetry {

struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_version_info) version_info;
};

// Loads it the first time. Throws std::runtime_error that says why it cannot be had. Any thread.
const CurlLibrary &curlLibrary();

} // namespace skillhost::telemetry
