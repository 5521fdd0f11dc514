// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded when it is first needed: it brings thirty libraries along, for which every start
// of the server on stdio would otherwise wait.
#pragma once

#include <curl/curl.h>

#include <memory>

namespace skillhost {

// Its functions under their own names, without the prefix.
struct LibCurl {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_pause) easy_pause;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_perform) multi_perform;
  decltype(&::curl_multi_poll) multi_poll;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_url) url;
  decltype(&::curl_url_get) url_get;
  decltype(&::curl_url_set) url_set;
  decltype(&::curl_url_cleanup) url_cleanup;
  decltype(&::curl_free) free;
};

// Any thread; stays loaded. Throws std::runtime_error when it is not installed, is too old, or
// cannot start.
const LibCurl &curl();

template <auto Free> struct FreeingByCurl {
  template <class T> void operator()(T *what) const { (curl().*Free)(what); }
};
template <class T, auto Free> using CurlOwned = std::unique_ptr<T, FreeingByCurl<Free>>;

} // namespace skillhost
