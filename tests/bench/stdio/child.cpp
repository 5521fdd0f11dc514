// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

[[noreturn]] void fail(const std::string &who, const std::string &what) {
  throw std::runtime_error(who + ": " + what);
}

void pinTo(int core) {
  if (core < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(core), &set);
  sched_setaffinity(0, sizeof set, &set);
}

// Returns pointers to the command's words; `words` owns the bytes.
std::vector<char *> arguments(std::vector<std::string> &words) {
  std::vector<char *> out;
  out.reserve(words.size() + 1);
  for (std::string &word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

} // namespace

Child::Child(const std::string &command, Placement placement) : name_(command), buffer_(1U << 20U) {
  std::vector<std::string> words;
  std::istringstream split(command);
  for (std::string word; split >> word;) words.push_back(word);
  if (words.empty()) fail("bench", "an empty command");
  std::vector<char *> argv = arguments(words);
  std::array<int, 2> in{}, out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0)
    fail(name_, std::strerror(errno));
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  pid_ = fork();
  if (pid_ < 0) fail(name_, std::strerror(errno));
  if (pid_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    dup2(nowhere, 2);
    pinTo(placement.server);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  pinTo(placement.driver);
  close(in[0]);
  close(out[1]);
  close(nowhere);
  toServer_ = in[1];
  fromServer_ = out[0];
}

Child::~Child() {
  close(toServer_);
  close(fromServer_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Child::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(toServer_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(name_, "does not take its input");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string_view Child::line() {
  std::size_t searched = begin_;
  for (;;) {
    if (const void *feed = std::memchr(buffer_.data() + searched, '\n', end_ - searched)) {
      const auto stop = static_cast<std::size_t>(static_cast<const char *>(feed) - buffer_.data());
      const std::string_view found(buffer_.data() + begin_, stop - begin_);
      begin_ = stop + 1;
      return found;
    }
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    searched = end_;
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    const ssize_t got = read(fromServer_, buffer_.data() + end_, buffer_.size() - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(name_, "ended while an answer was awaited");
    end_ += static_cast<std::size_t>(got);
  }
}

double Child::cpuMicroseconds() const {
  clockid_t clock = 0;
  timespec now{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &now) != 0)
    fail(name_, "has no processor clock");
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double Child::statusField(std::string_view name) const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string text; std::getline(status, text);)
    if (text.compare(0, name.size(), name) == 0) return std::stod(text.substr(name.size())) / 1024;
  return 0;
}

double Child::residentMegabytes() const { return statusField("VmRSS:"); }
double Child::peakMegabytes() const { return statusField("VmHWM:"); }

} // namespace bench
