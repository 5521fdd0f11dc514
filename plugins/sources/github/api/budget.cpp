// SPDX-License-Identifier: Apache-2.0
#include "budget.hpp"

#include "files/whole_file.hpp"
#include "ground/json.hpp"
#include "remote/schedule.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

namespace skillhost::github {
namespace {

constexpr int budgetVersion = 1;
constexpr std::int64_t maxClosure = std::chrono::seconds(remote::maxPause).count();
constexpr std::int64_t unsaid = 60; // seconds to wait if the API names no time

std::string clockText(std::int64_t unixSeconds) {
  const auto time = static_cast<std::time_t>(unixSeconds);
  std::tm utc{};
  std::array<char, 32> text{};
  if (::gmtime_r(&time, &utc) == nullptr) return "later";
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
  return {text.data(), size};
}

} // namespace

// Never destroyed, because threads of sources may use it until the process ends.
struct Budget::Accounts {
  std::mutex mutex;
  std::map<std::string, Known> known;
};

Budget::Accounts &Budget::accounts() {
  static Accounts *const all = new Accounts;
  return *all;
}

Budget::Known Budget::known() const {
  const std::lock_guard lock(accounts().mutex);
  return accounts().known[account_];
}

void Budget::updateAccount(const Known &now) const {
  const std::lock_guard lock(accounts().mutex);
  accounts().known[account_] = now;
}

Budget::Budget(std::string file, std::string account)
    : file_(std::move(file)), account_(std::move(account)) {
  std::ifstream opened(file_, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(opened)), {});
  const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
  try {
    if (read.at("version") != budgetVersion || read.at("account") != account_) return;
    const auto number = [&](const char *key) { return read.at(key).get<std::int64_t>(); };
    saved_ = {number("limit"), number("remaining"), number("reset"), number("closed_until")};
  } catch (const nlohmann::json::exception &) {
    return; // an unreadable file counts as missing
  }
  const std::lock_guard lock(accounts().mutex);
  if (Known &current = accounts().known[account_]; current == Known{}) current = saved_;
}

std::int64_t Budget::remaining(std::int64_t now) const {
  const Known current = known();
  return now >= current.reset ? current.limit : current.remaining;
}

void Budget::requireOpen(std::int64_t now) const {
  const Known current = known();
  const bool isSpent = current.remaining == 0 && now < current.reset;
  const std::int64_t until = std::max(current.closedUntil, isSpent ? current.reset : 0);
  // A clock that was set back must not close the API for longer than any real closure.
  if (until <= now || until > now + maxClosure) return;
  const std::string why = isSpent ? "its " + std::to_string(current.limit) +
                                        " requests an hour are spent (a token gives more)"
                                  : std::string("it was asked too often");
  throw remote::RemoteError("the API takes no request before " + clockText(until) + ": " + why,
                            std::chrono::seconds(until - now));
}

void Budget::recordAnswer(const RateLimit &reported, std::int64_t now) {
  if (reported.limit < 0 || reported.remaining < 0 || reported.reset < 0) return;
  updateAccount({reported.limit, reported.remaining, std::min(reported.reset, now + maxClosure),
                 known().closedUntil});
}

void Budget::throwRefused(const RateLimit &reported, std::int64_t now) {
  recordAnswer(reported, now);
  const bool isSpent = reported.remaining == 0 && reported.reset > now;
  const std::int64_t wait =
      reported.retryAfter ? std::int64_t{reported.retryAfter->count()} : (isSpent ? 0 : unsaid);
  Known closed = known();
  closed.closedUntil = now + std::min(wait, maxClosure);
  updateAccount(closed);
  save();
  requireOpen(now);
  throw remote::RemoteError("the API was asked too often", std::chrono::seconds(unsaid));
}

void Budget::save() noexcept {
  try {
    const Known current = known();
    if (current == saved_) return;
    const Json written{{"version", budgetVersion}, {"account", account_},
                       {"limit", current.limit},   {"remaining", current.remaining},
                       {"reset", current.reset},   {"closed_until", current.closedUntil}};
    files::writeFile(file_, written.dump(1) + "\n", Flush::Now);
    saved_ = current;
  } catch (const std::exception &) {
    return; // only this process knows the budget then
  }
}

} // namespace skillhost::github
