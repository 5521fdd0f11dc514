// SPDX-License-Identifier: Apache-2.0
// What libcurl gives out, and how it is given back.
#pragma once

#include <curl/curl.h>

#include <memory>

namespace skillhost {

template <auto Free> struct FreeingByCurl {
  template <class T> void operator()(T *what) const { Free(what); }
};
template <class T, auto Free> using CurlOwned = std::unique_ptr<T, FreeingByCurl<Free>>;

} // namespace skillhost
