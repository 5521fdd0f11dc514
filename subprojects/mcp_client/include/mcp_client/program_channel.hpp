// SPDX-License-Identifier: Apache-2.0
// The channel to an MCP server that is a program: one message in each line of its standard input
// and output.
#pragma once

#include "ground/child_process.hpp"
#include "ground/descriptor.hpp"
#include "mcp_client/server_channel.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct ServerProgram {
  Program program; // its descriptors are set by the channel
  // Receives a fault that does not end the conversation.
  std::function<void(const std::string &)> warn;
  // Receives each line of its standard error, at most 1,000 bytes of it. Without it, the errors go
  // where ours go.
  std::function<void(std::string_view)> onErrorLine{};
  // Receives the number of bytes that have just arrived on either output. It may throw.
  std::function<void(std::size_t)> onBytes{};
  // Time to end by itself after the end of its input, and then after SIGTERM.
  std::chrono::milliseconds untilTerm{1'000}, untilKill{2'000};
};

// It leads its own process group. The destructor closes its input, sends SIGTERM to the group if it
// has not ended by then, and at last SIGKILL, so that nothing stays that the program started.
//
// Writing never waits, so the program may answer before it reads on. If it does not read, send()
// fails with TooLarge when 1 MiB waits for it. A line that is too long makes one receive() fail
// with TooLarge, and is then skipped. The caller must ignore SIGPIPE, or block it.
class ProgramChannel final : public ServerChannel {
public:
  // `stop` is a descriptor that becomes readable when we have to stop; -1: none. NotFound if the
  // program does not exist, Unavailable if the kernel refuses.
  static Result<std::unique_ptr<ProgramChannel>> start(ServerProgram server, int stop);
  ~ProgramChannel() override;
  ProgramChannel(const ProgramChannel &) = delete;
  ProgramChannel &operator=(const ProgramChannel &) = delete;

  Status send(std::string_view message, Deadline deadline) override;
  Result<std::string> receive(Deadline deadline) override { return receive(deadline, stop_); }
  // As above, but fails with Cancelled if `stop` can be read.
  Result<std::string> receive(Deadline deadline, int stop);
  void warn(const std::string &words) override { server_.warn(words); }

  void limitLines(std::size_t bytes) noexcept { maxLineBytes_ = bytes; }

private:
  struct Pipes;

  ProgramChannel(ServerProgram server, ChildProcess child, Pipes pipes, int stop);
  std::optional<Result<std::string>> takeLine();
  Status wait(Deadline deadline, int stop);
  void flush();
  void readOutput();
  void readErrors();
  Failure gone();

  const ServerProgram server_;
  const std::string name_;
  const int stop_;
  ChildProcess child_;
  Descriptor input_, output_, errors_; // non-blocking
  std::size_t maxLineBytes_ = maxMessageBytes;
  std::string unsent_;
  std::string buffer_;
  std::size_t begin_ = 0;    // start of the next line
  std::size_t searched_ = 0; // no line ends before it
  bool skips_ = false;       // the rest of a line that is too long
  bool atEnd_ = false;
  std::string errorLine_; // unfinished
};

} // namespace skillhost
