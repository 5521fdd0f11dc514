// SPDX-License-Identifier: Apache-2.0
// The functions of libcurl that this library calls. linked_curl.cpp takes them from the linker;
// late_curl.cpp loads libcurl on the first call.
#pragma once

#include <curl/curl.h>

namespace skillhost::web {

// The names of the functions without "curl_".
#define SKILLHOST_CURL_FUNCTIONS(one)                                                              \
  one(global_init_mem) one(version_info) one(free) one(slist_append) one(slist_free_all)           \
      one(easy_init) one(easy_setopt) one(easy_getinfo) one(easy_header) one(easy_pause)           \
          one(easy_reset) one(easy_strerror) one(easy_cleanup) one(multi_init)                     \
              one(multi_add_handle) one(multi_remove_handle) one(multi_perform) one(multi_poll)    \
                  one(multi_info_read) one(multi_cleanup) one(url) one(url_set) one(url_get)       \
                      one(url_cleanup)

struct CurlFunctions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): GCC warns of parentheses around a member's name
#define SKILLHOST_CURL_MEMBER(name) decltype(&::curl_##name) name;
  SKILLHOST_CURL_FUNCTIONS(SKILLHOST_CURL_MEMBER)
#undef SKILLHOST_CURL_MEMBER
};

// Throws std::runtime_error with the reason if libcurl cannot be loaded. May be called on any
// thread.
const CurlFunctions &curl();

} // namespace skillhost::web
