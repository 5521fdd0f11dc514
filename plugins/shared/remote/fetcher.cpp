// SPDX-License-Identifier: Apache-2.0
#include "fetcher.hpp"

#include "http_client/web_address.hpp"
#include "transfer.hpp"

#include <list>
#include <map>

namespace skillhost::remote {
namespace {

constexpr std::size_t maxParallelTransfers = 6;

std::string originOf(const std::string &url) {
  const std::optional<web::WebAddress> address = web::readWebAddress(url);
  return address ? address->origin : std::string();
}

} // namespace

Fetcher::Fetcher(FetchRules rules)
    : rules_(std::move(rules)), connections_(std::make_unique<web::Connections>()) {}
Fetcher::~Fetcher() = default;

void Fetcher::fetch(const std::vector<FetchRequest> &wanted, Operation &operation,
                    const std::function<void(std::size_t, Fetched)> &tell) {
  std::list<Transfer> running;
  std::map<std::string, Fetched> busy; // answers by origin
  std::size_t next = 0;
  while (next < wanted.size() || !running.empty()) {
    operation.checkpoint();
    operation.receive(0); // throws if too many bytes were received
    for (; next < wanted.size() && running.size() < maxParallelTransfers; ++next) {
      if (!busy.empty())
        if (const auto left = busy.find(originOf(wanted[next].url)); left != busy.end()) {
          tell(next, left->second);
          continue;
        }
      running.emplace_back(*connections_, rules_, operation, wanted[next], next);
      if (running.back().start()) continue;
      Fetched refused = std::move(running.back().result());
      running.pop_back();
      tell(next, std::move(refused));
    }
    connections_->perform();
    bool ended = false;
    for (auto one = running.begin(); one != running.end();) {
      const auto at = one++;
      if (!at->hasEnded()) continue;
      ended = true;
      operation.receive(0);
      if (!at->finish()) continue;
      Fetched fetched = std::move(at->result());
      const std::size_t which = at->which();
      running.erase(at);
      if (fetched.isBusy()) busy.emplace(originOf(wanted[which].url), fetched);
      tell(which, std::move(fetched));
    }
    if (!ended && !running.empty())
      connections_->wait(std::chrono::milliseconds(operation.waitSliceMs()));
  }
}

} // namespace skillhost::remote
