// SPDX-License-Identifier: Apache-2.0
// A crash or a hang fails one call, in time, and a new process answers the next call.
#include "catch2.hpp"
#include "ground/descriptor.hpp"
#include "processes.hpp"
#include "running.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

using namespace skillhost;
using namespace running;
using std::chrono::milliseconds;

namespace {

Document only(Running &source) {
  const Result<Snapshot> snapshot = list(source);
  REQUIRE(snapshot);
  REQUIRE(snapshot->documents.size() == 1);
  return snapshot->documents[0];
}

Json script(const Json &misdeed) {
  return {{"documents", {document("a", "text")}}, {"read", misdeed}};
}

// A named pipe that a plugin reads until a writer has opened and closed it.
class NamedPipe {
public:
  NamedPipe()
      : path_((std::filesystem::temp_directory_path() /
               ("skillhost-pipe-" + std::to_string(::getpid())))
                  .string()) {
    ::unlink(path_.c_str());
    if (::mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
  }
  ~NamedPipe() { ::unlink(path_.c_str()); }
  NamedPipe(const NamedPipe &) = delete;
  NamedPipe &operator=(const NamedPipe &) = delete;
  const std::string &path() const { return path_; }
  // Waits until a reader has opened the pipe.
  Descriptor write() const { return Descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)); }

private:
  std::string path_;
};

} // namespace

TEST_CASE("a plugin that crashes in mid-call fails that call, and works again") {
  Running source = start(scripted, script({{"do", "abort"}}));
  const Document which = only(source);
  for (int i = 0; i < 3; ++i) {
    const Result<std::string> answer = read(source, which);
    REQUIRE_FALSE(answer);
    CHECK(answer.failure().fault == Fault::Unavailable);
    CHECK(list(source));
  }
}

TEST_CASE("a call that lost its process is asked again") {
  const NamedPipe pipe;
  Running source = start(scripted, script({{"do", "block"}, {"fifo", pipe.path()}}));
  const Document which = only(source);
  std::promise<Result<std::string>> promise;
  source.source->read({}, which, 100, [&](Result<std::string> got) { promise.set_value(got); });
  Descriptor writer = pipe.write(); // the call is running
  const std::vector<pid_t> before = runners();
  REQUIRE(before.size() == 1);
  killAndWait(before[0]);
  writer.reset();
  pipe.write().reset(); // waits for the second attempt and lets it end
  const Result<std::string> answer = promise.get_future().get();
  REQUIRE(answer);
  CHECK(*answer == "text");
  CHECK(runners().size() == 1);
  CHECK(runners() != before);
}

TEST_CASE("a plugin that hangs is ended at the deadline of its call") {
  const NamedPipe pipe;
  Running source = start(scripted, script({{"do", "block"}, {"fifo", pipe.path()}}));
  const Document which = only(source);
  const std::vector<pid_t> before = runners();
  const auto begun = std::chrono::steady_clock::now();
  const Result<std::string> answer = read(source, which, within(milliseconds(100)));
  const auto span = std::chrono::steady_clock::now() - begun;
  REQUIRE_FALSE(answer);
  CHECK(answer.failure().fault == Fault::ToolTimeout);
  CHECK(span >= milliseconds(100));
  CHECK(span < milliseconds(2000));
  // The caller has its answer at the deadline. The process ends a little later.
  while (runners() == before) std::this_thread::yield();
  CHECK(list(source));
}

TEST_CASE("a plugin that heeds its deadline or its cancellation keeps its process") {
  Running source = start(scripted, script({{"do", "await_cancel"}}));
  const Document which = only(source);
  const std::vector<pid_t> before = runners();
  CHECK_FALSE(read(source, which, within(milliseconds(50))));
  CallOptions options;
  std::promise<Result<std::string>> promise;
  source.source->read(options, which, 100,
                      [&](Result<std::string> got) { promise.set_value(std::move(got)); });
  options.cancel.cancel();
  CHECK(promise.get_future().get().failure().fault == Fault::Cancelled);
  CHECK(list(source));
  CHECK(runners() == before);
}

TEST_CASE("a plugin that is deaf to its cancellation is ended") {
  const NamedPipe pipe;
  Running source = start(scripted, script({{"do", "block"}, {"fifo", pipe.path()}}));
  const Document which = only(source);
  const std::vector<pid_t> before = runners();
  CallOptions options;
  std::promise<Result<std::string>> promise;
  source.source->read(options, which, 100,
                      [&](Result<std::string> got) { promise.set_value(std::move(got)); });
  const Descriptor writer = pipe.write();
  options.cancel.cancel();
  CHECK(promise.get_future().get().failure().fault == Fault::Cancelled);
  CHECK(list(source));
  CHECK(runners() != before);
}

TEST_CASE("a plugin that goes on after a refusal is ended, long before its deadline") {
  // The answer is larger than the part that is held back for a repetition.
  const NamedPipe pipe;
  Running source =
      start(scripted, {{"documents", {document("a", std::string(8'000'000, 'x'))}},
                       {"ignore_refusal", true},
                       {"read", {{"do", "block"}, {"fifo", pipe.path()}, {"after", 7'000'000}}}});
  const Document which = only(source);
  const std::vector<pid_t> before = runners();
  const Result<std::string> got = read(source, which, within(milliseconds(60'000)), 100);
  REQUIRE_FALSE(got);
  CHECK(got.failure().fault == Fault::TooLarge);
  CHECK(list(source));
  CHECK(runners() != before);
}

TEST_CASE("an instance that ends leaves no process behind") {
  {
    Running source = start(scripted, script({{"do", "OK"}}));
    CHECK(runners().size() == 1);
  }
  CHECK(runners().empty());
}
