// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"

#include "manifest.hpp"

#include "remote/web_address.hpp"

#include <new>

namespace skillhost::oci {
namespace {

using remote::setOption;

constexpr long slowest = 256;                                 // bytes a second
constexpr std::size_t mostComplaint = std::size_t{64} << 10U; // of an answer that is not good

class Running {
public:
  Running(CURLM *many, remote::Operation &operation, const Ask &ask)
      : many_(many), operation_(operation), ask_(ask), handle_(many) {}

  Answer run(const ExchangeRules &rules) {
    const auto address = remote::readWebAddress(ask_.url);
    if (!address)
      throw remote::RemoteError(shownUrl(ask_.url) + " is no address that can be asked");
    prepare(*address, rules);
    handle_.begin();
    finish(perform());
    answer_.status = handle_.status();
    answer_.contentType = handle_.header("Content-Type");
    answer_.contentDigest = handle_.header("Docker-Content-Digest");
    answer_.link = handle_.header("Link");
    answer_.authenticate = handle_.header("WWW-Authenticate");
    answer_.location = handle_.redirect();
    if (const std::string made = handle_.header("Location");
        answer_.location.empty() && !made.empty())
      if (const auto absolute = remote::readWebAddress(made, address->url))
        answer_.location = absolute->url;
    answer_.retryAfter = handle_.retryAfter();
    return std::move(answer_);
  }

private:
  void prepare(const remote::WebAddress &address, const ExchangeRules &rules) {
    // What a redirect or a challenge brings was written by nobody here.
    const bool isNamed = address.origin == rules.origin;
    std::vector<std::string> headers = ask_.headers;
    if (isNamed)
      headers.insert(headers.end(), operation_.trace().begin(), operation_.trace().end());
    handle_.prepare({address.url, address.host, address.secure, isNamed, rules.caFile, rules.agent,
                     rules.allowPrivateAddresses},
                    headers);
    CURL *const one = handle_.handle();
    setOption(one, CURLOPT_LOW_SPEED_LIMIT, slowest);
    setOption(one, CURLOPT_LOW_SPEED_TIME, static_cast<long>(rules.quiet.count()));
    setOption(one, CURLOPT_WRITEFUNCTION, &Running::receive);
    setOption(one, CURLOPT_WRITEDATA, this);
    if (ask_.method == "HEAD") setOption(one, CURLOPT_NOBODY, 1L);
    if (!ask_.body) return;
    setOption(one, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(ask_.body->size()));
    const char *const bytes = ask_.body->data(); // of which that many are sent
    setOption(one, CURLOPT_POSTFIELDS, bytes);
    setOption(one, CURLOPT_CUSTOMREQUEST, ask_.method.c_str());
  }

  CURLcode perform() {
    while (true) {
      operation_.checkpoint();
      int running = 0;
      if (curl_multi_perform(many_, &running) != CURLM_OK) throw std::bad_alloc();
      if (running == 0) {
        int left = 0;
        const CURLMsg *const message = curl_multi_info_read(many_, &left);
        return message == nullptr ? CURLE_FAILED_INIT : message->data.result;
      }
      curl_multi_poll(many_, nullptr, 0, operation_.patience(), nullptr);
    }
  }

  void finish(CURLcode code) {
    operation_.receive(0); // its own refusal comes first
    handle_.end();
    if (code == CURLE_OK || isCut_) return;
    const std::string where = shownUrl(ask_.url);
    if (isTooLarge_)
      throw ContentError(where + " has more than " + std::to_string(ask_.mostBytes) + " bytes");
    if (handle_.isForbidden()) throw remote::RemoteError(where + " " + handle_.trouble(code));
    throw remote::NetworkError(where + " " + handle_.trouble(code));
  }

  static std::size_t receive(char *data, std::size_t one, std::size_t size, void *self) noexcept {
    auto &running = *static_cast<Running *>(self);
    const std::size_t bytes = one * size;
    const long status = running.handle_.status();
    const bool isGood = status >= 200 && status < 300;
    const std::uint64_t most = isGood ? running.ask_.mostBytes : mostComplaint;
    if (bytes > most - running.answer_.body.size()) {
      (isGood ? running.isTooLarge_ : running.isCut_) = true;
      return 0;
    }
    try {
      running.operation_.receive(bytes);
      running.answer_.body.append(data, bytes);
    } catch (const std::exception &) {
      return 0; // the operation is asked again, and says why
    }
    return bytes;
  }

  CURLM *many_;
  remote::Operation &operation_;
  const Ask &ask_;
  bool isTooLarge_ = false, isCut_ = false;
  Answer answer_;
  remote::GuardedRequest handle_; // last: it uses all of the above
};

} // namespace

std::string shownUrl(const std::string &url) { return url.substr(0, url.find('?')); }

Answer exchange(CURLM *many, const ExchangeRules &rules, remote::Operation &operation,
                const Ask &ask) {
  return Running(many, operation, ask).run(rules);
}

} // namespace skillhost::oci
