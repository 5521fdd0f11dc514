// SPDX-License-Identifier: Apache-2.0
// The channel for the messages of one call. On stdio they go to the only client, over HTTP into the
// response to the request that made the call.
#pragma once

#include "access/credential_watch.hpp"
#include "access/principal.hpp"
#include "ground/fragments.hpp"
#include "rpc/request_origin.hpp"

#include <string_view>

namespace skillhost {

// Functions may be called on any thread, and never wait. No function is called after the transport
// has ended, because a call is abandoned when its client disconnects.
class ReplyChannel {
public:
  virtual ~ReplyChannel() = default;
  // Sends a notification that belongs to the call, before its answer.
  virtual void sendMessage(Fragments message) = 0;
  // True if the client receives notifications before the answer. Does not change during a call.
  virtual bool canSendMessages() const { return true; }
  // Sends the answer, last and once. `errorCode` is that of the JSON-RPC error; 0 for a result.
  virtual void answer(Fragments message, int errorCode) = 0;
  // Returns the origin of the request (peer, request id, trace), as a text for its line in the log.
  // Empty on stdio. Valid as long as the channel.
  virtual std::string_view origin() const { return {}; }
  // Returns the parts of origin(). Valid as long as the channel.
  virtual const RequestOrigin &requestOrigin() const {
    static const RequestOrigin nothing;
    return nothing;
  }
  // Returns the caller that the transport has authenticated. Returns null if it has not
  // authenticated one.
  virtual PrincipalPointer principal() const { return {}; }
  // Moves out the credential that the transport has validated, so that a watch can validate it
  // again. Empty if principal() is null, and on a second call.
  virtual StoredCredential credential() const { return {}; }
};

} // namespace skillhost
