// SPDX-License-Identifier: Apache-2.0
// Where the messages of one call go: on stdio to the one client, over HTTP into the response to the
// request that made the call.
#pragma once

#include "access/credential_watch.hpp"
#include "access/principal.hpp"
#include "ground/fragments.hpp"
#include "rpc/request_origin.hpp"

#include <string>

namespace skillhost {

// Any thread; never waits. Not used after the transport it leads to has ended: a call whose client
// has gone is abandoned first.
class ReplyChannel {
public:
  virtual ~ReplyChannel() = default;
  // A notification that belongs to the call; before its answer.
  virtual void tell(Fragments message) = 0;
  // Whether what is told reaches the client before the answer; the same for the whole call.
  virtual bool canTell() const { return true; }
  // The answer, last and once. `errorCode` is that of the JSON-RPC error; 0 for a result.
  virtual void answer(Fragments message, int errorCode) = 0;
  // Where the request came from, for its line in the log; empty on stdio.
  virtual std::string origin() const { return {}; }
  // The same part by part. Lasts as long as the channel.
  virtual const RequestOrigin &requestOrigin() const {
    static const RequestOrigin nothing;
    return nothing;
  }
  // Who the transport has found to be asking; null: nobody, or it does not look.
  virtual PrincipalPointer principal() const { return {}; }
  // What the transport has asked about, for who has to ask again: there once; empty:
  // as above.
  virtual HeldCredential credential() const { return {}; }
};

} // namespace skillhost
