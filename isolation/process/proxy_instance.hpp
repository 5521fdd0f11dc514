// SPDX-License-Identifier: Apache-2.0
// The instance that a proxy's create() makes, and the tables of functions that forward its calls.
#pragma once

#include "process/exchange.hpp"
#include "process/index_home.hpp"
#include "process/subscriptions.hpp"
#include "process/supervisor.hpp"
#include "process/wire.hpp"

#include <skillhost/caller.h>
#include <skillhost/explain.h>
#include <skillhost/facts.h>
#include <skillhost/held.h>
#include <skillhost/http.h>
#include <skillhost/observer.h>
#include <skillhost/state.h>
#include <skillhost/tools.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace skillhost::process {

class Proxy;

class ProxyInstance {
public:
  ProxyInstance(Proxy &owner, std::string program, std::shared_ptr<const PluginCopy> copy,
                Start start, const skh_host &host, std::shared_ptr<network::ForwarderAccess> access)
      : proxy(owner),
        supervisor(std::move(program), std::move(copy), std::move(start), host, std::move(access)) {
  }

  Proxy &proxy;
  IndexHome index;
  Subscriptions subscriptions;
  Packer batch; // events for an observer, until the host ends the batch
  std::int64_t batchDeadline = 0;
  Supervisor supervisor;

  static ProxyInstance &of(void *self) noexcept { return *static_cast<ProxyInstance *>(self); }
};

extern const skh_source forwardingSource;
// Returns SKH_UNSUPPORTED if the plugin has no such function.
extern const skh_facts forwardingFacts;
extern const skh_search forwardingSearch;
extern const skh_held forwardingHeld;       // as forwardingFacts
extern const skh_explain forwardingExplain; // as forwardingFacts
extern const skh_auth forwardingAuth;
extern const skh_callers forwardingCallers; // as forwardingFacts
extern const skh_tools forwardingTools;
extern const skh_state forwardingState;
extern const skh_observer forwardingObserver; // wants no events
extern const skh_http forwardingHttp;

// Writes the bytes of an answer into the host's sink.
Receiver bytesInto(const skh_bytes &out);

} // namespace skillhost::process
