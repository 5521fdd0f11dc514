// SPDX-License-Identifier: Apache-2.0
// What is known of one request of the client.
#pragma once

#include "calls.hpp"
#include "reconnection.hpp"

#include <string>

namespace skillhost {

struct Calls::Call {
  explicit Call(ClientMessage given);

  ClientMessage message;
  const bool modern, subscription;
  bool mayRepeat;              // its outcome unknown
  Remote::Number exchange = 0; // 0: held
  std::string session;         // that it was asked in
  std::string lastEvent;       // of a stream that broke, to go on from
  Clock::time_point holdUntil, askAt = Clock::time_point::min(), answerBy;
  BackOff backoff{reconnection};
  int attempts = 0;
  bool renewed = false; // the token, for its sake
  bool lost = false;    // it was sent, and has to be asked again
  bool done = false;
  Json honoured; // by a subscription's first message; null before
};

} // namespace skillhost
