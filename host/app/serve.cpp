// SPDX-License-Identifier: Apache-2.0
#include "serve.hpp"

#include "base/log.hpp"
#include "base/orderly_end.hpp"
#include "features.hpp"
#include "host.hpp"
#include "net/stdio.hpp"
#include "rpc/long_message.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <stdexcept>

namespace skillhost::app {
namespace {

constexpr int pipeBytes = 256 << 10;

// Moves a standard descriptor to a number that no plugin's printf or scanf uses.
int moveAway(int descriptor) {
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (moved < 0)
    throw std::runtime_error(descriptor == 0 ? "standard input is closed"
                                             : "standard output is closed");
  return moved;
}

struct Streams {
  int input = moveAway(STDIN_FILENO), output = moveAway(STDOUT_FILENO);
  Streams() {
    // A pipe that holds a whole long answer spares the two processes many switches. If this is no
    // pipe or not allowed, nothing changes.
    ::fcntl(output, F_SETPIPE_SZ, pipeBytes);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
      ::dup2(nothing, STDIN_FILENO);
      ::close(nothing);
    }
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
};

// These are for the signal handlers.
std::atomic<StdioTransport *> running = nullptr;
std::atomic<Audit *> written = nullptr;

void stopServing(int) {
  if (StdioTransport *const transport = running) transport->stop();
}

void onHangUp(int) {
  if (Audit *const audit = written) audit->reopen();
}

// A hang-up ends the process, unless there are files that may have been moved away.
void reopenOnHangUp(Audit *audit) {
  written = audit;
  struct sigaction action{};
  action.sa_handler = audit != nullptr ? onHangUp : SIG_DFL;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGHUP, &action, nullptr);
}

void handleSignals(StdioTransport *transport) {
  running = transport;
  struct sigaction action{};
  action.sa_handler = transport != nullptr ? stopServing : SIG_DFL;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  // The server ends within a known time, and may still have to log an error.
  if (transport == nullptr) action.sa_handler = SIG_IGN;
  ::sigaction(SIGTERM, &action, nullptr);
}

// Returns true if the client sends something soon: it is then answered before plugins compete for
// the processors.
bool hearsSoon(int input) {
  constexpr int patienceMs = 50;
  pollfd watched{input, POLLIN, 0};
  return ::poll(&watched, 1, patienceMs) > 0;
}

} // namespace

int serve(const Configuration &configuration, const BuiltFeatures &built,
          const std::string &executable) {
  ::signal(SIGPIPE, SIG_IGN);
  // There are only a few arenas: the threads allocate little, and each arena costs resident memory.
  ::mallopt(M_ARENA_MAX, 2);
  const Streams streams;
  StdioTransport transport(streams.input, streams.output, configuration.limits.requestBytes);
  handleSignals(&transport);
  const HttpFeatures features = makeHttpFeatures(built.http, configuration, {});
  Host host(configuration, executable, built.host, Host::Role::Stdio,
            Features(built.observers, configuration));
  host.logUnknownNames();
  for (const auto &feature : features) feature->begin();
  host.logWithheld();
  log::info("server", "skillhost " SKILLHOST_VERSION " serving on standard input and output");
  host.access().audit().write({.kind = "started", .subject = "stdio"});
  const bool writesFiles = host.server().observers().anyWants(event::filesMoved);
  if (writesFiles) reopenOnHangUp(&host.access().audit());
  const auto session =
      host.server().open([&transport](Fragments message) { transport.send(std::move(message)); });
  const auto begin = [&] {
    host.begin([&transport](Host::StartResult result) {
      if (result == Host::StartResult::Failed) transport.stop();
    });
  };
  if (!hearsSoon(streams.input)) begin();
  LongMessage tooLong;
  const auto end = transport.run({[&](std::string_view line) { session->receive(line); },
                                  [&](std::string_view piece) { tooLong.add(piece); },
                                  [&](std::size_t limit) {
                                    session->refuseTooLong(limit, tooLong.id());
                                    tooLong = {};
                                  },
                                  begin});
  // A client that piped requests in and closed the pipe still receives the answers.
  const auto startup = std::chrono::milliseconds(configuration.startupWaitMs);
  if (end == StdioTransport::End::Input && host.isMade()) {
    session->waitUntilIdle(startup + patienceAtEnd);
    transport.finish(patienceAtEnd);
  }
  endWithin(patienceAtEnd);
  session->close();
  transport.finish(patienceAtEnd);
  host.access().audit().write({.kind = "stopped", .subject = "stdio"});
  handleSignals(nullptr);
  if (writesFiles) reopenOnHangUp(nullptr);
  if (host.hasFailed()) host.waitUntilMade(); // throws
  log::info("server", end == StdioTransport::End::Stopped ? "stopped" : "the client has gone");
  return 0;
}

} // namespace skillhost::app
