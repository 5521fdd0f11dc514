// SPDX-License-Identifier: Apache-2.0
#include "budget.hpp"

#include "durable_file.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <ctime>
#include <fstream>
#include <iterator>

namespace skillhost::github {
namespace {

constexpr int budgetVersion = 1;
constexpr std::int64_t longest = 86'400; // seconds: no API closes for more than a day
constexpr std::int64_t unsaid = 60;      // seconds

std::string clockText(std::int64_t unixSeconds) {
  const auto time = static_cast<std::time_t>(unixSeconds);
  std::tm utc{};
  std::array<char, 32> text{};
  if (::gmtime_r(&time, &utc) == nullptr) return "later";
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
  return {text.data(), size};
}

} // namespace

Budget::Budget(std::string file, std::string account)
    : file_(std::move(file)), account_(std::move(account)) {
  std::ifstream opened(file_, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(opened)), {});
  const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
  try {
    if (read.at("version") != budgetVersion || read.at("account") != account_) return;
    const auto number = [&](const char *key) { return read.at(key).get<std::int64_t>(); };
    const std::array known{number("limit"), number("remaining"), number("reset"),
                           number("closed_until")};
    limit_ = known[0];
    remaining_ = known[1];
    reset_ = known[2];
    closedUntil_ = known[3];
  } catch (const nlohmann::json::exception &) {
    return; // as if it were not there
  }
}

std::int64_t Budget::remaining(std::int64_t now) const noexcept {
  return now >= reset_ ? limit_ : remaining_;
}

void Budget::demand(std::int64_t now) const {
  const bool isSpent = remaining_ == 0 && now < reset_;
  const std::int64_t until = std::max(closedUntil_, isSpent ? reset_ : 0);
  // A clock that was set back must not close it for longer than anybody would.
  if (until <= now || until > now + longest) return;
  const std::string why =
      isSpent ? "its " + std::to_string(limit_) + " requests an hour are spent (a token gives more)"
              : std::string("it was asked too often");
  throw RemoteError("the API takes no request before " + clockText(until) + ": " + why,
                    std::chrono::seconds(until - now));
}

void Budget::note(const Told &told, std::int64_t now) {
  if (told.limit < 0 || told.remaining < 0 || told.reset < 0) return;
  isNew_ = isNew_ || limit_ != told.limit || remaining_ != told.remaining || reset_ != told.reset;
  limit_ = told.limit;
  remaining_ = told.remaining;
  reset_ = std::min(told.reset, now + longest);
}

void Budget::refused(const Told &told, std::int64_t now) {
  note(told, now);
  const bool isSpent = told.remaining == 0 && told.reset > now;
  const std::int64_t wait =
      told.retryAfter ? std::int64_t{told.retryAfter->count()} : (isSpent ? 0 : unsaid);
  closedUntil_ = now + std::min(wait, longest);
  isNew_ = true;
  save();
  demand(now);
  throw RemoteError("the API was asked too often", std::chrono::seconds(unsaid));
}

void Budget::save() noexcept {
  if (!isNew_) return;
  isNew_ = false;
  try {
    const nlohmann::ordered_json written{
        {"version", budgetVersion}, {"account", account_}, {"limit", limit_},
        {"remaining", remaining_},  {"reset", reset_},     {"closed_until", closedUntil_}};
    replaceFile(file_, written.dump(1) + "\n");
  } catch (const std::exception &) {
    isNew_ = true;
  }
}

} // namespace skillhost::github
