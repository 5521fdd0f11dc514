// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include "ground/authorities.hpp"
#include "signal_guard.hpp"
#include "url.hpp"

#include <malloc.h>
#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace skillhost::http {
namespace {

constexpr std::size_t mostHeaderBytes = std::size_t{64} * 1024;
constexpr int pollMs = 40; // how late a cancellation may be noticed

// What the library lets go of is overwritten: it keeps what it sends, tokens too, in buffers of its
// own. Only when nobody else of the process has started it before.
void forget(void *block) {
  if (block != nullptr) ::explicit_bzero(block, ::malloc_usable_size(block));
  std::free(block);
}

void *moved(void *block, std::size_t size) {
  if (size == 0) size = 1; // as the C library may: libcurl itself never asks for nothing
  if (block == nullptr) return std::malloc(size);
  const std::size_t had = ::malloc_usable_size(block);
  if (size <= had) return block;
  void *const to = std::malloc(size);
  if (to == nullptr) return nullptr;
  std::memcpy(to, block, std::min(had, size));
  forget(block);
  return to;
}

void start() {
  // Never undone: other plugins of the process may use the library too. Once is enough.
  static const CURLcode started = curl_global_init_mem(CURL_GLOBAL_DEFAULT, &std::malloc, &forget,
                                                       &moved, &::strdup, &std::calloc);
  if (started != CURLE_OK) throw std::bad_alloc();
}

template <class Value> void set(CURL *handle, CURLoption option, Value value) {
  if (curl_easy_setopt(handle, option, value) != CURLE_OK)
    throw skh::Error(SKH_FAILED,
                     "libcurl refuses an option: it is too old, or was built without TLS");
}

void wipe(std::string &text) { ::explicit_bzero(text.data(), text.size()); }

// The body of a form, and overwritten when it goes: there are tokens in forms.
struct FormText {
  explicit FormText(const Request &request) {
    std::size_t most = 0; // so that it never moves and leaves a part behind
    for (const auto &[name, value] : request.form) most += 3 * (name.size() + value.size()) + 2;
    body.reserve(most);
    for (const auto &[name, value] : request.form) {
      std::string encoded = formEncoded(value);
      ((body += body.empty() ? "" : "&") += formEncoded(name)) += '=';
      body += encoded;
      wipe(encoded);
    }
  }
  ~FormText() { wipe(body); }
  FormText(const FormText &) = delete;
  FormText &operator=(const FormText &) = delete;
  std::string body;
};

// What names the trace of the call: no redirect is followed, so only who is meant gets it.
class TraceHeaders {
public:
  explicit TraceHeaders(const skh::Call &call) {
    add("traceparent: ", call.traceparent());
    if (!call.traceparent().empty()) add("tracestate: ", call.tracestate());
  }
  curl_slist *list() const noexcept { return list_.get(); } // null: none

private:
  void add(const char *name, std::string_view value) {
    if (value.empty()) return;
    curl_slist *const longer = curl_slist_append(list_.get(), (name + std::string(value)).c_str());
    if (longer == nullptr) throw std::bad_alloc();
    if (!list_) list_.reset(longer); // later on it is the same one
  }
  struct Free {
    void operator()(curl_slist *list) const noexcept { curl_slist_free_all(list); }
  };
  std::unique_ptr<curl_slist, Free> list_;
};

// Takes the handle out of the collection again, whatever happens.
class Added {
public:
  Added(CURLM *many, CURL *one) : many_(many), one_(one) { curl_multi_add_handle(many, one); }
  ~Added() { curl_multi_remove_handle(many_, one_); }
  Added(const Added &) = delete;
  Added &operator=(const Added &) = delete;

private:
  CURLM *many_;
  CURL *one_;
};

} // namespace

struct ClientConnection::Receiving {
  std::size_t mostBytes;
  Response response{};
  std::size_t headerBytes = 0;
  bool tooLarge = false;
};

ClientConnection::ClientConnection() : many_((start(), curl_multi_init())), one_(curl_easy_init()) {
  if (many_ != nullptr && one_ != nullptr) return;
  curl_easy_cleanup(one_);
  curl_multi_cleanup(many_);
  throw std::bad_alloc();
}

ClientConnection::~ClientConnection() {
  const SignalGuard guard; // TLS says goodbye to a peer that may be gone
  curl_easy_cleanup(one_);
  curl_multi_cleanup(many_);
}

