// SPDX-License-Identifier: Apache-2.0
// A source that tries forbidden actions of a confined plugin: each attempt is a document, whose
// revision is the result ("ok" or an errno). The file also has an auth plugin that accepts one
// secret.
#include <skillhost/config.hpp>
#include <skillhost/plugin.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

std::string outcome(bool worked) { return worked ? "ok" : std::to_string(errno); }

std::string tryOpen(const std::string &path, int flags) {
  const int opened = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  std::string how = outcome(opened >= 0);
  if (opened >= 0) ::close(opened);
  return how;
}

class Probing final : public skh::Source {
public:
  Probing(skh::Host host, const skh::Call &) : config_(host), cache_(host.cacheDir()) {}

  void list(const skh::Call &, const skh::Documents &out) override {
    const auto tell = [&out](const char *what, const std::string &how) {
      out.add({what, "SKILL.md", how, 0, SKH_DOC_ENTRY, {}});
    };
    tell("open-passwd", tryOpen("/etc/passwd", O_RDONLY));
    if (config_.has("allowed")) tell("open-allowed", tryOpen(config_.text("allowed"), O_RDONLY));
    if (config_.has("name")) tell("open-granted", tryOpen("/" + config_.text("name"), O_RDONLY));
    if (config_.has("allowed"))
      tell("write-allowed", tryOpen(config_.text("allowed"), O_WRONLY | O_CREAT));
    tell("write-cache", tryOpen(cache_ + "/probe", O_WRONLY | O_CREAT));
    const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    tell("socket", outcome(made >= 0));
    if (made >= 0) ::close(made);
    tell("signal-parent", outcome(::kill(::getppid(), 0) == 0));
    std::array<int, 2> pair{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) == 0) {
      const pid_t parent = ::getppid();
      f_owner_ex owner{F_OWNER_PID, parent};
      tell("own-to-parent", outcome(::fcntl(pair[0], F_SETOWN, parent) == 0));
      tell("own-to-parent-ex", outcome(::fcntl(pair[0], F_SETOWN_EX, &owner) == 0));
      tell("own-signal", outcome(::fcntl(pair[0], F_SETSIG, SIGTERM) == 0));
      tell("own-by-ioctl", outcome(::ioctl(pair[0], FIOSETOWN, &parent) == 0));
      tell("own-by-socket", outcome(::ioctl(pair[0], SIOCSPGRP, &parent) == 0));
      tell("still-fcntl", outcome(::fcntl(pair[0], F_GETFD) >= 0));
      ::close(pair[0]);
      ::close(pair[1]);
    }
    tell("outlive-parent", outcome(::prctl(PR_SET_PDEATHSIG, 0) == 0));
    const pid_t child = ::fork();
    if (child == 0) std::_Exit(0);
    tell("fork", outcome(child > 0));
    std::array<char *, 1> none{nullptr};
    ::execve("/bin/true", none.data(), none.data());
    tell("exec", outcome(false));
    std::thread([] {}).join();
    tell("environment", std::getenv("SKILLHOST_TEST_SECRET") == nullptr ? "clean" : "leaks");
    out.done("1");
  }
  void read(const skh::Call &, const skh::Document &, const skh::Bytes &) override {
    throw skh::Error(SKH_NOT_FOUND, "nothing to read");
  }

private:
  skh::Config config_;
  std::string cache_;
};

class OneWord final : public skh::Auth {
public:
  OneWord(skh::Host, const skh::Call &) {}
  void check(const skh::Call &) override {}
  skh::Principal validate(const skh::Call &, const skh::Credential &credential) override {
    if (credential.value == "crash") std::abort();
    if (credential.value != "open sesame") throw skh::Error(SKH_DENIED, "unknown");
    skh::Principal principal;
    principal.subject = "ali";
    principal.issuer = "cave";
    principal.scopes = {"read", "write"};
    principal.claims = R"({"resource": ")" + std::string(credential.resource) + "\"}";
    return principal;
  }
  std::string describe(const skh::Call &) override { return "{}"; }
};

constexpr skh_plugin probing = skh::source<Probing>(
    "test.probing", "1.0.0", "Tries what it must not", R"({"type": "object"})");
constexpr skh_plugin oneWord = skh::auth<OneWord>("test.auth", "1.0.0", "Knows one word", nullptr);
constexpr std::array<const skh_plugin *, 3> all{&probing, &oneWord, nullptr};

} // namespace

extern "C" SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry),
                                                             SKH_ABI_MINOR, 0, all.data()};
