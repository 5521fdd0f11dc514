// SPDX-License-Identifier: Apache-2.0
// Tests the channel to a program: what it passes on, and what a program cannot do to us.
#include "catch2.hpp"
#include "mcp_client/program_channel.hpp"

#include <sys/eventfd.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

constexpr std::chrono::milliseconds soon{50}, atLast{20'000};

struct Started {
  explicit Started(const std::string &script, int stop = -1) {
    std::signal(SIGPIPE, SIG_IGN);
    ServerProgram server{{{"sh", "-c", script}, {}},
                         [](const std::string &) {},
                         [this](std::string_view line) { errors.emplace_back(line); },
                         [this](std::size_t count) {
                           bytes += count;
                           if (bytes > mostBytes) throw std::runtime_error("too many bytes");
                         }};
    Result<std::unique_ptr<ProgramChannel>> result = ProgramChannel::start(std::move(server), stop);
    REQUIRE(result);
    channel = *std::move(result);
  }
  Result<std::string> receive(std::chrono::milliseconds patience = atLast) {
    return channel->receive(Deadline::after(patience));
  }

  std::vector<std::string> errors;
  std::size_t bytes = 0, mostBytes = std::size_t{1} << 30U;
  std::unique_ptr<ProgramChannel> channel;
};

std::string textOf(const Result<std::string> &line) {
  return line ? *line : line.failure().message;
}

} // namespace

TEST_CASE("lines go to the program and come back") {
  Started echo("echo started >&2; cat");
  REQUIRE(echo.channel->send("one", Deadline::never()));
  REQUIRE(echo.channel->send("two", Deadline::never()));
  CHECK(textOf(echo.receive()) == "one");
  CHECK(textOf(echo.receive()) == "two");
  CHECK(echo.receive(soon).failure().fault == Fault::ToolTimeout);
  CHECK(echo.errors == std::vector<std::string>{"started"});
}

TEST_CASE("the program may write before it reads, however much that is") {
  Started eager("head -c 2000000 /dev/zero | tr '\\0' x; echo; cat");
  const std::string large(900'000, 'y');
  REQUIRE(eager.channel->send(large, Deadline::never()));
  CHECK(textOf(eager.receive()).size() == 2'000'000);
  CHECK(textOf(eager.receive()) == large);
}

TEST_CASE("a program that cannot be started or ends is named with the reason") {
  const auto missing =
      ProgramChannel::start({{{"/no/such/program"}, {}}, [](const std::string &) {}}, -1);
  REQUIRE_FALSE(missing);
  CHECK(missing.failure().fault == Fault::NotFound);
  CHECK(missing.failure().message.starts_with("/no/such/program cannot be started"));
  Started ending("printf 'half a line'; printf 'first\\nlast words' >&2; exit 3");
  const Result<std::string> ended = ending.receive();
  REQUIRE_FALSE(ended);
  CHECK(ended.failure().fault == Fault::Unavailable);
  CHECK(ended.failure().message == "sh ended with exit code 3");
  CHECK(ending.errors == std::vector<std::string>{"first", "last words"});
  CHECK(ending.channel->send("x", Deadline::never()).failure().fault == Fault::Unavailable);
  Started closing("exec >&-; sleep 60");
  CHECK(textOf(closing.receive()) == "sh closed its output");
}

TEST_CASE("a line that is too long is skipped, and the next one is read") {
  Started wordy("echo 12345678901; head -c 300000 /dev/zero | tr '\\0' x; echo; echo ok");
  wordy.channel->limitLines(10);
  CHECK(textOf(wordy.receive()) == "sh: a line is longer than 10 bytes");
  CHECK(wordy.receive().failure().fault == Fault::TooLarge);
  CHECK(textOf(wordy.receive()) == "ok");
}

TEST_CASE("an endless line ends by the limit of bytes") {
  for (const char *where : {"1", "2"}) {
    Started endless("tr '\\0' x </dev/zero >&" + std::string(where));
    endless.mostBytes = 5'000'000;
    endless.channel->limitLines(1'000);
    const auto readAll = [&] {
      for (;;)
        if (const auto line = endless.receive(); !line && line.failure().fault != Fault::TooLarge)
          return;
    };
    CHECK_THROWS_WITH(readAll(), "too many bytes");
    for (const std::string &line : endless.errors) CHECK(line.size() <= 1'000);
  }
}

TEST_CASE("a program that does not read is given up when a mebibyte waits for it") {
  Started deaf("sleep 60");
  const std::string message(100'000, 'x');
  int sent = 0;
  while (sent < 100 && deaf.channel->send(message, Deadline::never())) ++sent;
  CHECK((sent > 9 && sent < 20));
  CHECK(deaf.channel->send(message, Deadline::never()).failure().message ==
        "sh does not read what it is sent");
}

TEST_CASE("waiting ends when we have to stop") {
  const Descriptor stop(::eventfd(0, EFD_CLOEXEC));
  const Descriptor other(::eventfd(0, EFD_CLOEXEC));
  Started silent("sleep 60", stop.number());
  ::eventfd_write(other.number(), 1);
  CHECK(silent.channel->receive(Deadline::never(), other.number()).failure().fault ==
        Fault::Cancelled);
  ::eventfd_write(stop.number(), 1);
  CHECK(silent.receive().failure().fault == Fault::Cancelled);
}