void ClientConnection::prepare(const Request &request, const std::string &body, curl_slist *headers,
                               const Options &options, Receiving &receiving) {
  curl_easy_reset(one_); // keeps the connections
  reason_.front() = '\0';
  set(one_, CURLOPT_ERRORBUFFER, reason_.data());
  set(one_, CURLOPT_URL, request.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  set(one_, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  set(one_, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  set(one_, CURLOPT_FOLLOWLOCATION, 0L);
  // Not the environment's, but the host's own, where that holds this process to a list of hosts.
  const char *const forwarder = std::getenv("SKILLHOST_FORWARDER");
  set(one_, CURLOPT_PROXY, forwarder == nullptr ? "" : forwarder);
  set(one_, CURLOPT_NOPROXY, "");
  set(one_, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(one_, CURLOPT_NOSIGNAL, 1L);
  set(one_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(one_, CURLOPT_SSL_VERIFYPEER, 1L);
  set(one_, CURLOPT_SSL_VERIFYHOST, 2L);
  const std::string authorities =
      options.caFile.empty() ? authoritiesInstead(curl_version_info(CURLVERSION_NOW)->cainfo)
                             : options.caFile;
  if (!authorities.empty()) set(one_, CURLOPT_CAINFO, authorities.c_str());
  set(one_, CURLOPT_USERAGENT, options.userAgent.c_str());
  if (headers != nullptr) set(one_, CURLOPT_HTTPHEADER, headers);
  set(one_, CURLOPT_WRITEFUNCTION, &receive);
  set(one_, CURLOPT_WRITEDATA, &receiving);
  set(one_, CURLOPT_HEADERFUNCTION, &receiveHeader);
  set(one_, CURLOPT_HEADERDATA, &receiving);
  if (!request.user.empty()) {
    set(one_, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    set(one_, CURLOPT_USERNAME, request.user.c_str());
    set(one_, CURLOPT_PASSWORD, request.password.c_str());
  }
  if (request.form.empty()) return;
  set(one_, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
  set(one_, CURLOPT_POSTFIELDS, body.c_str());
}

CURLcode ClientConnection::perform(const skh::Call &call) {
  const Added added(many_, one_);
  for (int running = 1;;) {
    if (curl_multi_perform(many_, &running) != CURLM_OK) return CURLE_FAILED_INIT;
    if (running == 0) break;
    if (call.cancelled()) return CURLE_ABORTED_BY_CALLBACK;
    if (curl_multi_poll(many_, nullptr, 0, pollMs, nullptr) != CURLM_OK) return CURLE_FAILED_INIT;
  }
  int left = 0;
  const CURLMsg *message = curl_multi_info_read(many_, &left);
  return message == nullptr ? CURLE_FAILED_INIT : message->data.result;
}

Response ClientConnection::send(const skh::Call &call, const Request &request,
                                const Options &options) {
  const std::chrono::milliseconds left = call.remaining(options.totalLimit);
  if (left.count() <= 0) throw skh::Error(SKH_DEADLINE, "no time is left");
  const SignalGuard guard;
  Receiving receiving{options.mostBytes};
  const FormText form(request);
  const TraceHeaders headers(call);
  prepare(request, form.body, headers.list(), options, receiving);
  set(one_, CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
  set(one_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connectLimit.count()));
  const CURLcode code = perform(call);
  if (code == CURLE_OK) {
    curl_easy_getinfo(one_, CURLINFO_RESPONSE_CODE, &receiving.response.status);
    return std::move(receiving.response);
  }
  if (code == CURLE_ABORTED_BY_CALLBACK) throw skh::Error(SKH_CANCELLED, "cancelled");
  const std::string where(withoutQuery(request.url));
  if (receiving.tooLarge)
    throw skh::Error(SKH_UNAVAILABLE, where + " answers with more than " +
                                          std::to_string(options.mostBytes) + " bytes");
  const char *why = reason_.front() == '\0' ? curl_easy_strerror(code) : reason_.data();
  throw skh::Error(SKH_UNAVAILABLE, where + " cannot be asked: " + why);
}

std::size_t ClientConnection::receive(char *data, std::size_t one, std::size_t size,
                                      void *receiving) {
  auto &into = *static_cast<Receiving *>(receiving);
  const std::size_t bytes = one * size;
  into.tooLarge = bytes > into.mostBytes - into.response.body.size();
  if (into.tooLarge) return 0;
  try {
    into.response.body.append(data, bytes);
  } catch (const std::bad_alloc &) {
    return 0;
  }
  return bytes;
}

std::size_t ClientConnection::receiveHeader(char * /*data*/, std::size_t one, std::size_t size,
                                            void *receiving) {
  auto &into = *static_cast<Receiving *>(receiving);
  into.headerBytes += one * size;
  into.tooLarge = into.headerBytes > mostHeaderBytes;
  return into.tooLarge ? 0 : one * size;
}

} // namespace skillhost::http
