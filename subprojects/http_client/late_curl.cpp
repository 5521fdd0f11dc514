// SPDX-License-Identifier: Apache-2.0
#include "curl_functions.hpp"

#include <dlfcn.h>

#include <bit>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace skillhost::web {
namespace {

constexpr const char *curlFile = "libcurl.so.4"; // its ABI has been stable since 2006

CurlFunctions loadCurl() {
  void *const library = ::dlopen(curlFile, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  CurlFunctions found{};
  const auto find = [library](auto &function, const char *name) {
    void *const symbol = ::dlsym(library, name);
    if (symbol == nullptr) throw std::runtime_error(std::string(curlFile) + " has no " + name);
    function = std::bit_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
#define SKILLHOST_CURL_FIND(name) find(found.name, "curl_" #name);
  SKILLHOST_CURL_FUNCTIONS(SKILLHOST_CURL_FIND)
#undef SKILLHOST_CURL_FIND
  return found;
}

} // namespace

const CurlFunctions &curl() {
  static const CurlFunctions library = loadCurl();
  return library;
}

} // namespace skillhost::web
