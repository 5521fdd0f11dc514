// SPDX-License-Identifier: Apache-2.0
#include "http_client/connections.hpp"

#include "curl_functions.hpp"
#include "http_client/exchange.hpp"
#include "http_client/signal_guard.hpp"

#include <malloc.h>
#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace skillhost::web {
namespace {

// libcurl keeps the bytes that it sends, including tokens, in its own buffers, so these are
// overwritten when freed. This has no effect if something else in the process has already started
// libcurl.
void freeWiped(void *block) {
  if (block != nullptr) ::explicit_bzero(block, ::malloc_usable_size(block));
  std::free(block);
}

void *resizedWiped(void *block, std::size_t size) {
  if (size == 0) size = 1; // as C libraries may do; libcurl never asks for 0 bytes
  if (block == nullptr) return std::malloc(size);
  const std::size_t had = ::malloc_usable_size(block);
  if (size <= had) return block;
  void *const to = std::malloc(size);
  if (to == nullptr) return nullptr;
  std::memcpy(to, block, std::min(had, size));
  freeWiped(block);
  return to;
}

void *startedMany() {
  // Never undone, because other plugins of the process may use the library, too.
  static const CURLcode started = curl().global_init_mem(
      CURL_GLOBAL_DEFAULT, &std::malloc, &freeWiped, &resizedWiped, &::strdup, &std::calloc);
  if (started == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (started != CURLE_OK) throw std::runtime_error("libcurl cannot start");
  void *const many = curl().multi_init();
  if (many == nullptr) throw std::bad_alloc();
  return many;
}

} // namespace

Connections::Connections() : many_(startedMany()) {}

Connections::~Connections() {
  const SignalGuard guard; // closing TLS writes to a peer that may be gone
  curl().multi_cleanup(many_);
}

void Connections::perform() {
  const SignalGuard guard;
  int running = 0;
  if (curl().multi_perform(many_, &running) != CURLM_OK) throw std::bad_alloc();
  int left = 0;
  while (const CURLMsg *const message = curl().multi_info_read(many_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode result = message->data.result;
    char *exchange = nullptr;
    curl().easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &exchange);
    reinterpret_cast<Exchange *>(exchange)->result_ = result;
  }
}

void Connections::wait(std::chrono::milliseconds timeout, int wake) {
  curl_waitfd watched{wake, CURL_WAIT_POLLIN, 0};
  curl().multi_poll(many_, &watched, wake < 0 ? 0 : 1, static_cast<int>(timeout.count()), nullptr);
}

} // namespace skillhost::web
