// SPDX-License-Identifier: Apache-2.0
// The channel to a server that is a program of this source, within the limits of an operation or,
// between two refreshes, of a minute.
#pragma once

#include "settings.hpp"
#include "stream_allowance.hpp"
#include "upstream.hpp"

#include "mcp_client/program_channel.hpp"

#include <skillhost/plugin.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost::mcp_source {

// Used by one thread at a time. That thread must block SIGPIPE.
class ProgramLink final : public SourceChannel {
public:
  // Starts the program for an operation. `settings` must outlive the link.
  static Result<std::unique_ptr<ProgramLink>> open(skh::Host host, const Settings &settings,
                                                   remote::Operation &operation);
  ProgramLink(const ProgramLink &) = delete;
  ProgramLink &operator=(const ProgramLink &) = delete;

  // From the end of the greeting on, the end of the program and a long silence are thrown as
  // remote::RemoteError, because they concern all requests.
  void endGreeting() noexcept { isGreeted_ = true; }
  // Makes the operation's limits apply.
  void beginOperation(remote::Operation &operation) noexcept;
  void endOperation() noexcept;

  Status send(std::string_view message, Deadline deadline) override;
  Result<std::string> receive(Deadline deadline) override;
  // Receives a line outside of an operation. Cancelled if `wake` can be read. Throws
  // remote::RemoteError if the program prints too much.
  Result<std::string> receiveIdle(int wake);
  // A slow start may be a download.
  std::chrono::milliseconds patience() const override;
  void warn(const std::string &words) override;

  void limitAnswers(std::size_t bytes) noexcept override { channel_->limitLines(bytes); }
  std::deque<std::string> takeWarnings() override;
  // Returns true if the program has told of a change since the last call.
  bool takeChange() noexcept;
  // The reason why the program tells of no changes, or no longer; empty: it does.
  const std::string &whySilent() const noexcept { return whySilent_; }
  // Returns true if it has refused to tell of them.
  bool hasDeclined() const noexcept { return hasDeclined_; }

private:
  ProgramLink(skh::Host host, const Settings &settings, remote::Operation &operation);

  void count(std::size_t bytes);
  void logError(std::string_view line);
  void note(const std::string &line);
  Failure explained(const Failure &failure) const;

  const skh::Host host_;
  const Settings &settings_;
  remote::Operation *operation_; // null: between two refreshes
  std::unique_ptr<ProgramChannel> channel_;
  std::deque<std::string> warnings_;
  std::string lastError_; // line of its standard error
  StreamAllowance allowance_;
  std::uint64_t idleBytes_ = 0;
  std::chrono::steady_clock::time_point minuteOfErrors_{};
  std::size_t errorLines_ = 0; // within that minute
  std::string whySilent_;
  bool isGreeted_ = false, hasChange_ = false, hasDeclined_ = false;
};

} // namespace skillhost::mcp_source
