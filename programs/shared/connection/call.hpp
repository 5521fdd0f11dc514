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
  const bool isModern, isSubscription;
  bool mayRepeat;              // it may be sent again even if the server may have executed it
  Remote::Number exchange = 0; // 0: held, not sent
  std::string session;         // the session in which it was sent
  std::string lastEvent;       // last event of a broken stream, to resume after it
  Clock::time_point holdUntil; // refused if it could not be sent until then
  Clock::time_point sendAt = Clock::time_point::min(); // not sent again before that time
  Clock::time_point answerBy;                          // refused if it was not answered until then
  BackOff backoff{reconnection};
  int attempts = 0;
  bool isTokenRenewed = false; // the token was renewed because of this request
  bool wasLost = false;        // its connection broke before the answer, so it has to be sent again
  bool isFinished = false;     // it was answered or given up
  Json grantedFilter;          // what the first message of a subscription grants; null before it
};

} // namespace skillhost
