// SPDX-License-Identifier: Apache-2.0
// Tests of Authenticator: which credentials it asks once, what it remembers and for how long, and
// what it never remembers.
#include "scripted_provider.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

Fault faultOf(std::future<ScriptedProvider::Answer> answer) {
  const auto result = answer.get();
  REQUIRE(!result);
  return result.failure().fault;
}

bool known(std::future<ScriptedProvider::Answer> &answer) {
  return answer.wait_for(0s) == std::future_status::ready;
}

// The named pipe from which "block" reads a byte.
struct Pipe {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("skillhost-access-" + std::to_string(::getpid())))
          .string();
  Pipe() {
    ::unlink(path.c_str());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(descriptor >= 0);
  }
  ~Pipe() {
    ::close(descriptor);
    ::unlink(path.c_str());
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  // Releases the blocked call, or the next one that will block.
  void release() const { CHECK(::write(descriptor, "g", 1) == 1); }
  std::string token(const std::string &more) const {
    return R"({"tokens":{"slow":{"do":"block","fifo":")" + path + R"(",)" + more + "}}}";
  }

private:
  int descriptor = -1;
};

} // namespace

TEST_CASE("a token that is known is answered at once, on the thread that asks") {
  ScriptedProvider made(R"({"tokens":{"good":{"subject":"ada","scopes":["skills:read"],
                            "expires_in":3600}}})");
  const auto first = made.ask("good").get();
  REQUIRE(first);
  CHECK((*first)->subject == "ada");
  CHECK((*first)->has("skills:read"));
  CHECK(!(*first)->has("skills"));
  auto again = made.ask("good");
  REQUIRE(known(again));
  CHECK(*again.get() == *first);
  CHECK(made.validations() == 1);
}

TEST_CASE("an answer is kept for five minutes at most, and never up to its expiry") {
  struct Case {
    const char *answer;
    int kept; // seconds
  };
  for (const Case &one :
       {Case{R"("expires_in":36000)", 300}, Case{R"("expires_in":400)", 100},
        Case{R"("expires_in":36000,"cache_seconds":20)", 20}, Case{R"("expires_in":300)", 0},
        Case{R"("expires_in":60)", 0}, Case{R"("expires_in":36000,"cache_seconds":0)", 0},
        Case{R"("cache_seconds":300)", 0}}) {
    INFO(one.answer);
    ScriptedProvider made(std::string(R"({"tokens":{"t":{)") + one.answer + "}}}");
    REQUIRE(made.ask("t").get());
    if (one.kept > 0) {
      made.passed += one.kept - 2; // the clock from which expires_in counts goes on by itself
      REQUIRE(made.ask("t").get());
      CHECK(made.validations() == 1);
      made.passed += 2;
    }
    REQUIRE(made.ask("t").get());
    CHECK(made.validations() == 2);
  }
}

TEST_CASE("who the provider says has expired does not come in") {
  ScriptedProvider made(R"({"tokens":{"old":{"expires_in":-4},"now":{"expires_in":0},
                            "endless":{}}})");
  const auto refused = made.ask("old").get();
  REQUIRE(!refused);
  CHECK(refused.failure().fault == Fault::Unauthenticated);
  CHECK(refused.failure().message == "the access token has expired");
  CHECK(faultOf(made.ask("now")) == Fault::Unauthenticated);
  CHECK(made.ask("endless").get()); // 0: unknown
  CHECK(made.validations() == 3);
  CHECK(faultOf(made.ask("old")) == Fault::Unauthenticated);
  CHECK(made.validations() == 3);
}

TEST_CASE("a no is remembered for five seconds, an outage not at all") {
  ScriptedProvider made(R"({"tokens":{"down":{"do":"UNAVAILABLE"}}})");
  CHECK(faultOf(made.ask("bad")) == Fault::Unauthenticated);
  CHECK(faultOf(made.ask("bad")) == Fault::Unauthenticated);
  CHECK(made.validations() == 1);
  made.passed += 5;
  CHECK(faultOf(made.ask("bad")) == Fault::Unauthenticated);
  CHECK(made.validations() == 2);
  CHECK(faultOf(made.ask("down")) == Fault::Unavailable);
  CHECK(faultOf(made.ask("down")) == Fault::Unavailable);
  CHECK(made.validations() == 4);
}

TEST_CASE("a hundred first uses of one token cause one validation") {
  const Pipe pipe;
  ScriptedProvider made(pipe.token(R"("expires_in":3600)"));
  std::vector<std::future<ScriptedProvider::Answer>> answers(100);
  std::vector<std::thread> threads;
  for (auto &answer : answers)
    threads.emplace_back([&made, &answer] { answer = made.ask("slow"); });
  for (std::thread &thread : threads) thread.join();
  pipe.release();
  for (auto &answer : answers) CHECK(answer.get());
  CHECK(made.validations() == 1);
}

