// SPDX-License-Identifier: Apache-2.0
// A state plugin that shares its values among the instances of one process, and misbehaves where
// its configuration says so. README.md beside this file lists the keys.
#include "../status_names.hpp"

#include <skillhost/config.hpp>
#include <skillhost/state.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;
using Span = skh::State::Span;

constexpr std::size_t maxKeyBytes = 512, maxValueBytes = 1U << 20U;
constexpr std::size_t maxWaiting = 4096, maxWaitingBytes = 16U << 20U, maxAtOnce = 1024;
constexpr std::chrono::milliseconds slice{10}; // between two checks of a call's cancelled()
constexpr std::chrono::milliseconds deafness{1'000};

struct Letter {
  std::string channel, payload;
};

// The messages that have arrived for one instance. Any thread may call it.
class Mailbox {
public:
  void open(std::string_view channel) {
    const std::scoped_lock lock(mutex_);
    channels_.emplace(channel);
  }
  bool close(std::string_view channel) {
    const std::scoped_lock lock(mutex_);
    return channels_.erase(std::string(channel)) != 0;
  }
  void put(std::string_view channel, std::string_view payload) {
    const std::scoped_lock lock(mutex_);
    if (channels_.find(channel) == channels_.end()) return;
    waiting_.push_back({std::string(channel), std::string(payload)});
    bytes_ += payload.size();
    while (waiting_.size() > maxWaiting || bytes_ > maxWaitingBytes) {
      bytes_ -= waiting_.front().payload.size();
      waiting_.pop_front();
      isLost_ = true;
    }
    came_.notify_all();
  }
  // Returns the messages that arrive until `until`, or until a cancellation, which has an effect
  // only from `heeds` on. `isLost` becomes true if earlier messages were dropped.
  std::deque<Letter> take(const skh::Call &call, Clock::time_point until, Clock::time_point heeds,
                          bool &isLost) {
    std::unique_lock lock(mutex_);
    for (Clock::time_point now = Clock::now(); waiting_.empty() && now < until;
         now = Clock::now()) {
      if (now >= heeds && call.cancelled()) break;
      came_.wait_until(lock, std::min(until, now + slice));
    }
    std::deque<Letter> taken;
    for (; !waiting_.empty() && taken.size() < maxAtOnce; waiting_.pop_front()) {
      bytes_ -= waiting_.front().payload.size();
      taken.push_back(std::move(waiting_.front()));
    }
    isLost = !taken.empty() && std::exchange(isLost_, false);
    return taken;
  }

private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::set<std::string, std::less<>> channels_;
  std::deque<Letter> waiting_;
  std::size_t bytes_ = 0;
  bool isLost_ = false;
};

// The values and mailboxes that instances share. Any thread may call it.
class Engine {
public:
  static std::shared_ptr<Engine> of(const std::string &name) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<Engine>> all;
    const std::scoped_lock lock(mutex);
    std::shared_ptr<Engine> engine = all[name].lock();
    if (!engine) all[name] = engine = std::make_shared<Engine>();
    return engine;
  }

  std::optional<std::string> get(std::string_view key, Span expiry) {
    const std::scoped_lock lock(mutex_);
    Entry *const entry = find(key);
    if (entry == nullptr) return std::nullopt;
    if (expiry > Span::zero()) entry->until = after(expiry);
    return entry->value;
  }
  void put(std::string_view key, std::string_view value, Span expiry) {
    const std::scoped_lock lock(mutex_);
    entries_[std::string(key)] = {std::string(value), after(expiry)};
  }
  bool compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                     std::string_view value, Span expiry) {
    const std::scoped_lock lock(mutex_);
    const Entry *const entry = find(key);
    if (expected ? entry == nullptr || entry->value != *expected : entry != nullptr) return false;
    entries_[std::string(key)] = {std::string(value), after(expiry)};
    return true;
  }
  skh::State::Erased erase(std::string_view key, std::optional<std::string_view> expected) {
    using Erased = skh::State::Erased;
    const std::scoped_lock lock(mutex_);
    const Entry *const entry = find(key);
    if (entry == nullptr) return Erased::Absent;
    if (expected && entry->value != *expected) return Erased::Other;
    entries_.erase(entries_.find(key));
    return Erased::Yes;
  }
  std::int64_t add(std::string_view key, std::int64_t delta, Span expiry) {
    const std::scoped_lock lock(mutex_);
    Entry *const entry = find(key);
    std::int64_t sum = 0;
    if (entry != nullptr) {
      const std::string &text = entry->value;
      const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), sum);
      if (fault != std::errc() || end != text.data() + text.size())
        throw skh::Error(SKH_CORRUPT, "what is there is no counter");
    }
    if (__builtin_add_overflow(sum, delta, &sum))
      throw skh::Error(SKH_INVALID, "the sum does not fit into 64 bits");
    if (entry != nullptr)
      entry->value = std::to_string(sum);
    else
      entries_[std::string(key)] = {std::to_string(sum), after(expiry)};
    return sum;
  }

  void join(const std::shared_ptr<Mailbox> &mailbox) {
    const std::scoped_lock lock(mutex_);
    mailboxes_.insert(mailbox);
  }
  void leave(const std::shared_ptr<Mailbox> &mailbox) {
    const std::scoped_lock lock(mutex_);
    mailboxes_.erase(mailbox);
  }
  // The lock gives all subscribers the same order.
  void publish(std::string_view channel, std::string_view payload) {
    const std::scoped_lock lock(mutex_);
    for (const auto &mailbox : mailboxes_) mailbox->put(channel, payload);
  }

