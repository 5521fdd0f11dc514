// SPDX-License-Identifier: Apache-2.0
// Checks values, counters and their limits.
#include "state_parts.hpp"

#include <thread>

namespace skillhost::check {
namespace {

using Clock = StandInCall::Clock;
constexpr std::uint64_t soon = 300; // milliseconds
constexpr std::chrono::milliseconds betweenPolls{10};

// Polls until `happened` returns true, and fails if that takes too long.
void expectSoon(const std::function<bool()> &happened, const std::string &fault,
                const std::string &advice) {
  for (const Clock::time_point until = stateDeadline(); !happened();
       std::this_thread::sleep_for(betweenPolls))
    if (Clock::now() >= until) fail(fault, advice);
}

void checkPut(StateUser &user) {
  const std::string key = user.key("value");
  expectStatus(user, user.get(key).status, SKH_NOT_FOUND, "get() of a key that is not there");
  const std::string bytes("\0\r\n\xFF end\0", 9);
  for (const std::string &value : {std::string("first"), std::string(), bytes}) {
    expectStatus(user, user.put(key, value, stateLifetime), SKH_OK, "put()");
    expectValue(user, key, value, "after put()");
  }
  const std::string binaryKey = key + std::string("\0\r\n\xFF", 4);
  expectValue(user, binaryKey, std::nullopt, "under a key that only begins the same");
  expectStatus(user, user.put(binaryKey, "binary", stateLifetime), SKH_OK,
               "put() with a key of any bytes");
  expectValue(user, binaryKey, "binary", "under a key of any bytes");
  expectValue(user, key, bytes, "after a put() with a key that begins the same");
  std::string longest = user.key("");
  longest.resize(maxStateKeyBytes, 'k');
  const std::string largest(maxStateValueBytes, '\xA5');
  expectStatus(user, user.put(longest, largest, stateLifetime), SKH_OK,
               "put() of 1 MiB under a key of 512 bytes");
  expectValue(user, longest, largest, "of 1 MiB");
  expectStatus(user, user.erase(longest), SKH_OK, "erase()");
  expectStatus(user, user.erase(binaryKey), SKH_OK, "erase()");
}

void checkCompareAndSet(StateUser &user) {
  const std::string key = user.key("compared");
  const auto set = [&](std::optional<std::string_view> expected, std::string_view value) {
    return user.compareAndSet(key, expected, value, stateLifetime);
  };
  expectStatus(user, set("old", "new"), SKH_STALE, "compare_and_set() where there is no value");
  expectValue(user, key, std::nullopt, "after a compare_and_set() that was SKH_STALE");
  expectStatus(user, set(std::nullopt, "one"), SKH_OK,
               "compare_and_set() of NULL where there is no value");
  expectStatus(user, set(std::nullopt, "two"), SKH_STALE,
               "compare_and_set() of NULL where there is a value");
  for (const std::string_view wrong : {"on", "one ", "ONE", ""})
    expectStatus(user, set(wrong, "two"), SKH_STALE, "compare_and_set() of another value");
  expectValue(user, key, "one", "after a compare_and_set() that was SKH_STALE");
  expectStatus(user, set("one", ""), SKH_OK, "compare_and_set() of the value that is there");
  expectValue(user, key, "", "after compare_and_set()");
  expectStatus(user, set(std::nullopt, "two"), SKH_STALE,
               "compare_and_set() of NULL where there is a value without bytes");
  expectStatus(user, set("", "two"), SKH_OK, "compare_and_set() of a value without bytes");
  expectValue(user, key, "two", "after compare_and_set()");
}

void checkErase(StateUser &user) {
  const std::string key = user.key("erased");
  expectStatus(user, user.erase(key), SKH_NOT_FOUND, "erase() of a key that is not there");
  expectStatus(user, user.erase(key, "value"), SKH_NOT_FOUND,
               "erase() of a value under a key that is not there");
  expectStatus(user, user.put(key, "value", stateLifetime), SKH_OK, "put()");
  expectStatus(user, user.erase(key, "other"), SKH_STALE, "erase() of another value");
  expectValue(user, key, "value", "after an erase() that was SKH_STALE");
  expectStatus(user, user.erase(key, "value"), SKH_OK, "erase() of the value that is there");
  expectValue(user, key, std::nullopt, "after erase()");
  expectStatus(user, user.put(key, "value", stateLifetime), SKH_OK, "put()");
  expectStatus(user, user.erase(key), SKH_OK, "erase()");
  expectValue(user, key, std::nullopt, "after erase()");
}

void checkExpiry(StateUser &user) {
  const std::string put = user.key("put"), set = user.key("set"), read = user.key("read");
  const std::string kept = user.key("kept");
  expectStatus(user, user.put(put, "value", soon), SKH_OK, "put() with an expiry");
  expectStatus(user, user.compareAndSet(set, std::nullopt, "value", soon), SKH_OK,
               "compare_and_set() with an expiry");
  expectStatus(user, user.put(read, "value", stateLifetime), SKH_OK, "put() with an expiry");
  expectStatus(user, user.get(read, soon).status, SKH_OK, "get() with an expiry");
  // The value had a short expiry before and has none now.
  expectStatus(user, user.put(kept, "value", soon), SKH_OK, "put() with an expiry");
  expectStatus(user, user.put(kept, "value", 0), SKH_OK, "put() without an expiry");
  const auto gone = [&](const std::string &key) {
    return [&user, key] { return user.get(key).status == SKH_NOT_FOUND; };
  };
  expectSoon(gone(put), "a value of put() is there long after it has expired",
             "expiry is in milliseconds, and a get() without one leaves it as it is");
  expectSoon(gone(set), "a value of compare_and_set() is there long after it has expired",
             "expiry is in milliseconds, and a get() without one leaves it as it is");
  expectSoon(gone(read), "a value is there long after the expiry that get() gave it",
             "with an expiry above 0 that is the time it has from then on");
  expectStatus(user, user.compareAndSet(put, std::nullopt, "again", stateLifetime), SKH_OK,
               "compare_and_set() of NULL where the value has expired");
  expectValue(user, kept, "value", "after a put() without expiry");
  for (const std::string &key : {put, kept}) expectStatus(user, user.erase(key), SKH_OK, "erase()");
}

void expectSum(const StateUser &user, const StateUser::Got &got, std::string_view wanted,
               const std::string &what) {
  expectStatus(user, got.status, SKH_OK, what);
  if (got.bytes != wanted)
    fail(what + " gives \"" + got.bytes.substr(0, 40) + "\", not \"" + std::string(wanted) + '"',
         "the sum, as a decimal number");
}

void refuseOne(StateUser &user, skh_status status, const std::string &what) {
  if (status != SKH_INVALID && status != SKH_TOO_LARGE)
    fail(what + " is " + statusName(status) + user.message(), "SKH_INVALID or SKH_TOO_LARGE");
}

} // namespace

StandInCall::Clock::time_point stateDeadline() { return Clock::now() + std::chrono::seconds(4); }

void expectStatus(const StateUser &user, skh_status status, skh_status wanted,
                  const std::string &what) {
  if (status != wanted)
    fail(what + " is " + statusName(status) + user.message() + ", not " + statusName(wanted));
}

void expectValue(StateUser &user, const std::string &key, std::optional<std::string_view> value,
                 const std::string &when) {
  const StateUser::Got got = user.get(key);
  expectStatus(user, got.status, value ? SKH_OK : SKH_NOT_FOUND, "get() " + when);
  if (value && got.bytes != *value)
    fail("get() " + when + " gives " + std::to_string(got.bytes.size()) +
             " bytes that are not the value",
         "every byte counts, also 0 and the end of a line");
}

void checkStateValues(StateUser &user) {
  checkPut(user);
  checkCompareAndSet(user);
  checkErase(user);
  checkExpiry(user);
  for (const char *name : {"value", "compared"})
    expectStatus(user, user.erase(user.key(name)), SKH_OK, "erase()");
}

void checkStateCounters(StateUser &user) {
  const std::string key = user.key("counter"), shortLived = user.key("short"),
                    full = user.key("full");
  expectSum(user, user.add(key, 0, stateLifetime), "0", "add() of 0 to a new counter");
  expectSum(user, user.add(key, 5, stateLifetime), "5", "add() of 5 to 0");
  expectSum(user, user.add(key, -7, stateLifetime), "-2", "add() of -7 to 5");
  expectSum(user, user.add(full, INT64_MAX, stateLifetime), std::to_string(INT64_MAX),
            "add() of the largest number");
  expectStatus(user, user.add(full, 1, stateLifetime).status, SKH_INVALID, "add() beyond 64 bits");
  expectSum(user, user.add(full, INT64_MIN, stateLifetime), "-1",
            "add() after one that was SKH_INVALID");
  expectSum(user, user.add(full, INT64_MIN + 1, stateLifetime), std::to_string(INT64_MIN),
            "add() down to the smallest number");
  expectStatus(user, user.add(full, -1, stateLifetime).status, SKH_INVALID, "add() beyond 64 bits");
  // A counter with constant additions must end with its first expiry and begin again.
  expectSum(user, user.add(shortLived, 2, soon), "2", "add() with an expiry");
  expectSoon([&] { return user.add(shortLived, 1, soon).bytes == "1"; },
             "a counter that is added to does not expire",
             "only the add() that makes a counter gives it its expiry");
  for (const std::string &one : {key, full})
    expectStatus(user, user.erase(one), SKH_OK, "erase() of a counter");
}

void checkStateLimits(StateUser &user) {
  const std::string tooLarge(maxStateValueBytes + 1, 'v');
  for (const std::string &key : {std::string(), std::string(maxStateKeyBytes + 1, 'k')}) {
    const std::string what = " with a key or channel of " + std::to_string(key.size()) + " bytes";
    refuseOne(user, user.get(key).status, "get()" + what);
    refuseOne(user, user.put(key, "", stateLifetime), "put()" + what);
    refuseOne(user, user.compareAndSet(key, std::nullopt, "", stateLifetime),
              "compare_and_set()" + what);
    refuseOne(user, user.erase(key), "erase()" + what);
    refuseOne(user, user.add(key, 1, stateLifetime).status, "add()" + what);
    refuseOne(user, user.publish(key, ""), "publish()" + what);
    refuseOne(user, user.subscribe(key), "subscribe()" + what);
  }
  const std::string key = user.key("limits");
  refuseOne(user, user.put(key, tooLarge, stateLifetime), "put() of 1 MiB and a byte");
  refuseOne(user, user.compareAndSet(key, std::nullopt, tooLarge, stateLifetime),
            "compare_and_set() of 1 MiB and a byte");
  refuseOne(user, user.publish(key, tooLarge), "publish() of 1 MiB and a byte");
  expectValue(user, key, std::nullopt, "after a put() that was refused");
}

} // namespace skillhost::check