TEST_CASE("who gives up waiting costs the others nothing") {
  const Pipe pipe;
  ScriptedProvider made(pipe.token(R"("expires_in":3600)"));
  const CancelToken cancel;
  auto first = made.ask("slow", cancel);
  auto second = made.ask("slow");
  cancel.cancel();
  pipe.release();
  CHECK(faultOf(std::move(first)) == Fault::Cancelled);
  CHECK(second.get());
  auto again = made.ask("slow");
  CHECK(known(again));
}

TEST_CASE("who asks about too many tokens at once keeps nobody else out") {
  const Pipe pipe;
  AuthenticatorRules rules;
  rules.maxPerPeer = 1;
  ScriptedProvider made(R"({"tokens":{"good":{"expires_in":3600},"slow":{"do":"block","fifo":")" +
                            pipe.path + R"(","expires_in":3600}}})",
                        rules);
  auto first = made.ask("slow", {}, "127.0.0.1:1");
  auto sharing = made.ask("slow", {}, "127.0.0.1:2");
  const auto refused = made.ask("junk", {}, "127.0.0.1:3").get();
  REQUIRE(!refused);
  CHECK(refused.failure().fault == Fault::Unavailable);
  CHECK(refused.failure().message == "too many tokens are being checked: try again");
  auto elsewhere = made.ask("good", {}, "[::1]:1");
  auto local = made.ask("good", {}, "unix:uid=1000");
  pipe.release();
  CHECK(first.get());
  CHECK(sharing.get());
  CHECK(elsewhere.get());
  CHECK(local.get());
  CHECK(faultOf(made.ask("junk", {}, "127.0.0.1:3")) == Fault::Unauthenticated);
}

TEST_CASE("what is revoked is asked for anew, even while it is being asked") {
  const Pipe pipe;
  ScriptedProvider made(pipe.token(R"("expires_in":3600)"));
  auto before = made.ask("slow");
  made.authenticator->clear();
  auto after = made.ask("slow"); // does not share the answer of the earlier question
  pipe.release();
  pipe.release();
  CHECK(before.get());
  CHECK(after.get());
  CHECK(made.validations() == 2);
  made.authenticator->clear();
  auto again = made.ask("slow");
  CHECK(!known(again));
  pipe.release();
  CHECK(again.get());
  CHECK(made.validations() == 3);
}

TEST_CASE("a token for one resource, scheme or peer is none for another") {
  ScriptedProvider made(R"({"resource":"https://skills.example/mcp",
                            "tokens":{"t":{"expires_in":3600}}})");
  REQUIRE(made.ask("t").get());
  const auto ask = [&](const Credential &credential) {
    std::promise<ScriptedProvider::Answer> answered;
    made.authenticator->authenticate(credential, {}, [&](const ScriptedProvider::Answer &answer) {
      answered.set_value(answer);
    });
    return answered.get_future().get();
  };
  CHECK(!ask({"bearer", "t", "https://other.example/mcp", "127.0.0.1:1"}));
  CHECK(ask({"bearer", "t", "https://skills.example/mcp", "127.0.0.1:2"}));
  CHECK(made.validations() == 2);
  CHECK(ask({"mtls", "t", "https://skills.example/mcp", "127.0.0.1:1"}));
  CHECK(ask({"mtls", "t", "https://skills.example/mcp", "127.0.0.1:2"}));
  CHECK(made.validations() == 4);
}

TEST_CASE("a token of more than 16 KiB is refused unseen") {
  ScriptedProvider made("{}");
  CHECK(faultOf(made.ask(std::string((16U << 10U) + 1, 'x'))) == Fault::Unauthenticated);
  CHECK(made.validations() == 0);
  CHECK(faultOf(made.ask(std::string(16U << 10U, 'x'))) == Fault::Unauthenticated);
  CHECK(made.validations() == 1);
}

TEST_CASE("no number of bad tokens pushes out a good one, and the good ones are bounded") {
  AuthenticatorRules rules;
  rules.maxAccepted = 2;
  rules.maxRejected = 2;
  ScriptedProvider made(R"({"tokens":{"a":{"expires_in":3600},"b":{"expires_in":3600},
                            "c":{"expires_in":3600}}})",
                        rules);
  REQUIRE(made.ask("a").get());
  for (int i = 0; i < 5; ++i) CHECK(!made.ask("bad" + std::to_string(i)).get());
  REQUIRE(made.ask("a").get());
  CHECK(made.validations() == 6);
  REQUIRE(made.ask("b").get());
  REQUIRE(made.ask("a").get()); // b is now the entry unused for the longest time
  REQUIRE(made.ask("c").get());
  REQUIRE(made.ask("a").get());
  CHECK(made.validations() == 8);
  REQUIRE(made.ask("b").get());
  CHECK(made.validations() == 9);
}

TEST_CASE("a provider that hangs is a refusal at the deadline") {
  AuthenticatorRules rules;
  rules.deadline = 50ms;
  ScriptedProvider made(R"({"tokens":{"t":{"do":"await_cancel"}}})", rules);
  CHECK(faultOf(made.ask("t")) == Fault::Unavailable);
}
