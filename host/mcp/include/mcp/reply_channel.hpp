// SPDX-License-Identifier: Apache-2.0
// The channel for the messages of one call: on stdio to the one client, over HTTP into the response
// to the request that made the call.
#pragma once

#include "access/credential_watch.hpp"
#include "access/principal.hpp"
#include "ground/fragments.hpp"
#include "rpc/request_origin.hpp"

#include <string>

namespace skillhost {

// Functions may be called on any thread, and never wait. A channel is not used after its transport
// has ended: a call whose client has gone is abandoned before.
class ReplyChannel {
public:
  virtual ~ReplyChannel() = default;
  // Sends a notification that belongs to the call, before its answer.
  virtual void sendMessage(Fragments message) = 0;
  // True if notifications reach the client before the answer; the same for the whole call.
  virtual bool canSendMessages() const { return true; }
  // Sends the answer, last and once. `errorCode` is that of the JSON-RPC error; 0 for a result.
  virtual void answer(Fragments message, int errorCode) = 0;
  // Returns the origin of the request, for its line in the log; empty on stdio.
  virtual std::string origin() const { return {}; }
  // Returns the same in parts. Valid as long as the channel.
  virtual const RequestOrigin &requestOrigin() const {
    static const RequestOrigin nothing;
    return nothing;
  }
  // Returns the caller that the transport has authenticated; null if there is none, or if the
  // transport does not authenticate callers.
  virtual PrincipalPointer principal() const { return {}; }
  // Returns the credential that the transport has validated, for code that has to validate it
  // again. It can be taken once; empty in the same cases.
  virtual StoredCredential credential() const { return {}; }
};

} // namespace skillhost
