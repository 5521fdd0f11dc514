// SPDX-License-Identifier: Apache-2.0
#include "libcurl.hpp"

#include <dlfcn.h>

#include <bit>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace skillhost {
namespace {

constexpr const char *file = "libcurl.so.4"; // its ABI has been the same since 2006

LibCurl load() {
  // It stays for ever: its threads and exit handlers point into it.
  void *const library = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  LibCurl found{};
  const auto find = [library](auto &function, const char *name) {
    void *const symbol = ::dlsym(library, name);
    if (symbol == nullptr) throw std::runtime_error(std::string("it has no ") + name);
    function = std::bit_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  find(found.global_init, "curl_global_init");
  find(found.easy_init, "curl_easy_init");
  find(found.easy_setopt, "curl_easy_setopt");
  find(found.easy_getinfo, "curl_easy_getinfo");
  find(found.easy_pause, "curl_easy_pause");
  find(found.easy_strerror, "curl_easy_strerror");
  find(found.easy_cleanup, "curl_easy_cleanup");
  find(found.multi_init, "curl_multi_init");
  find(found.multi_add_handle, "curl_multi_add_handle");
  find(found.multi_remove_handle, "curl_multi_remove_handle");
  find(found.multi_perform, "curl_multi_perform");
  find(found.multi_poll, "curl_multi_poll");
  find(found.multi_info_read, "curl_multi_info_read");
  find(found.multi_cleanup, "curl_multi_cleanup");
  find(found.slist_append, "curl_slist_append");
  find(found.slist_free_all, "curl_slist_free_all");
  find(found.url, "curl_url");
  find(found.url_get, "curl_url_get");
  find(found.url_set, "curl_url_set");
  find(found.url_cleanup, "curl_url_cleanup");
  find(found.free, "curl_free");
  if (found.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    throw std::runtime_error("it cannot start");
  return found;
}

} // namespace

const LibCurl &curl() {
  static const LibCurl loaded = [] {
    try {
      return load();
    } catch (const std::exception &why) {
      throw std::runtime_error(std::string(file) + ": " + why.what());
    }
  }();
  return loaded;
}

} // namespace skillhost