private:
  struct Entry {
    std::string value;
    Clock::time_point until; // max(): without expiry
  };
  static Clock::time_point after(Span expiry) {
    const Clock::time_point now = Clock::now();
    const bool isForGood = expiry == Span::zero() || expiry > Clock::time_point::max() - now;
    return isForGood ? Clock::time_point::max() : now + expiry;
  }
  // Returns null when there is no entry, or when it has expired.
  Entry *find(std::string_view key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    if (found->second.until > Clock::now()) return &found->second;
    entries_.erase(found);
    return nullptr;
  }

  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::set<std::shared_ptr<Mailbox>> mailboxes_;
};

void awaitCancel(const skh::Call &call) {
  std::mutex mutex;
  std::condition_variable never;
  for (std::unique_lock lock(mutex);; never.wait_for(lock, slice)) call.point();
}

// Takes one byte from the pipe; the next byte belongs to the next blocked call.
void block(const std::string &fifo) {
  const int pipe = ::open(fifo.c_str(), O_RDONLY | O_CLOEXEC);
  char released = 0;
  [[maybe_unused]] const ssize_t came = ::read(pipe, &released, 1);
  ::close(pipe);
}

class Sharing final : public skh::State {
public:
  Sharing(skh::Host host, const skh::Call & /*call*/)
      : host_(host), config_(host), engine_(Engine::of(config_.text("engine", ""))) {
    engine_->join(mailbox_);
  }
  ~Sharing() override { engine_->leave(mailbox_); }
  Sharing(const Sharing &) = delete;
  Sharing &operator=(const Sharing &) = delete;

  void check(const skh::Call &call) override { begin("check", call); }

