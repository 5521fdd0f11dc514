// SPDX-License-Identifier: Apache-2.0
// Runs the plugin valkey without a server around it. Each line of JSON is a call, and another line
// is its answer.
//    skillhost-valkey-driver CONFIGURATION
//    {"id":1,"op":"get","key":HEX,"expiry":0,"deadline":1000} →
//    {"id":1,"status":0,"value":HEX,"ms":1}
// Calls run at once, each on a thread of its own. "bench" runs that many in a row on one thread.
#include "state.hpp"

#include <ctime>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using skillhost::valkey::ValkeyState;

std::mutex outMutex;

void say(const Json &line) {
  const std::scoped_lock lock(outMutex);
  std::cout << line.dump() << '\n' << std::flush;
}

std::string fromHex(const std::string &text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string toHex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    (text += digits[byte >> 4U]) += digits[byte & 15U];
  }
  return text;
}

// The smallest possible host.
struct HostSide : skh_host {
  explicit HostSide(std::string configuration) : text(std::move(configuration)) {
    static_cast<skh_host &>(*this) = {};
    skh_host::size = sizeof(skh_host);
    abi_minor = SKH_ABI_MINOR;
    name = skh::borrow("driver");
    skh_host::version = skh::borrow("1");
    instance = skh::borrow("test");
    config = skh::borrow(text);
    skh_host::log = [](const skh_host *, int32_t level, skh_str message) noexcept {
      say({{"log", level}, {"text", std::string(skh::view(message))}});
    };
    metric = [](const skh_host *, int32_t, skh_str what, double value) noexcept {
      say({{"metric", std::string(skh::view(what))}, {"value", value}});
    };
    changed = [](const skh_host *) noexcept {};
    extension = [](const skh_host *, const char *) noexcept -> const void * { return nullptr; };
  }
  std::string text;
};

struct CallSide : skh_call {
  CallSide(std::chrono::milliseconds deadline, std::chrono::milliseconds cancelAfter)
      : cancelAt(Clock::now() + cancelAfter) {
    static_cast<skh_call &>(*this) = {};
    skh_call::size = sizeof(skh_call);
    deadline_ns = (Clock::now() + deadline).time_since_epoch() / std::chrono::nanoseconds{1};
    cancelled = [](const skh_call *call) noexcept -> int32_t {
      return Clock::now() >= static_cast<const CallSide *>(call)->cancelAt ? 1 : 0;
    };
    progress = [](const skh_call *, uint64_t, uint64_t, skh_str) noexcept {};
    skh_call::fail = [](const skh_call *call, skh_str message) noexcept {
      static_cast<const CallSide *>(call)->why = skh::view(message);
    };
  }
  Clock::time_point cancelAt;
  mutable std::string why;
};

struct BytesSide : skh_bytes {
  BytesSide() : skh_bytes{sizeof(skh_bytes), 0, &take} {}
  static skh_status take(const skh_bytes *out, const void *data, size_t size) noexcept {
    static_cast<const BytesSide *>(out)->text.append(static_cast<const char *>(data), size);
    return SKH_OK;
  }
  mutable std::string text;
};

struct MessagesSide : skh_messages {
  explicit MessagesSide(std::size_t room)
      : skh_messages{sizeof(skh_messages), 0, &take}, most(room) {}
  static skh_status take(const skh_messages *out, const skh_message *message) noexcept {
    const auto *self = static_cast<const MessagesSide *>(out);
    if (self->all.size() >= self->most) return SKH_CANCELLED;
    self->all.push_back({{"channel", toHex(skh::view(message->channel))},
                         {"payload", toHex(skh::view(message->payload))},
                         {"lost", (message->flags & SKH_MESSAGES_LOST) != 0}});
    return SKH_OK;
  }
  std::size_t most;
  mutable Json all = Json::array();
};

// Calls the plugin through the host's table of functions, so that the statuses are those of the
// host.
skh_status carryOut(void *self, const Json &line, const CallSide &call, Json &answer) {
  using Table = skh::StateOps<ValkeyState>;
  const std::string op = line.at("op"), key = fromHex(line.value("key", "")),
                    value = fromHex(line.value("value", ""));
  const std::uint64_t expiry = line.value("expiry", 0U);
  const std::string expectedText = fromHex(line.value("expected", ""));
  const skh_str expected = skh::borrow(expectedText);
  const skh_str *const wanted = line.contains("expected") ? &expected : nullptr;
  const BytesSide bytes;
  skh_status status = SKH_UNSUPPORTED;
  if (op == "check") status = Table::check(self, &call);
  if (op == "get") {
    status = Table::get(self, &call, skh::borrow(key), expiry, &bytes);
    answer["value"] = toHex(bytes.text);
  }
  if (op == "put") status = Table::put(self, &call, skh::borrow(key), skh::borrow(value), expiry);
  if (op == "cas")
    status =
        Table::compareAndSet(self, &call, skh::borrow(key), wanted, skh::borrow(value), expiry);
  if (op == "erase") status = Table::erase(self, &call, skh::borrow(key), wanted);
  if (op == "add") {
    status = Table::add(self, &call, skh::borrow(key), line.at("delta"), expiry, &bytes);
    answer["sum"] = bytes.text;
  }
  if (op == "publish") status = Table::publish(self, &call, skh::borrow(key), skh::borrow(value));
  if (op == "subscribe") status = Table::subscribe(self, &call, skh::borrow(key));
  if (op == "unsubscribe") status = Table::unsubscribe(self, &call, skh::borrow(key));
  if (op == "receive") {
    const MessagesSide messages(line.value("room", std::size_t{1} << 20U));
    status = Table::receive(self, &call, &messages);
    answer["messages"] = messages.all;
  }
  return status;
}

double processorSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void serve(void *self, const Json &line) {
  const std::chrono::milliseconds deadline{line.value("deadline", 5'000)},
      cancelAfter{line.value("cancel", 3'600'000)};
  Json answer{{"id", line.at("id")}};
  const auto begin = Clock::now();
  const double cpu = processorSeconds();
  skh_status status = SKH_OK;
  std::string why;
  for (int left = line.value("bench", 1); left > 0 && status == SKH_OK; --left) {
    const CallSide call(deadline, cancelAfter);
    status = carryOut(self, line, call, answer);
    why = call.why;
  }
  answer["status"] = status;
  answer["why"] = why;
  answer["us"] = (Clock::now() - begin) / std::chrono::microseconds{1};
  answer["cpu_us"] = (processorSeconds() - cpu) * 1e6;
  say(answer);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " CONFIGURATION\n";
    return 2;
  }
  const HostSide host(argv[1]);
  const CallSide call(std::chrono::seconds{5}, std::chrono::hours{1});
  void *self = nullptr;
  const skh_status status = skh::create<ValkeyState>(&host, &call, &self);
  say({{"created", status}, {"why", call.why}});
  if (status != SKH_OK) return 1;
  std::vector<std::thread> threads;
  for (std::string line; std::getline(std::cin, line);)
    threads.emplace_back([self, line] { serve(self, Json::parse(line)); });
  for (std::thread &thread : threads) thread.join();
  skh::destroy<ValkeyState>(self);
}
