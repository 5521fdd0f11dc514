// SPDX-License-Identifier: Apache-2.0
// Fetches the issuer's keys and decides when to fetch them again.
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

// Any thread may use it. One thread asks at a time; the others wait for its result, or continue
// with the present keys.
class KeySource {
public:
  using Clock = std::chrono::steady_clock;

  // Reads issuer, jwks_uri, jwks_file, keys_max_age_seconds and refetch_seconds. Throws
  // skh::Error(SKH_INVALID). Tests replace `now`.
  KeySource(const skh::Config &config, skh::Host host,
            std::function<Clock::time_point()> now = &Clock::now);

  // Returns the present keys. Fetches them if there are none or if they are too old. If that fails,
  // the old keys are used for at most a day, because an attacker who blocks the issuer must not
  // keep a withdrawn key valid for longer. Throws skh::Error(SKH_UNAVAILABLE).
  std::shared_ptr<const KeySet> keys(const skh::Call &call);
  // Returns other keys than `known`, if there are any, for a token whose key is not in `known`.
  // Asks at most once in refetch_seconds. Throws skh::Error(SKH_UNAVAILABLE) if asking failed.
  std::shared_ptr<const KeySet> newer(const skh::Call &call,
                                      const std::shared_ptr<const KeySet> &known);
  // Asks in any case. Throws skh::Error(SKH_UNAVAILABLE), also if no key is usable.
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
  std::optional<Clock::time_point> askedAt_; // end of the last attempt
  std::string failure_;                      // its error; empty: none
};

} // namespace skillhost::jwt