  std::optional<std::string> get(const skh::Call &call, std::string_view key,
                                 Span expiry) override {
    const std::string wrong = begin("get", call);
    checkKey(key);
    if (wrong == "too_large") return std::string(maxValueBytes + 1, 'x');
    return engine_->get(key, expiry);
  }
  void put(const skh::Call &call, std::string_view key, std::string_view value,
           Span expiry) override {
    const std::string wrong = begin("put", call);
    checkKey(key);
    checkValue(value);
    if (wrong != "nothing") engine_->put(key, value, wrong == "for_good" ? Span::zero() : expiry);
  }
  bool compareAndSet(const skh::Call &call, std::string_view key,
                     std::optional<std::string_view> expected, std::string_view value,
                     Span expiry) override {
    const std::string wrong = begin("compare_and_set", call);
    checkKey(key);
    checkValue(value);
    if (wrong == "nothing") return true;
    return engine_->compareAndSet(key, expected, value, expiry);
  }
  Erased erase(const skh::Call &call, std::string_view key,
               std::optional<std::string_view> expected) override {
    const std::string wrong = begin("erase", call);
    checkKey(key);
    if (wrong == "nothing") return Erased::Yes;
    return engine_->erase(key, expected);
  }
  std::int64_t add(const skh::Call &call, std::string_view key, std::int64_t delta,
                   Span expiry) override {
    const std::string wrong = begin("add", call);
    checkKey(key);
    return engine_->add(key, delta, wrong == "for_good" ? Span::zero() : expiry);
  }
  // Returns the sum as a text, which need not be a number.
  std::string addWritten(const skh::Call &call, std::string_view key, std::int64_t delta,
                         Span expiry) {
    const std::string wrong = fault("add").value("do", "");
    if (wrong == "garbage") return "much";
    if (wrong == "overflow") return std::string(21, '9');
    return std::to_string(add(call, key, delta, expiry));
  }
  void publish(const skh::Call &call, std::string_view channel, std::string_view payload) override {
    const std::string wrong = begin("publish", call);
    checkKey(channel);
    checkValue(payload);
    if (wrong != "nothing") engine_->publish(channel, payload);
    if (wrong == "twice") engine_->publish(channel, payload);
  }
  void subscribe(const skh::Call &call, std::string_view channel) override {
    checkKey(channel);
    mailbox_->open(channel);
    begin("subscribe", call);
  }
  bool unsubscribe(const skh::Call &call, std::string_view channel) override {
    const std::string wrong = begin("unsubscribe", call);
    checkKey(channel);
    return wrong == "nothing" || mailbox_->close(channel);
  }
  void receive(const skh::Call &call, const skh::StateMessages &out) override {
    const std::string wrong = begin("receive", call);
    if (wrong == "too_large") return out.add({"channel", std::string(maxValueBytes + 1, 'x')});
    if (wrong == "garbage") return out.add({"", "whose?"});
    for (std::size_t i = 0; wrong == "flood" && i <= maxAtOnce; ++i)
      out.add({"channel", std::to_string(i)});
    if (wrong == "flood") return;
    if (wrong == "lost") return out.add({"", "", true});
    bool isLost = false;
    const Clock::time_point begun = Clock::now();
    const Clock::time_point until = wrong == "early" ? begun : call.deadline();
    const Clock::time_point heeds = wrong == "deaf" ? begun + deafness : begun;
    for (const Letter &letter : mailbox_->take(call, until, heeds, isLost))
      out.add({letter.channel, letter.payload, std::exchange(isLost, false)});
    if (wrong == "late" && Clock::now() >= call.deadline())
      throw skh::Error(SKH_DEADLINE, "nothing has come");
  }

private:
  json fault(const std::string &function) const {
    json script = config_.json();
    if (config_.has("file")) {
      std::ifstream file(config_.text("file"), std::ios::binary);
      script = json::parse(std::string{std::istreambuf_iterator<char>(file), {}}, nullptr, false);
      if (!script.is_object()) return json::object();
    }
    const json faults = script.value("faults", json::object());
    const json every =
        function == "receive" ? json::object() : faults.value("every", json::object());
    return faults.value(function, every);
  }

  // Counts the call and carries out the faults that all functions have in common. Returns the fault
  // that remains for the function.
  std::string begin(const std::string &function, const skh::Call &call) {
    host_.count("sharing." + function);
    const json how = fault(function);
    const std::string action = how.value("do", "");
    const std::string message = how.value("message", "scripted failure");
    if (action == "abort") std::abort();
    if (action == "throw") throw std::runtime_error(message);
    if (action == "await_cancel") awaitCancel(call);
    if (action == "block") block(how.value("fifo", ""));
    if (const std::optional<skh_status> status = statusNamed(action))
      throw skh::Error(*status, message);
    return action;
  }

  static void checkKey(std::string_view key) {
    if (key.empty() || key.size() > maxKeyBytes)
      throw skh::Error(SKH_INVALID, "a key or channel has 1 to 512 bytes");
  }
  static void checkValue(std::string_view value) {
    if (value.size() > maxValueBytes)
      throw skh::Error(SKH_TOO_LARGE, "a value or payload has at most 1 MiB");
  }

  skh::Host host_;
  const skh::Config config_;
  const std::shared_ptr<Engine> engine_;
  const std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
};

// This table is written by hand, because the wrapper of state.hpp writes nothing except numbers.
skh_status add(void *self, const skh_call *call, skh_str key, std::int64_t delta,
               std::uint64_t expiry, const skh_bytes *out) noexcept {
  return skh::guard(call, [&] {
    skh::Bytes{out}.write(static_cast<Sharing *>(self)->addWritten(
        skh::Call{call}, skh::view(key), delta, skh::StateOps<Sharing>::span(expiry)));
  });
}

constexpr skh_state operations = [] {
  skh_state table = skh::StateOps<Sharing>::table;
  table.add = &add;
  return table;
}();

} // namespace

SKH_PLUGIN(skh::describe<Sharing>(SKH_STATE_KIND, &operations, "test.sharing", "1.0.0",
                                  "State in memory, as the test says", R"({"type": "object"})", 0,
                                  "Apache-2.0"));
