// SPDX-License-Identifier: Apache-2.0
// A program with pipes to its input, output and errors, ended with everything it started.
#pragma once

#include "ground/child_process.hpp"
#include "remote/operation.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::github {

// One thread. SIGPIPE must be kept from it.
class PipedProgram {
public:
  // Looks `words[0]` up in PATH. Throws skh::Error(SKH_UNAVAILABLE) when it cannot be started.
  explicit PipedProgram(const std::vector<std::string> &words);

  // At least one byte, or 0 when the program closed its output. Throws what the checkpoints throw.
  std::size_t read(const remote::Operation &operation, char *into, std::size_t most);
  // Throws skh::Error(SKH_UNAVAILABLE) when the program does not take it.
  void write(const remote::Operation &operation, std::string_view bytes);
  // The beginning of what it wrote to its standard error so far.
  const std::string &complaints() const noexcept { return complaints_; }

private:
  void await(const remote::Operation &operation, const Descriptor &file, short events);
  void listen();

  std::optional<ChildProcess> process_; // killed after its pipes are closed
  Descriptor input_, output_, errors_;
  std::string complaints_;
};

} // namespace skillhost::github
