// SPDX-License-Identifier: Apache-2.0
#include "credential_helper.hpp"

#include "ground/child_process.hpp"
#include "ground/json.hpp"
#include "ground/text.hpp"
#include "remote/piped_program.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <optional>
#include <string>

namespace skillhost::oci {
namespace {

constexpr std::chrono::seconds patience{30};
constexpr std::size_t maxAnswerBytes = std::size_t{64} << 10U;
// A helper prints this text and ends with exit code 1 if it has no login for the server.
constexpr std::string_view unknownServer = "credentials not found in native keychain";
// The user that stands for an identity token.
constexpr std::string_view identityUser = "<token>";

struct Printed {
  std::string output;
  int status = 0; // of waitpid(2)
};

// Runs the helper. `operation` limits its time.
Printed run(const std::string &program, const std::string &server,
            const remote::Operation &operation) {
  remote::PipedProgram process({program, "get"});
  try {
    process.write(operation, server);
  } catch (const skh::Error &error) {
    // A helper that ends without reading may still have answered.
    if (error.status() != SKH_UNAVAILABLE) throw;
  }
  process.closeInput();
  Printed printed;
  std::array<char, 4096> part{};
  while (const std::size_t size = process.read(operation, part.data(), part.size())) {
    printed.output.append(part.data(), size);
    if (printed.output.size() > maxAnswerBytes)
      throw remote::RemoteError("prints more than " + std::to_string(maxAnswerBytes) + " bytes");
  }
  printed.status = process.end(operation);
  return printed;
}

std::string answerText(const Json &answer, const char *key) {
  const auto found = answer.find(key);
  if (found == answer.end()) return {};
  if (!found->is_string())
    throw remote::RemoteError("prints JSON in which " + std::string(key) + " is no text");
  return found->get<std::string>();
}

Credentials readAnswer(const Printed &printed, const std::string &server) {
  if (printed.status != 0) {
    if (trimmedAsciiSpace(printed.output) == unknownServer) return {};
    throw remote::RemoteError(howItEnded(printed.status));
  }
  const std::optional<Json> answer = readJsonObject(printed.output);
  if (!answer) throw remote::RemoteError("prints no JSON object");
  if (const std::string named = answerText(*answer, "ServerURL");
      !named.empty() && !isSameRegistry(named, server))
    throw remote::RemoteError("prints the login for another server");
  Credentials read{answerText(*answer, "Username"), answerText(*answer, "Secret")};
  if (read.user == identityUser) read = {"", std::move(read.secret), true};
  if (!isPrintable(read.user) || !isPrintable(read.secret) ||
      read.user.find(':') != std::string::npos)
    throw remote::RemoteError("prints a user or secret that no request can carry");
  return read;
}

} // namespace

Credentials askHelper(const Login &login, const remote::Operation &operation) {
  const std::string program = "docker-credential-" + login.helper;
  const std::string about = "the login for " + login.server + ": ", name = about + program + ' ';
  const remote::Operation limited(
      [&] {
        operation.checkpoint();
        return false;
      },
      remote::Operation::Clock::now() + patience, 0);
  try {
    return readAnswer(run(program, login.server, limited), login.server);
  } catch (const remote::RemoteError &error) {
    throw remote::RemoteError(name + error.what() + "; run it by hand to see why");
  } catch (const skh::Error &error) {
    operation.checkpoint(); // the operation's own error takes precedence
    if (error.status() == SKH_DEADLINE)
      throw remote::RemoteError(name + "does not end within " + std::to_string(patience.count()) +
                                " s");
    throw remote::RemoteError(about + error.what());
  }
}

} // namespace skillhost::oci
