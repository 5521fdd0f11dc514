// SPDX-License-Identifier: Apache-2.0
#include "fetcher.hpp"

#include "transfer.hpp"
#include "web_address.hpp"

#include <list>
#include <map>
#include <new>

namespace skillhost::remote {
namespace {

constexpr std::size_t mostAtOnce = 6;

std::string originOf(const std::string &url) {
  const std::optional<WebAddress> address = readWebAddress(url);
  return address ? address->origin : std::string();
}

} // namespace

Fetcher::Fetcher(FetchRules rules)
    : rules_(std::move(rules)), connections_(std::make_unique<CurlMany>()) {}
Fetcher::~Fetcher() = default;

void Fetcher::fetch(const std::vector<Wanted> &wanted, Operation &operation,
                    const std::function<void(std::size_t, Fetched)> &tell) {
  CURLM *const many = connections_->handle();
  std::list<Transfer> running;
  std::map<std::string, Fetched> busy; // what an origin answered
  std::size_t next = 0;
  while (next < wanted.size() || !running.empty()) {
    operation.checkpoint();
    operation.receive(0); // says when there have been too many bytes
    for (; next < wanted.size() && running.size() < mostAtOnce; ++next) {
      if (!busy.empty())
        if (const auto left = busy.find(originOf(wanted[next].url)); left != busy.end()) {
          tell(next, left->second);
          continue;
        }
      running.emplace_back(many, rules_, operation, wanted[next], next);
      if (running.back().start()) continue;
      Fetched refused = std::move(running.back().result());
      running.pop_back();
      tell(next, std::move(refused));
    }
    int active = 0;
    if (curl_multi_perform(many, &active) != CURLM_OK) throw std::bad_alloc();
    bool ended = false;
    int left = 0;
    while (const CURLMsg *const message = curl_multi_info_read(many, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      CURL *const handle = message->easy_handle;
      ended = true;
      for (auto one = running.begin(); one != running.end(); ++one) {
        if (one->handle() != handle) continue;
        operation.receive(0);
        if (!one->finish(code)) break;
        Fetched fetched = std::move(one->result());
        const std::size_t which = one->which();
        running.erase(one);
        if (fetched.isBusy()) busy.emplace(originOf(wanted[which].url), fetched);
        tell(which, std::move(fetched));
        break;
      }
    }
    if (!ended && !running.empty())
      curl_multi_poll(many, nullptr, 0, operation.patience(), nullptr);
  }
}

} // namespace skillhost::remote
