// SPDX-License-Identifier: Apache-2.0
// Performs one call of the host in a runner.
#pragma once

#include "process/messages.hpp"
#include "process/supervisor.hpp"
#include "process/wire.hpp"

#include <skillhost/plugin.h>

#include <functional>

namespace skillhost::process {

// Begins a request with the operation, the call's deadline and its trace context. The caller
// appends the arguments.
Packer request(Operation operation, const skh_call *call);

// Begins the reply to a question of the runner. The caller appends the text.
Packer replyTo(std::uint32_t number, skh_status status);

// Receives the records of an answer, in order, on the calling thread.
struct Receiver {
  // Decides whether the request may go to this runner. It is called when the runner is known; a
  // status other than SKH_OK ends the call.
  std::function<skh_status(std::uint64_t session)> admit;
  // Returns false if the record is not valid in this answer.
  std::function<bool(Receiver &, Record, Unpacker &)> onRecord;
  // Sends a message about the call to the runner at once. Returns false if the call has been
  // cancelled or the runner ended, so that nothing more is worth sending.
  using Send = std::function<bool(Packer &message)>;
  // Receives asides other than progress. Returns false if the record is not valid there. It answers
  // with `send`.
  std::function<bool(Record, Unpacker &, const Send &send)> onAside;
  // Status with which the host's sink refused more.
  skh_status sinkStatus = SKH_OK;
  // If set, a cancelled call may run until its deadline, so that a client that goes away does not
  // end the process in which the requests of other clients run.
  bool mayOutliveCancellation = false;
  // Set if the call failed because its runner ended.
  bool runnerEnded = false;
};

// Sends the request and waits for the end of its answer, but not much longer than the call's
// deadline, and at most a second after a cancellation (unless mayOutliveCancellation is set) or
// after the host's sink refused more. Then
// it kills the runner. If the runner is lost, the call is repeated once, provided that this is
// harmless and no part of the answer was taken. If the status is not SKH_OK, the call receives the
// reason.
skh_status callRunner(Supervisor &supervisor, Operation operation, const skh_call *call,
                      Packer &request, Receiver &receiver);

} // namespace skillhost::process
