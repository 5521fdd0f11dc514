// SPDX-License-Identifier: Apache-2.0
#include "curl_library.hpp"

#include <dlfcn.h>

#include <bit>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace skillhost::telemetry {
namespace {

constexpr const char *curlFile = "libcurl.so.4"; // its ABI has been the same since 2006

CurlLibrary loadCurl() {
  void *const library = ::dlopen(curlFile, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  CurlLibrary found{};
  const auto find = [library](auto &function, const char *name) {
    void *const symbol = ::dlsym(library, name);
    if (symbol == nullptr) throw std::runtime_error(std::string(curlFile) + " has no " + name);
    function = std::bit_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  find(found.global_init, "curl_global_init");
  find(found.easy_init, "curl_easy_init");
  find(found.easy_setopt, "curl_easy_setopt");
  find(found.easy_perform, "curl_easy_perform");
  find(found.easy_getinfo, "curl_easy_getinfo");
  find(found.easy_strerror, "curl_easy_strerror");
  find(found.easy_cleanup, "curl_easy_cleanup");
  find(found.slist_append, "curl_slist_append");
  find(found.slist_free_all, "curl_slist_free_all");
  find(found.version_info, "curl_version_info");
  if (found.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    throw std::runtime_error(std::string(curlFile) + " cannot be initialised");
  return found;
}

} // namespace

const CurlLibrary &curlLibrary() {
  static const CurlLibrary library = loadCurl();
  return library;
}

} // namespace skillhost::telemetry
