// SPDX-License-Identifier: Apache-2.0
#include "token_command.hpp"

#include "paths/names.hpp"
#include "piped_program.hpp"

#include <algorithm>
#include <array>

namespace skillhost::remote {
namespace {

constexpr std::chrono::seconds patience{10};
constexpr std::size_t maxTokenBytes = 65'536; // bytes of a token

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
      if (token.size() > maxTokenBytes) break;
    }
    if (token.size() <= maxTokenBytes) status = program.end(limited);
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
  const bool isPlain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!isPlain || token.size() > maxTokenBytes)
    throw RemoteError(name + " prints something that is no token");
  return token;
}

} // namespace skillhost::remote
