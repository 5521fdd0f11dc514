// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/child_process.hpp"
#include "ground/readiness.hpp"

#include <linux/close_range.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

using namespace skillhost;

namespace {

constexpr std::chrono::seconds patience{20};

// Reads until the end of the output, which must come.
std::string readToEnd(const Descriptor &from) {
  std::string text;
  for (;;) {
    REQUIRE(awaitReadiness({from.number(), Direction::In}, -1, Deadline::after(patience)));
    std::array<char, 4096> part{};
    const ssize_t got = ::read(from.number(), part.data(), part.size());
    if (got <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

std::string readLine(const Descriptor &from) {
  std::string text;
  for (char byte = 0; ::read(from.number(), &byte, 1) == 1 && byte != '\n';) text += byte;
  return text;
}

// A shell whose output goes into this pipe.
struct Shell {
  explicit Shell(const std::string &script,
                 Program::Environment environment = Program::Environment::Ours)
      : pipe(*Pipe::open()),
        child(ChildProcess::start({{"sh", "-c", script}, {-1, pipe.write.number()}, environment})) {
    pipe.write.reset();
    REQUIRE(child);
  }
  Pipe pipe;
  Result<ChildProcess> child;
};

// Sets signals as a program that a shell script starts may find them.
struct Signals {
  Signals() {
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &some, &mask);
    pipe = std::signal(SIGPIPE, SIG_IGN);
    quit = std::signal(SIGQUIT, SIG_IGN);
  }
  ~Signals() {
    ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    std::signal(SIGPIPE, pipe);
    std::signal(SIGQUIT, quit);
  }
  Signals(const Signals &) = delete;
  Signals &operator=(const Signals &) = delete;
  sigset_t mask{};
  void (*pipe)(int) = nullptr;
  void (*quit)(int) = nullptr;
};

} // namespace

TEST_CASE("A program starts where it is told to, and elsewhere fails") {
  Result<Pipe> pipe = Pipe::open();
  Program program{{"sh", "-c", "pwd -P"}, {-1, pipe->write.number()}, Program::Environment::Ours};
  program.workingDirectory = "/proc";
  Result<ChildProcess> child = ChildProcess::start(program);
  pipe->write.reset();
  REQUIRE(child);
  CHECK(readToEnd(pipe->read) == "/proc\n");
  program.descriptors = {};
  program.workingDirectory = "/proc/nothing-here";
  const Result<ChildProcess> refused = ChildProcess::start(program);
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().fault == Fault::Unavailable);
  CHECK(refused.failure().message.find("/proc/nothing-here") != std::string::npos);
}

TEST_CASE("a program's end is told in words, as often as it is asked for") {
  Shell exits("exit 3");
  CHECK(howItEnded(exits.child->reap()) == "ended with exit code 3");
  CHECK(howItEnded(exits.child->reap()) == "ended with exit code 3");
  Shell dies("kill -9 $$");
  CHECK(howItEnded(dies.child->reap()) == "was ended by signal 9 (SIGKILL)");
  CHECK_FALSE(ChildProcess::start({{"no-such-program-here"}, {}, {}}));
  CHECK(ChildProcess::start({{"no-such-program-here"}, {}, {}}).failure().fault == Fault::NotFound);
  CHECK(ChildProcess::start({{"/dev/null"}, {}, {}}).failure().fault == Fault::Unavailable);
}

TEST_CASE("it has further variables in place of inherited ones") {
  Pipe out = *Pipe::open();
  Program program{{"sh", "-c", "echo \"$HOME,$OTHER,$PATH\" | head -c 20; env | grep -c ^HOME="},
                  {-1, out.write.number()},
                  Program::Environment::WithoutSecrets};
  program.variables = {"HOME=/nowhere", "OTHER=a=b", "PATH=/usr/bin:/bin"};
  Result<ChildProcess> child = ChildProcess::start(program);
  out.write.reset();
  REQUIRE(child);
  CHECK(readToEnd(out.read) == "/nowhere,a=b,/usr/bi1\n");
  CHECK(child->reap() == 0);
}

TEST_CASE("it has the descriptors that it is given, and no others") {
  // Closes on exec what the tests themselves inherited.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  const Pipe other = *Pipe::open();
  // The end that must become 4 may be 3 here, and the other way round.
  const Pipe lent = *Pipe::open();
  Pipe out = *Pipe::open();
  Result<ChildProcess> child = ChildProcess::start(
      {{"sh", "-c", "cat; echo to-four >&4; read line <&3; echo $line; ls /proc/$$/fd"},
       {-1, out.write.number(), 2, lent.read.number(), lent.write.number()},
       {}});
  out.write.reset();
  REQUIRE(child);
  CHECK(readToEnd(out.read) == "to-four\n0\n1\n2\n3\n4\n");
  CHECK(child->reap() == 0);
}

TEST_CASE("no signal is blocked or ignored") {
  const Signals signals;
  for (const std::string what : {"Blk", "Ign"}) {
    Shell shell("sed -n 's/^Sig" + what + ":[[:space:]]*//p' /proc/self/status");
    const std::string set = readToEnd(shell.pipe.read);
    CAPTURE(what, set);
    REQUIRE(set.size() == 17);
    // Signals 32 and 33 belong to the C library.
    CHECK((std::strtoull(set.c_str(), nullptr, 16) & 0x7FFF'FFFFU) == 0);
  }
}

TEST_CASE("secrets in the environment are kept from who is not to see them") {
  ::setenv("SOME_TOKEN", "secret", 1);
  const std::string script = "echo ${HOME:+home} $SOME_TOKEN";
  CHECK(readToEnd(Shell(script).pipe.read) == "home secret\n");
  CHECK(readToEnd(Shell(script, Program::Environment::WithoutSecrets).pipe.read) == "home\n");
  ::unsetenv("SOME_TOKEN");
}

TEST_CASE("a proxy is passed on without its user and password") {
  CHECK(withoutUser("http://user:hush@proxy.example:3128/") == "http://proxy.example:3128/");
  CHECK(withoutUser("http://user:h@u/sh@proxy.example") == "http://proxy.example");
  CHECK(withoutUser("user@proxy.example:1") == "proxy.example:1");
  CHECK(withoutUser("socks5h://proxy.example:1") == "socks5h://proxy.example:1");
  CHECK(withoutUser("").empty());
  for (const char *name : {"https_proxy", "ALL_PROXY"}) {
    ::setenv(name, "http://user:hush@proxy.example:3128", 1);
    const std::string script = std::string("echo $") + name;
    CHECK(readToEnd(Shell(script).pipe.read) == "http://user:hush@proxy.example:3128\n");
    CHECK(readToEnd(Shell(script, Program::Environment::WithoutSecrets).pipe.read) ==
          "http://proxy.example:3128\n");
    ::unsetenv(name);
  }
}

TEST_CASE("what it has started dies with it") {
  Shell leaves("sleep 1000 & echo $!");
  CHECK_FALSE(readLine(leaves.pipe.read).empty());
  CHECK(leaves.child->reap() == 0);
  CHECK(readToEnd(leaves.pipe.read).empty()); // nobody holds its output

  Pipe held = *Pipe::open();
  {
    const Shell abandoned("sleep 1000 & echo started; wait");
    CHECK(readLine(abandoned.pipe.read) == "started");
    held.read.reset(::dup(abandoned.pipe.read.number()));
  }
  CHECK(readToEnd(held.read).empty());
}

TEST_CASE("what it has started stays when it is to") {
  Shell leaves("sleep 1000 & echo $!");
  const pid_t left = std::atoi(readLine(leaves.pipe.read).c_str());
  REQUIRE(left > 0);
  CHECK(leaves.child->reap(ChildProcess::Group::Stays) == 0);
  CHECK(::kill(left, SIGKILL) == 0);
  CHECK(readToEnd(leaves.pipe.read).empty());
}

TEST_CASE("its end is waited for as long as one wants") {
  Shell waits(
      "exec 2>/dev/null; trap 'exit 5' TERM; echo ready; while :; do sleep 1000 & wait $!; done");
  CHECK(readLine(waits.pipe.read) == "ready");
  CHECK_FALSE(waits.child->endsWithin(std::chrono::milliseconds(1)));
  waits.child->terminate();
  CHECK(waits.child->endsWithin(patience));
  CHECK(howItEnded(waits.child->reap()) == "ended with exit code 5");
  waits.child->kill(); // kills nobody, because it was reaped
  CHECK(::waitpid(waits.child->number(), nullptr, WNOHANG) == -1);
}
