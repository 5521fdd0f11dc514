// SPDX-License-Identifier: Apache-2.0
#include "curl_functions.hpp"

namespace skillhost::web {

const CurlFunctions &curl() {
#define SKILLHOST_CURL_ADDRESS(name) &::curl_##name,
  static constexpr CurlFunctions linked{SKILLHOST_CURL_FUNCTIONS(SKILLHOST_CURL_ADDRESS)};
#undef SKILLHOST_CURL_ADDRESS
  return linked;
}

} // namespace skillhost::web
