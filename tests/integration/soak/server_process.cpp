// SPDX-License-Identifier: Apache-2.0
#include "server_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <utility>

extern char **environ; // NOLINT(readability-redundant-declaration)

namespace soak {
namespace {

constexpr std::chrono::minutes patience{1};

} // namespace

ServerProcess::ServerProcess(std::vector<std::string> command, std::size_t window)
    : window_(window) {
  ::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> in{}, out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  std::vector<char *> arguments;
  for (std::string &word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed =
      ::posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
  if (failed != 0) throw std::runtime_error("cannot start " + command[0]);
  reader_ = std::thread([this] { read(); });
}

ServerProcess::~ServerProcess() {
  if (input_ >= 0) ::close(input_);
  if (pid_ > 0) ::kill(pid_, SIGKILL);
  if (reader_.joinable()) reader_.join();
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
  ::close(output_);
}

void ServerProcess::count(const std::string &line) {
  constexpr std::string_view begin = R"({"jsonrpc":"2.0","id":)";
  if (line.starts_with(R"({"jsonrpc":"2.0","method":)")) return; // a notification
  std::uint64_t id = 0;
  const char *const from = line.data() + std::min(begin.size(), line.size());
  const auto parsed = std::from_chars(from, line.data() + line.size(), id);
  const bool error =
      line.compare(static_cast<std::size_t>(parsed.ptr - line.data()), 8, ",\"error\"") == 0;
  const std::scoped_lock lock(mutex_);
  if (!line.starts_with(begin) || parsed.ec != std::errc{} || id >= answers_.size()) {
    if (wrong_.empty()) wrong_ = "no answer to anything: " + line.substr(0, 200);
    return;
  }
  if (++answers_[id] != 1) {
    if (wrong_.empty()) wrong_ = "answered twice: " + line.substr(0, 200);
    return;
  }
  if (error) ++failed_;
  --open_;
  answered_.notify_one();
}

void ServerProcess::read() {
  std::vector<char> block(1U << 18U);
  std::string line;
  for (;;) {
    const ssize_t got = ::read(output_, block.data(), block.size());
    if (got <= 0) break;
    const std::string_view bytes(block.data(), static_cast<std::size_t>(got));
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = bytes.find('\n', at);
      line.append(bytes.substr(at, end == std::string_view::npos ? end : end - at));
      if (end == std::string_view::npos) break;
      count(line);
      line.clear();
      at = end + 1;
    }
  }
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  answered_.notify_one();
}

bool ServerProcess::waitFor(std::size_t most) {
  std::unique_lock lock(mutex_);
  return answered_.wait_for(lock, patience, [&] { return ended_ || open_ <= most; }) && !ended_;
}

bool ServerProcess::ask(const std::string &members) {
  if (!waitFor(window_ - 1)) return false;
  const std::string line =
      R"({"jsonrpc":"2.0","id":)" + std::to_string(asked_) + ',' + members + "}\n";
  {
    const std::scoped_lock lock(mutex_);
    answers_.push_back(0);
    ++open_;
  }
  ++asked_;
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t wrote = ::write(input_, line.data() + sent, line.size() - sent);
    if (wrote < 0) return false;
    sent += static_cast<std::size_t>(wrote);
  }
  return true;
}

std::string ServerProcess::finish() {
  const bool complete = waitFor(0);
  ::close(std::exchange(input_, -1));
  if (!complete) return std::to_string(open_) + " requests were never answered";
  int status = 0;
  reader_.join();
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  if (!wrong_.empty()) return wrong_;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return "the server ended with status " + std::to_string(status);
  return {};
}

} // namespace soak
