// SPDX-License-Identifier: Apache-2.0
// Where the issuer's keys come from, and when they are asked for again.
#pragma once

#include "http/client.hpp"
#include "key_set.hpp"

#include <skillhost/config.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace skillhost::jwt {

// Any thread. One asks at a time; the others wait for what it gets, or go on with what there is.
class KeySource {
public:
  using Clock = std::chrono::steady_clock;

  // issuer, jwks_uri, jwks_file, keys_max_age_seconds, refetch_seconds. Throws
  // skh::Error(SKH_INVALID). `now` is for tests, which turn the clock.
  KeySource(const skh::Config &config, skh::Host host,
            std::function<Clock::time_point()> now = &Clock::now);

  // The keys at hand; asked for when there are none yet, or they are older than they may be, in
  // which case those there are do until others come, a day at most: a key that the issuer has
  // withdrawn must not be good for as long as somebody keeps the issuer from telling us. Throws
  // skh::Error(SKH_UNAVAILABLE).
  std::shared_ptr<const KeySet> keys(const skh::Call &call);
  // For a key that is not among `known`: others when there are any, asked for at most once in
  // refetch_seconds. Throws skh::Error(SKH_UNAVAILABLE) when asking failed.
  std::shared_ptr<const KeySet> newer(const skh::Call &call,
                                      const std::shared_ptr<const KeySet> &known);
  // Asks in any case. Throws skh::Error(SKH_UNAVAILABLE), also when no key is usable.
  void check(const skh::Call &call);

private:
  std::shared_ptr<const KeySet> renewed(const skh::Call &call, bool inAnyCase);
  void fetch(const skh::Call &call, std::unique_lock<std::mutex> &lock);
  KeySet read(const skh::Call &call);
  std::string readSource(const skh::Call &call, std::string &where);

  const skh::Host host_;
  http::Client client_;
  std::string issuer_, uri_, file_;
  std::chrono::seconds oldest_, pause_;
  const std::function<Clock::time_point()> now_;

  std::mutex mutex_;
  std::condition_variable asked_;
  bool asking_ = false;
  std::shared_ptr<const KeySet> held_;
  Clock::time_point heldSince_{};
  std::optional<Clock::time_point> askedAt_; // the last time that it came to an end
  std::string failure_;                      // of that time; empty: none
};

} // namespace skillhost::jwt
