// SPDX-License-Identifier: Apache-2.0
// Runs a program with pipes to its input, output and errors. The destructor ends it with everything
// it started.
#pragma once

#include "operation.hpp"

#include "ground/child_process.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::remote {

// Only one thread may use it. The caller must block SIGPIPE.
class PipedProgram {
public:
  // Finds `words[0]` in PATH. Throws skh::Error(SKH_UNAVAILABLE) if it cannot be started.
  explicit PipedProgram(const std::vector<std::string> &words);

  // Returns at least one byte, or 0 if the program closed its output. Throws what the checkpoints
  // throw.
  std::size_t read(const Operation &operation, char *into, std::size_t maxBytes);
  // Throws skh::Error(SKH_UNAVAILABLE) if the program does not accept the bytes.
  void write(const Operation &operation, std::string_view bytes);
  // Ends the program's input.
  void closeInput() noexcept { input_.reset(); }
  // Waits for the program's end, and ends what it left in its process group. Returns the status of
  // waitpid(2). Throws what the checkpoints throw.
  int end(const Operation &operation);
  // The beginning of the program's error output so far.
  const std::string &complaints() const noexcept { return complaints_; }

private:
  void await(const Operation &operation, const Descriptor &file, short events);
  void listen();

  std::optional<ChildProcess> process_; // killed after its pipes are closed
  Descriptor input_, output_, errors_;
  std::string complaints_;
};

} // namespace skillhost::remote
