// SPDX-License-Identifier: Apache-2.0
#include "token_command.hpp"

#include "oauth/access_token.hpp"
#include "paths/names.hpp"
#include "piped_program.hpp"

#include <array>

namespace skillhost::remote {
namespace {

constexpr std::chrono::seconds patience{10};
constexpr std::size_t maxPrintedBytes = 66'000; // more than the longest token, see isToken()

} // namespace

std::string tokenFrom(const std::vector<std::string> &command, const Operation &operation) {
  const std::string name = "token_command: " + paths::printable(command.front());
  const Operation limited([&] { return operation.isStopped(); }, Operation::Clock::now() + patience,
                          0);
  std::string token;
  int status = 0;
  try {
    PipedProgram program(command);
    std::array<char, 512> part{};
    while (const std::size_t size = program.read(limited, part.data(), part.size())) {
      token.append(part.data(), size);
      if (token.size() > maxPrintedBytes) break;
    }
    if (token.size() <= maxPrintedBytes) status = program.end(limited);
  } catch (const skh::Error &error) {
    if (error.status() == SKH_CANCELLED) throw;
    if (error.status() == SKH_DEADLINE)
      throw RemoteError(name + " does not end within " + std::to_string(patience.count()) + " s");
    throw RemoteError("token_command: " + std::string(error.what()));
  }
  // A program that fails may have printed a part of a token, or a message.
  if (status != 0)
    throw RemoteError(name + ' ' + howItEnded(status) + ": run it by hand to see why");
  while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
  if (token.empty()) throw RemoteError(name + " prints no token: run it by hand to see why");
  if (!isToken(token)) throw RemoteError(name + " prints something that is no token");
  return token;
}

} // namespace skillhost::remote
