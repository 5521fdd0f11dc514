// SPDX-License-Identifier: Apache-2.0
#include "key_source.hpp"

#include "openid/discovery.hpp"
#include "openid/settings.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace skillhost::jwt {
namespace {

// Longest delay until a waiting call notices its cancellation.
constexpr std::chrono::milliseconds glance{40};
// Longest use of keys while the issuer does not confirm that they are still valid.
constexpr std::chrono::hours maxUse{24};

std::string fileText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(KeySet::maxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) throw skh::Error(SKH_UNAVAILABLE, path + ": cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

} // namespace

KeySource::KeySource(const skh::Config &config, skh::Host host,
                     std::function<Clock::time_point()> now)
    : host_(host), client_(openid::clientSettings(config, host)),
      issuer_(openid::urlSetting(config, "issuer")), uri_(openid::urlSetting(config, "jwks_uri")),
      file_(config.text("jwks_file", "")),
      oldest_(openid::numberSetting(config, "keys_max_age_seconds", 3'600, 1, 86'400)),
      pause_(openid::numberSetting(config, "refetch_seconds", 10, 0, 3'600)), now_(std::move(now)) {
  if (!file_.empty() && !file_.starts_with('/'))
    throw skh::Error(SKH_INVALID, "jwks_file: must be an absolute path");
  if (!file_.empty() && !uri_.empty())
    throw skh::Error(SKH_INVALID, "jwks_file: jwks_uri is set, too: remove one of them");
}

std::string KeySource::readSource(const skh::Call &call, std::string &where) {
  where = file_;
  if (!file_.empty()) return fileText(file_);
  where = uri_;
  if (where.empty()) {
    where = openid::endpoint(openid::discover(call, client_, issuer_), "jwks_uri");
    if (where.empty())
      throw skh::Error(SKH_UNAVAILABLE,
                       issuer_ + " publishes no jwks_uri: set jwks_uri or jwks_file");
  }
  http::Response response = client_.send(call, {where, {}, {}, {}});
  if (response.status != 200)
    throw skh::Error(SKH_UNAVAILABLE,
                     where + " answers with HTTP status " + std::to_string(response.status));
  return std::move(response.body);
}

KeySet KeySource::read(const skh::Call &call) {
  std::string where;
  const std::string text = readSource(call, where);
  try {
    KeySet keys = KeySet::read(text);
    if (keys.size() == 0)
      throw std::runtime_error("has no usable key; keys left out: " +
                               std::to_string(keys.leftOut()));
    return keys;
  } catch (const skh::Error &) {
    throw;
  } catch (const std::runtime_error &why) {
    throw skh::Error(SKH_UNAVAILABLE, where + ' ' + why.what());
  }
}

// The caller holds the lock, which is released during the request.
void KeySource::fetch(const skh::Call &call, std::unique_lock<std::mutex> &lock) {
  asking_ = true;
  lock.unlock();
  std::shared_ptr<const KeySet> keys;
  std::string failure;
  bool givenUp = false;
  try {
    keys = std::make_shared<const KeySet>(read(call));
  } catch (const skh::Error &why) {
    failure = why.what();
    givenUp = why.status() == SKH_CANCELLED || why.status() == SKH_DEADLINE;
  } catch (const std::exception &why) {
    failure = why.what();
  }
  lock.lock();
  asking_ = false;
  asked_.notify_all();
  // A caller that gave up says nothing about the issuer, so the next caller asks.
  if (givenUp) throw skh::Error(SKH_CANCELLED, failure);
  askedAt_ = now_();
  failure_ = failure;
  if (!keys) return;
  held_ = std::move(keys);
  heldSince_ = *askedAt_;
}

std::shared_ptr<const KeySet> KeySource::renewed(const skh::Call &call, bool inAnyCase) {
  std::unique_lock lock(mutex_);
  const std::optional<Clock::time_point> before = askedAt_;
  while (asking_) {
    asked_.wait_for(lock, glance);
    call.point();
  }
  const bool another = askedAt_ != before; // another thread asked meanwhile
  const bool soon = askedAt_ && now_() - *askedAt_ < pause_;
  if (!another && (inAnyCase || !soon)) fetch(call, lock);
  if (!failure_.empty()) throw skh::Error(SKH_UNAVAILABLE, failure_);
  return held_;
}

std::shared_ptr<const KeySet> KeySource::keys(const skh::Call &call) {
  std::shared_ptr<const KeySet> held;
  {
    const std::lock_guard lock(mutex_);
    const auto now = now_();
    if (now - heldSince_ < maxUse) held = held_;
    const bool askedSoon = askedAt_ && now - *askedAt_ < pause_;
    if (held && (now - heldSince_ < oldest_ || asking_ || askedSoon)) return held;
  }
  try {
    return renewed(call, false);
  } catch (const skh::Error &why) {
    if (!held || why.status() != SKH_UNAVAILABLE) throw;
    host_.log(SKH_WARN,
              std::string("the keys could not be fetched, so the known ones are still used: ") +
                  why.what());
    return held;
  }
}

std::shared_ptr<const KeySet> KeySource::newer(const skh::Call &call,
                                               const std::shared_ptr<const KeySet> &known) {
  {
    const std::lock_guard lock(mutex_);
    if (held_ != known) return held_;
  }
  return renewed(call, false);
}

void KeySource::check(const skh::Call &call) { renewed(call, true); }

} // namespace skillhost::jwt
