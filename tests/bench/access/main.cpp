// SPDX-License-Identifier: Apache-2.0
// Measures the cost of a known token in a call: its digest, the look-up, the callback. Uses tokens
// of 64 to 4,096 bytes among 10,000 others.
#include "../usage.hpp"
#include "access/authenticator.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

using namespace skillhost;

namespace {

// Accepts every token at once.
class Generous final : public AuthProvider {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void check(CallOptions, ResultCallback<Done> answer) override { answer(Done{}); }
  void validate(CallOptions, AuthCredential, ResultCallback<AuthPrincipal> answer) override {
    answer(AuthPrincipal{"somebody", "bench", {"skills:read"}, {}, INT64_MAX, 300});
  }
  void describe(CallOptions, std::size_t, ResultCallback<std::string> answer) override {
    answer(std::string("{}"));
  }

private:
  const std::string name_ = "generous";
};

} // namespace

int main(int count, char **words) {
  constexpr const char *usage = "usage: bench-access\n";
  if (const auto ended = bench::endedByOption(count, words, usage)) return *ended;
  if (count > 1) return bench::refuse("there is nothing to name", usage);
  using Clock = std::chrono::steady_clock;
  constexpr int others = 9'990, uses = 200'000;
  Authenticator authenticator(std::make_shared<Generous>());
  std::size_t known = 0;
  const Authenticator::Callback counted = [&known](const Result<PrincipalPointer> &principal) {
    known += principal ? 1U : 0U;
  };
  const auto use = [&](const std::string &token) {
    authenticator.authenticate({"bearer", token, "https://skills.example/mcp", "127.0.0.1:1"}, {},
                               counted);
  };
  for (int i = 0; i < others; ++i) use("other-" + std::to_string(i));
  for (const std::size_t size : {std::size_t{64}, std::size_t{1024}, std::size_t{4096}}) {
    const std::string token(size, 'x');
    use(token);
    const auto begin = Clock::now();
    for (int i = 0; i < uses; ++i) use(token);
    const std::chrono::duration<double, std::micro> span = Clock::now() - begin;
    std::printf("token of %4zu bytes: %.2f microseconds a use\n", size, span.count() / uses);
  }
  return known == others + 3U * (uses + 1U) ? 0 : 1;
}
