// SPDX-License-Identifier: Apache-2.0
#include "process/proxy.hpp"

#include "plugin_calls/executor.hpp"
#include "plugin_calls/library.hpp"
#include "process/network_start.hpp"
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace skillhost::process {
namespace {

// create() does not receive the proxy that it belongs to, so each proxy takes a create() of its own
// from this supply.
constexpr std::size_t slots = 256;
using Create = skh_status (*)(const skh_host *, const skh_call *, void **) noexcept;

template <std::size_t Slot>
skh_status create(const skh_host *host, const skh_call *call, void **self) noexcept {
  return Proxy::createIn(Slot, host, call, self);
}
template <std::size_t... Slot>
constexpr std::array<Create, sizeof...(Slot)> all(std::index_sequence<Slot...> /*numbers*/) {
  return {&create<Slot>...};
}
constexpr std::array<Create, slots> creates = all(std::make_index_sequence<slots>());

using Owners = std::array<Proxy *, slots>;
Guarded<Owners> &owners() {
  static Guarded<Owners> table;
  return table;
}

std::size_t takeSlot(Proxy *proxy) {
  return owners().with([&](Owners &table) {
    auto *const free = std::find(table.begin(), table.end(), nullptr);
    if (free == table.end())
      throw std::runtime_error("more than " + std::to_string(slots) +
                               " plugins in processes of their own");
    *free = proxy;
    return static_cast<std::size_t>(free - table.begin());
  });
}

template <class Operations>
Operations offered(Operations whole, const PluginFacts &facts,
                   std::initializer_list<std::pair<const char *, void (*)(Operations &)>> absent) {
  for (const auto &[name, remove] : absent)
    if (!facts.has(name)) remove(whole);
  return whole;
}

// Returns a table that wants the events that the plugin wants, which follow from the names of its
// functions.
skh_observer observerWith(const PluginFacts &facts) {
  skh_observer table = forwardingObserver;
  for (const auto &[name, event] :
       {std::pair{"call_ended", SKH_EVENT_CALL_ENDED}, std::pair{"refused", SKH_EVENT_REFUSED},
        std::pair{"audit_record", SKH_EVENT_AUDIT_RECORD},
        std::pair{"catalogue_changed", SKH_EVENT_CATALOGUE_CHANGED},
        std::pair{"log_record", SKH_EVENT_LOG_RECORD}})
    if (facts.has(name)) table.wants |= static_cast<std::uint32_t>(event);
  return table;
}

const void *sourceExtension(void * /*self*/, const char *id) noexcept {
  return std::string_view(id) == SKH_FACTS ? &forwardingFacts : nullptr;
}

const void *searchExtension(void * /*self*/, const char *id) noexcept {
  const std::string_view wanted(id);
  if (wanted == SKH_HELD) return &forwardingHeld;
  return wanted == SKH_EXPLAIN ? &forwardingExplain : nullptr;
}

const void *authExtension(void * /*self*/, const char *id) noexcept {
  return std::string_view(id) == SKH_CALLER ? &forwardingCallers : nullptr;
}

} // namespace

Proxy::Proxy(std::string runner, PluginFacts facts, IsolatedPluginSetup setup)
    : runner_(std::move(runner)), facts_(std::move(facts)), setup_(std::move(setup)),
      slot_(takeSlot(this)),
      source_(offered<skh_source>(forwardingSource, facts_,
                                  {{"changes", [](auto &ops) { ops.changes = nullptr; }}})),
      search_(offered<skh_search>(forwardingSearch, facts_,
                                  {{"generation", [](auto &ops) { ops.generation = nullptr; }}})),
      auth_(offered<skh_auth>(forwardingAuth, facts_,
                              {{"check", [](auto &ops) { ops.check = nullptr; }},
                               {"describe", [](auto &ops) { ops.describe = nullptr; }}})),
      tools_(offered<skh_tools>(forwardingTools, facts_,
                                {{"get_prompt", [](auto &ops) { ops.get_prompt = nullptr; }},
                                 {"read_resource", [](auto &ops) { ops.read_resource = nullptr; }},
                                 {"complete", [](auto &ops) { ops.complete = nullptr; }}})),
      observer_(observerWith(facts_)),
      http_(offered<skh_http>(forwardingHttp, facts_,
                              {{"handle", [](auto &ops) { ops.handle = nullptr; }}})),
      descriptor_{sizeof(skh_plugin),
                  facts_.flags,
                  facts_.kind.c_str(),
                  facts_.id.c_str(),
                  facts_.version.c_str(),
                  facts_.summary.c_str(),
                  facts_.licence.c_str(),
                  facts_.configSchema ? facts_.configSchema->c_str() : nullptr,
                  &source_,
                  creates[slot_],
                  &destroy,
                  nullptr} {
  if (facts_.kind == sourceKind && facts_.has("extension"))
    descriptor_.extension = &sourceExtension;
  if (facts_.kind == searchKind && facts_.has("extension"))
    descriptor_.extension = &searchExtension;
  if (facts_.kind == authKind && facts_.has("extension")) descriptor_.extension = &authExtension;
  if (facts_.kind == searchKind) descriptor_.ops = &search_;
  if (facts_.kind == authKind) descriptor_.ops = &auth_;
  if (facts_.kind == toolsKind) descriptor_.ops = &tools_;
  if (facts_.kind == stateKind) descriptor_.ops = &forwardingState;
  if (facts_.kind == observerKind) descriptor_.ops = &observer_;
  if (facts_.kind == httpKind) descriptor_.ops = &http_;
}

Proxy::~Proxy() {
  owners().with([this](Owners &table) { table[slot_] = nullptr; });
}

std::string Proxy::confinement() const {
  return instance_.with([](ProxyInstance *instance) {
    return instance == nullptr ? std::string() : instance->supervisor.confinement();
  });
}

std::string Proxy::absence() const {
  return instance_.with([](ProxyInstance *instance) {
    return instance == nullptr ? std::string() : instance->supervisor.absence();
  });
}

skh_status Proxy::createIn(std::size_t slot, const skh_host *host, const skh_call *call,
                           void **self) noexcept {
  Proxy *const proxy = owners().with([slot](const Owners &table) { return table[slot]; });
  if (proxy == nullptr) return SKH_FAILED;
  try {
    return proxy->create(*host, call, self);
  } catch (const std::exception &why) {
    reportFailure(call, why.what());
    return SKH_FAILED;
  }
}

skh_status Proxy::create(const skh_host &host, const skh_call *call, void **self) {
  Start start;
  start.file = setup_.file;
  start.copied = setup_.copy != nullptr;
  start.kind = facts_.kind;
  start.id = facts_.id;
  start.channels =
      static_cast<std::uint32_t>(pluginThreads(facts_.kind, facts_.flags, setup_.threads));
  start.hostVersion = setup_.version;
  start.instance = toStringView(host.instance);
  start.config = toStringView(host.config);
  start.cacheDirectory = toStringView(host.cache_dir);
  start.mayRead = setup_.mayRead;
  start.memoryBytes = setup_.memoryBytes;
  start.cacheBytes = setup_.cacheBytes;
  start.pinMode = setup_.pinMode;
  start.pinned = setup_.pinned;
  start.upstream = setup_.upstream;
  Result<std::shared_ptr<network::ForwarderAccess>> access =
      openNetwork(setup_.network, (facts_.flags & SKH_NETWORK) != 0, start);
  if (!access) {
    reportFailure(call, access.failure().message);
    return access.failure().fault == Fault::InvalidInput ? SKH_INVALID : SKH_UNAVAILABLE;
  }
  auto instance = std::make_unique<ProxyInstance>(*this, runner_, setup_.copy, std::move(start),
                                                  host, *std::move(access));
  if (const skh_status status = instance->supervisor.begin(call); status != SKH_OK) return status;
  instance_.with([&](ProxyInstance *&current) { current = instance.get(); });
  *self = instance.release();
  return SKH_OK;
}

void Proxy::destroy(void *self) noexcept {
  const std::unique_ptr<ProxyInstance> instance(&ProxyInstance::of(self));
  instance->proxy.instance_.with([](ProxyInstance *&current) { current = nullptr; });
}

} // namespace skillhost::process
