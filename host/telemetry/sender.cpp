// SPDX-License-Identifier: Apache-2.0
#include "sender.hpp"

#include "curl_library.hpp"
#include "ground/authorities.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

namespace skillhost::telemetry {
namespace {

constexpr std::size_t mostOfAnswer = 64U << 10U; // bytes
constexpr std::chrono::milliseconds connectTime{5'000};

struct Receiving {
  std::string body;
};

std::size_t keepBeginning(char *data, std::size_t, std::size_t size, void *receiving) {
  std::string &body = static_cast<Receiving *>(receiving)->body;
  if (body.size() < mostOfAnswer) body.append(data, std::min(size, mostOfAnswer - body.size()));
  return size;
}

int isCancelled(void *asked, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<const std::function<bool()> *>(asked))() ? 1 : 0;
}

} // namespace

struct Sender::Handle {
  explicit Handle(const CurlLibrary &library) : curl(library), easy(library.easy_init()) {
    if (easy == nullptr) throw std::bad_alloc();
  }
  ~Handle() {
    curl.slist_free_all(headers);
    curl.easy_cleanup(easy);
  }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;

  template <class Value> void set(CURLoption option, Value value) {
    if ((curl.easy_setopt)(easy, option, value) != CURLE_OK) throw std::bad_alloc();
  }
  void header(const std::string &line) {
    curl_slist *const more = curl.slist_append(headers, line.c_str());
    if (more == nullptr) throw std::bad_alloc();
    headers = more;
  }

  const CurlLibrary &curl;
  CURL *const easy;
  curl_slist *headers = nullptr;
  std::array<char, CURL_ERROR_SIZE> why{};
};

Sender::Sender(const Settings &settings, std::function<bool()> cancelled)
    : settings_(settings), cancelled_(std::move(cancelled)) {}

Sender::~Sender() = default;

std::unique_ptr<Sender::Handle> Sender::prepared() const {
  auto handle = std::make_unique<Handle>(curlLibrary());
  Handle &to = *handle;
  to.header("Content-Type: application/json");
  to.header("Expect:"); // no pause before a body that the collector takes anyway
  for (const auto &[name, value] : settings_.headers) to.header(name + ": " + value);
  to.set(CURLOPT_HTTPHEADER, to.headers);
  to.set(CURLOPT_USERAGENT, ("skillhost/" + settings_.serviceVersion).c_str());
  to.set(CURLOPT_PROTOCOLS_STR, "http,https");
  to.set(CURLOPT_FOLLOWLOCATION, 0L); // the headers are for this collector alone
  to.set(CURLOPT_NOSIGNAL, 1L);
  to.set(CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
  // No proxy of the environment: telemetry and its token go to the collector that is named.
  to.set(CURLOPT_PROXY, "");
  const std::string authorities =
      settings_.caFile.empty() ? authoritiesInstead(to.curl.version_info(CURLVERSION_NOW)->cainfo)
                               : settings_.caFile;
  if (!authorities.empty()) to.set(CURLOPT_CAINFO, authorities.c_str());
  to.set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connectTime.count()));
  to.set(CURLOPT_TIMEOUT_MS, static_cast<long>(settings_.requestTime.count()));
  to.set(CURLOPT_ERRORBUFFER, to.why.data());
  to.set(CURLOPT_WRITEFUNCTION, &keepBeginning);
  to.set(CURLOPT_NOPROGRESS, 0L);
  to.set(CURLOPT_XFERINFOFUNCTION, &isCancelled);
  to.set(CURLOPT_XFERINFODATA, static_cast<const void *>(&cancelled_));
  return handle;
}

Delivery Sender::send(std::string_view path, const std::string &body) {
  Delivery delivery;
  try {
    if (!handle_) handle_ = prepared();
  } catch (const std::runtime_error &error) {
    delivery.reason = error.what();
    return delivery;
  }
  Handle &to = *handle_;
  Receiving receiving;
  to.why.front() = '\0';
  to.set(CURLOPT_URL, (settings_.endpoint + std::string(path)).c_str());
  to.set(CURLOPT_POSTFIELDS, body.c_str());
  to.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  to.set(CURLOPT_WRITEDATA, static_cast<void *>(&receiving));
  const CURLcode code = to.curl.easy_perform(to.easy);
  if (code != CURLE_OK) {
    delivery.reason = to.why.front() != '\0' ? to.why.data() : to.curl.easy_strerror(code);
    return delivery;
  }
  curl_off_t seconds = 0;
  (to.curl.easy_getinfo)(to.easy, CURLINFO_RESPONSE_CODE, &delivery.status);
  (to.curl.easy_getinfo)(to.easy, CURLINFO_RETRY_AFTER, &seconds);
  if (seconds > 0) delivery.retryAfter = std::chrono::seconds(seconds);
  delivery.body = std::move(receiving.body);
  return delivery;
}

} // namespace skillhost::telemetry
