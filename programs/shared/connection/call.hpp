// SPDX-License-Identifier: Apache-2.0
// The state of one request of the client.
#pragma once

#include "calls.hpp"
#include "reconnection.hpp"

#include <string>

namespace skillhost {

struct Calls::Call {
  explicit Call(ClientMessage given);

  ClientMessage message;
  const bool modern, subscription;
  bool mayRepeat;              // although its outcome is unknown
  Remote::Number exchange = 0; // 0: held, not sent
  std::string session;         // the session in which it was sent
  std::string lastEvent;       // last event of a broken stream, to resume after it
  Clock::time_point holdUntil, sendAt = Clock::time_point::min(), answerBy;
  BackOff backoff{reconnection};
  int attempts = 0;
  bool renewed = false; // the token was renewed because of this request
  bool lost = false;    // it was sent, and has to be sent again
  bool done = false;
  Json grantedFilter; // what the first message of a subscription grants; null before it
};

} // namespace skillhost
