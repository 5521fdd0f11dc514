// SPDX-License-Identifier: Apache-2.0
// The table of methods, with the conditions that hold before the function of each runs.
#include "admission.hpp"
#include "ground/json_member.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "methods.hpp"
#include "request_cost.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <string_view>

namespace skillhost {
namespace {

enum class ProtocolFamilies : std::uint8_t { Legacy, Modern, Both };
enum class WaitsFor : std::uint8_t { Nothing, Catalogue };
// Says if the rate limit counts a method. It counts all but those that begin a session and keep it
// alive.
enum class Paced : std::uint8_t { Yes, No };
using CostOf = bool (*)(const Call &call); // see request_cost.hpp

// Returns the permission that a request needs of its sender, by its params.
using PermissionOf = Permission (*)(const OwnTools &tools, const OwnResources &resources,
                                    const Json &params);
Permission nothing(const OwnTools &, const OwnResources &, const Json &) {
  return Permission::Nothing;
}
Permission reading(const OwnTools &, const OwnResources &, const Json &) {
  return Permission::Read;
}
Permission permissionForTool(const OwnTools &tools, const OwnResources &, const Json &params) {
  const Tool *const tool = tools.find(memberText(params, "name"));
  return tool == nullptr ? Permission::Read : tool->need;
}
Permission permissionForResource(const OwnTools &, const OwnResources &resources,
                                 const Json &params) {
  const OwnResource *const own = resources.find(memberText(params, "uri"));
  return own == nullptr ? Permission::Read : own->need;
}

struct Method {
  std::string_view name;
  ProtocolFamilies families;
  PermissionOf need;
  WaitsFor waitsFor; // Catalogue: right after the start the call waits for the first catalogue, and
                     // for the lists of plugins
  CostOf isLong;
  void (*handle)(const CallPointer &call);
  Paced paced = Paced::Yes;
};

constexpr std::array table{
    Method{"call_tool", ProtocolFamilies::Legacy, &reading, WaitsFor::Catalogue,
           &cost::isLongOlderToolCall, &methods::olderCallTool},
    Method{"completion/complete", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isAlwaysLong, &methods::complete},
    Method{"initialize", ProtocolFamilies::Legacy, &nothing, WaitsFor::Nothing, &cost::isNeverLong,
           &methods::initialize, Paced::No},
    Method{"list_tools", ProtocolFamilies::Legacy, &reading, WaitsFor::Catalogue,
           &cost::isAlwaysLong, &methods::olderListTools},
    Method{"logging/setLevel", ProtocolFamilies::Legacy, &reading, WaitsFor::Nothing,
           &cost::isNeverLong, &methods::setLogLevel},
    Method{"ping", ProtocolFamilies::Legacy, &nothing, WaitsFor::Nothing, &cost::isNeverLong,
           &methods::ping, Paced::No},
    Method{"prompts/get", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isAlwaysLong, &methods::getPrompt},
    Method{"prompts/list", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isLongSkillList, &methods::listPrompts},
    Method{"resources/directory/read", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isLongSkill, &methods::readDirectory},
    Method{"resources/list", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isLongSkillList, &methods::listResources},
    Method{"resources/read", ProtocolFamilies::Both, &permissionForResource, WaitsFor::Catalogue,
           &cost::isLongResource, &methods::readResource},
    Method{"resources/subscribe", ProtocolFamilies::Legacy, &permissionForResource,
           WaitsFor::Catalogue, &cost::isNeverLong, &methods::subscribeResource},
    Method{"resources/templates/list", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isLongTemplateList, &methods::listResourceTemplates},
    Method{"resources/unsubscribe", ProtocolFamilies::Legacy, &reading, WaitsFor::Nothing,
           &cost::isNeverLong, &methods::unsubscribeResource},
    Method{"server/discover", ProtocolFamilies::Modern, &nothing, WaitsFor::Nothing,
           &cost::isNeverLong, &methods::discover, Paced::No},
    Method{"skills/get", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue, &cost::isLongSkill,
           &methods::getSkill},
    Method{"skills/list", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isLongSkillList, &methods::listSkills},
    Method{"subscriptions/listen", ProtocolFamilies::Modern, &reading, WaitsFor::Nothing,
           &cost::isNeverLong, &methods::listenToSubscriptions},
    Method{"tools/call", ProtocolFamilies::Both, &permissionForTool, WaitsFor::Catalogue,
           &cost::isLongToolCall, &methods::callTool},
    Method{"tools/list", ProtocolFamilies::Both, &reading, WaitsFor::Catalogue,
           &cost::isLongToolList, &methods::listTools},
};
static_assert(std::is_sorted(table.begin(), table.end(),
                             [](const Method &a, const Method &b) { return a.name < b.name; }));

const Method *find(std::string_view name) {
  const auto found =
      std::lower_bound(table.begin(), table.end(), name,
                       [](const Method &method, std::string_view n) { return method.name < n; });
  return found == table.end() || found->name != name ? nullptr : &*found;
}

const Method *find(std::string_view name, ProtocolFamily family) {
  const Method *const found = find(name);
  if (found == nullptr) return nullptr;
  const ProtocolFamilies other =
      family == ProtocolFamily::Legacy ? ProtocolFamilies::Modern : ProtocolFamilies::Legacy;
  return found->families == other ? nullptr : found;
}

// The last line of defence: an exception in a step costs only its own call.
template <class Step> void carryOn(const CallPointer &call, Step step) noexcept {
  try {
    step();
  } catch (const std::exception &why) {
    call->failWithException(why);
  }
}

void run(const Method &method, const CallPointer &call) noexcept {
  carryOn(call, [&] { method.handle(call); });
  carryOn(call, [&] { call->startTimeout(); });
}

// A client that is alone waits only for itself. Among many clients, none waits for a long request
// of another one.
void start(const Method &method, const CallPointer &call) {
  constexpr std::chrono::milliseconds pause{1'000};
  LongRequests &longRequests = call->services().longRequests;
  if (call->session().client() == ClientSession::Client::Only || longRequests.isItsThread() ||
      !method.isLong(*call))
    return run(method, call);
  // The session owns the call until it is finished, also if the client cancels it.
  const auto begin = [&method, weak = std::weak_ptr(call)] {
    const CallPointer waiting = weak.lock();
    if (!waiting || waiting->isFinished()) return;
    if (!waiting->deadline().passed()) return run(method, waiting);
    carryOn(waiting, [&] { waiting->startTimeout(); }); // answers that it is too late
  };
  const std::string_view refusal = longRequests.add(clientOf(*call), begin);
  if (!refusal.empty()) refuseExcess(call, Fault::Unavailable, refusal, pause);
}

// Starts a call that may begin, once the first catalogue is there if the method needs one.
void admit(const Method &method, const CallPointer &call) {
  Services &services = call->services();
  if (method.paced == Paced::Yes && refusedByRate(call)) return;
  if (method.waitsFor == WaitsFor::Nothing ||
      (services.library.ready() && services.pluginTools.ready()))
    return start(method, call);
  using namespace std::chrono;
  const auto patience = services.settings.startupWait -
                        duration_cast<milliseconds>(steady_clock::now() - services.started);
  if (patience.count() <= 0) {
    services.answeredEarly = true;
    return start(method, call);
  }
  // The call begins with the first catalogue or at the end of patience, whichever comes first. The
  // session owns the call. These callbacks must not, because they may outlive both.
  auto begun = std::make_shared<std::atomic<bool>>(false);
  const auto begin = [&method, weak = std::weak_ptr<Call>(call), begun](bool early) {
    const CallPointer waiting = weak.lock();
    if (!waiting || begun->exchange(true) || waiting->isFinished()) return;
    if (early) waiting->services().answeredEarly = true;
    waiting->stopFollowing();
    carryOn(waiting, [&] { start(method, waiting); });
  };
  call->followListings();
  services.library.whenReady([begin, weak = std::weak_ptr<Call>(call)] {
    if (const CallPointer waiting = weak.lock())
      waiting->services().pluginTools.whenReady([begin] { begin(false); });
  });
  services.timer.after(patience, [begin] { begin(true); });
}

} // namespace

std::vector<std::string_view> methods::names() {
  std::vector<std::string_view> all;
  all.reserve(table.size());
  for (const Method &method : table) all.push_back(method.name);
  return all;
}

Permission neededPermission(const OwnTools &tools, const OwnResources &resources,
                            std::string_view method, const Json &params) {
  const Method *const known = find(method);
  return known == nullptr ? Permission::Read : known->need(tools, resources, params);
}

void route(const CallPointer &call) noexcept {
  carryOn(call, [&] {
    const Method *const method = find(call->method(), call->family());
    if (method == nullptr)
      return call->fail(
          {Fault::MethodNotFound, "Method not found: " + call->method().substr(0, 100)});
    authorize(call, [method, weak = std::weak_ptr<Call>(call)] {
      // The session owns the call until it is finished.
      if (const CallPointer known = weak.lock()) carryOn(known, [&] { admit(*method, known); });
    });
  });
}

} // namespace skillhost
