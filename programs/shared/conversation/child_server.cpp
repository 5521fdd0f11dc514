// SPDX-License-Identifier: Apache-2.0
// The channel to a program on its standard input and output.
#include "base/log.hpp"
#include "conversation/open_server.hpp"
#include "mcp_client/program_channel.hpp"

#include <utility>

namespace skillhost {

OpenServer programServer(std::vector<std::string> words, int stop) {
  return [words = std::move(words), stop]() -> Result<std::unique_ptr<ServerChannel>> {
    Result<std::unique_ptr<ProgramChannel>> started = ProgramChannel::start(
        {{words, {}}, [](const std::string &warning) { log::warning("mcp", warning); }}, stop);
    if (!started) return std::move(started).failure();
    return {*std::move(started)};
  };
}

} // namespace skillhost
