// SPDX-License-Identifier: Apache-2.0
// One call of the host, answered by a runner.
#pragma once

#include "process/messages.hpp"
#include "process/supervisor.hpp"
#include "process/wire.hpp"

#include <skillhost/plugin.h>

#include <functional>

namespace skillhost::process {

// Begins a request: the operation, the call's deadline and its place in a trace; arguments follow.
Packer request(Operation operation, const skh_call *call);

// Takes the records of an answer, in order, on the thread that asks.
struct Receiver {
  // May the request go to this runner? Asked once it is known which one; not SKH_OK ends the call.
  std::function<skh_status(std::uint64_t session)> admit;
  // False for a record that has no place in this answer.
  std::function<bool(Receiver &, Record, Unpacker &)> take;
  // What comes aside besides progress: false for a record that has no place there. An answer that
  // is put into `reply` is sent at once.
  std::function<bool(Record, Unpacker &, Packer &reply)> aside;
  // What the host's sink said when it wanted no more.
  skh_status refused = SKH_OK;
  // Set when the call failed because its runner had gone.
  bool lost = false;
};

// Sends the request and waits for the end of its answer: until the call's deadline and a little
// longer, or a second after it was cancelled or the host's sink wanted no more; then the runner is
// killed. A call that lost its
// runner is asked again once when that does no harm and nothing of the answer was taken. Says why
// through the call when the status is not SKH_OK.
skh_status ask(Supervisor &supervisor, Operation operation, const skh_call *call, Packer &request,
               Receiver &receiver);

} // namespace skillhost::process
