// SPDX-License-Identifier: Apache-2.0
// Tests what credential helpers may answer, with programs that answer rightly and wrongly.
#include "catch2.hpp"
#include "http_client/signal_guard.hpp"
#include "mentions.hpp"
#include "oci/credential_helper.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <utility>

using namespace skillhost::oci;
using namespace std::chrono_literals;

namespace {

using Clock = skillhost::remote::Operation::Clock;

// Puts helpers into a folder that is first in PATH.
class Helpers {
public:
  Helpers() { ::setenv("PATH", (folder_.path() + ":" + before_).c_str(), 1); }
  ~Helpers() { ::setenv("PATH", before_.c_str(), 1); }
  Helpers(const Helpers &) = delete;
  Helpers &operator=(const Helpers &) = delete;

  std::filesystem::path file(const std::string &name) const {
    return std::filesystem::path(folder_.path()) / name;
  }

  void write(const std::string &script) const {
    const std::filesystem::path program = file("docker-credential-test");
    std::ofstream(program) << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }
  // Returns what the helper with this script answers: "user/secret", or why it fails.
  std::string ask(const std::string &script, std::chrono::milliseconds time = 20s) const {
    write(script);
    return askNamed("test",
                    skillhost::remote::Operation([] { return false; }, Clock::now() + time, 0));
  }
  std::string askNamed(const std::string &name,
                       const skillhost::remote::Operation &operation) const {
    const skillhost::web::SignalGuard guard;
    try {
      const Credentials read = askHelper({{}, name, "a.b:5000"}, operation);
      return read.empty() ? "nobody"
                          : read.user + (read.isIdentity ? "<token>/" : "/") + read.secret;
    } catch (const skh::Error &error) {
      return error.what();
    }
  }

private:
  const std::string before_ = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  const TemporaryFolder folder_;
};

} // namespace

TEST_CASE("a helper is asked for the server and answers with a login") {
  const Helpers helpers;
  CHECK(
      helpers.ask(
          R"([ "$*" = get ] && read -r server; printf '{"ServerURL":"%s","Username":"u","Secret":"p"}' "$server")") ==
      "u/p");
  CHECK(helpers.ask(R"(printf '{"Username":"u","Secret":"'; cat; printf '"}')") == "u/a.b:5000");
  CHECK(helpers.ask(
            R"(echo '{"ServerURL":"https://A.b:5000/v1/","Username":"<token>","Secret":"t"}')") ==
        "<token>/t");
  CHECK(helpers.ask("echo credentials not found in native keychain; exit 1") == "nobody");
  CHECK(helpers.ask(R"(echo '{"Username":"","Secret":""}')") == "nobody");
}

TEST_CASE("a helper that fails is named, and what it prints is not shown") {
  const Helpers helpers;
  for (const auto &[script, words] : std::initializer_list<std::pair<const char *, const char *>>{
           {"echo s3cret; echo s3cret >&2; exit 3", "ended with exit code 3"},
           {"echo credentials not found in native keychain: s3cret; exit 1", "exit code 1"},
           {"echo s3cret", "prints no JSON object"},
           {"echo '[\"s3cret\"]'", "prints no JSON object"},
           {"", "prints no JSON object"},
           {R"(echo '{"Username":"u","Secret":["s3cret"]}')", "Secret is no text"},
           {R"(echo '{"Username":"u:v","Secret":"s3cret"}')", "that no request can carry"},
           {R"(printf %s '{"Username":"u","Secret":"s3cret\r\n"}')", "that no request can carry"},
           {R"(echo '{"ServerURL":"a.b","Username":"u","Secret":"s3cret"}')", "another server"},
           {"yes s3cret", "prints more than 65536 bytes"},
           {"kill -9 $$", "SIGKILL"}}) {
    const std::string said = helpers.ask(script);
    CHECK(mentions(said, words));
    CHECK(mentions(said, "the login for a.b:5000: docker-credential-test "));
    CHECK_FALSE(mentions(said, "s3cret"));
  }
  const skillhost::remote::Operation operation([] { return false; }, Clock::now() + 20s, 0);
  CHECK(mentions(helpers.askNamed("absent", operation),
                 "docker-credential-absent cannot be started"));
}

TEST_CASE("a helper that does not end in time is given up") {
  const Helpers helpers;
  for (const char *const script : {"sleep 600", "sleep 600 & exit 0", "yes >&2"})
    CHECK(mentions(helpers.ask(script, 300ms), "did not answer in time"));
}

TEST_CASE("a helper is killed with what it started") {
  const Helpers helpers;
  const std::string witness = helpers.file("witness").string();
  for (const std::string script :
       {"sleep 600", "sleep 600 & sleep 600", "exec >&- 2>&-; sleep 600"}) {
    std::filesystem::remove(witness);
    REQUIRE(::mkfifo(witness.c_str(), 0600) == 0);
    // The helper's processes inherit the other end, so that this one ends when all have ended.
    const int held = ::open(witness.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    pollfd watched{held, POLLIN, 0};
    helpers.write("exec 9>" + witness + "; echo >&9; " + script);
    const skillhost::remote::Operation operation([&] { return ::poll(&watched, 1, 0) > 0; },
                                                 Clock::now() + 20s, 0);
    CHECK(helpers.askNamed("test", operation) == "stopped");
    std::array<char, 8> line{};
    CHECK(::read(held, line.data(), line.size()) == 1);
    CHECK(::poll(&watched, 1, 20'000) == 1);
    CHECK((watched.revents & POLLHUP) != 0);
    ::close(held);
  }
}
