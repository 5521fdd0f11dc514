// SPDX-License-Identifier: Apache-2.0
// The table of methods, and what is true of each before its function runs.
#include "admission.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <string_view>

namespace skillhost {
namespace {

enum class ProtocolFamilies : std::uint8_t { Legacy, Modern, Both };
enum class Needs : std::uint8_t { Nothing, Catalogue };
// Whether the rate limit counts it: all but what begins a session and keeps it alive.
enum class Paced : std::uint8_t { Yes, No };

struct Method {
  std::string_view name;
  ProtocolFamilies families;
  Needs needs; // Catalogue: right after the start the call waits for the first one, and for the
               // lists of plugins
  void (*handle)(const CallPointer &call);
  Paced paced = Paced::Yes;
};

constexpr std::array table{
    Method{"call_tool", ProtocolFamilies::Legacy, Needs::Catalogue, &methods::olderCallTool},
    Method{"completion/complete", ProtocolFamilies::Both, Needs::Catalogue, &methods::complete},
    Method{"initialize", ProtocolFamilies::Legacy, Needs::Nothing, &methods::initialize, Paced::No},
    Method{"list_tools", ProtocolFamilies::Legacy, Needs::Catalogue, &methods::olderListTools},
    Method{"logging/setLevel", ProtocolFamilies::Legacy, Needs::Nothing, &methods::setLogLevel},
    Method{"ping", ProtocolFamilies::Legacy, Needs::Nothing, &methods::ping, Paced::No},
    Method{"prompts/get", ProtocolFamilies::Both, Needs::Catalogue, &methods::getPrompt},
    Method{"prompts/list", ProtocolFamilies::Both, Needs::Catalogue, &methods::listPrompts},
    Method{"resources/directory/read", ProtocolFamilies::Both, Needs::Catalogue,
           &methods::readDirectory},
    Method{"resources/list", ProtocolFamilies::Both, Needs::Catalogue, &methods::listResources},
    Method{"resources/read", ProtocolFamilies::Both, Needs::Catalogue, &methods::readResource},
    Method{"resources/subscribe", ProtocolFamilies::Legacy, Needs::Catalogue,
           &methods::subscribeResource},
    Method{"resources/templates/list", ProtocolFamilies::Both, Needs::Catalogue,
           &methods::listResourceTemplates},
    Method{"resources/unsubscribe", ProtocolFamilies::Legacy, Needs::Nothing,
           &methods::unsubscribeResource},
    Method{"server/discover", ProtocolFamilies::Modern, Needs::Nothing, &methods::discover,
           Paced::No},
    Method{"skills/get", ProtocolFamilies::Both, Needs::Catalogue, &methods::getSkill},
    Method{"skills/list", ProtocolFamilies::Both, Needs::Catalogue, &methods::listSkills},
    Method{"subscriptions/listen", ProtocolFamilies::Modern, Needs::Nothing,
           &methods::listenToSubscriptions},
    Method{"tools/call", ProtocolFamilies::Both, Needs::Catalogue, &methods::callTool},
    Method{"tools/list", ProtocolFamilies::Both, Needs::Catalogue, &methods::listTools},
};
static_assert(std::is_sorted(table.begin(), table.end(),
                             [](const Method &a, const Method &b) { return a.name < b.name; }));

const Method *find(std::string_view name, ProtocolFamily family) {
  const auto found =
      std::lower_bound(table.begin(), table.end(), name,
                       [](const Method &method, std::string_view n) { return method.name < n; });
  if (found == table.end() || found->name != name) return nullptr;
  const ProtocolFamilies other =
      family == ProtocolFamily::Legacy ? ProtocolFamilies::Modern : ProtocolFamilies::Legacy;
  return found->families == other ? nullptr : &*found;
}

// The last line of defence: what a handler lets escape costs its own call, nothing else.
void run(const Method &method, const CallPointer &call) noexcept {
  try {
    method.handle(call);
  } catch (const std::exception &why) {
    call->fail({Fault::Internal, std::string("internal error: ") + why.what()});
  }
  call->watch();
}

// Of a call that may begin: waits for the first catalogue, if the method needs one.
void admit(const Method &method, const CallPointer &call) {
  Services &services = call->services();
  if (method.paced == Paced::Yes && refusedByRate(call)) return;
  if (method.needs == Needs::Nothing || (services.library.ready() && services.pluginTools.ready()))
    return run(method, call);
  using namespace std::chrono;
  const auto patience = services.settings.startupWait -
                        duration_cast<milliseconds>(steady_clock::now() - services.started);
  if (patience.count() <= 0) {
    services.answeredEarly = true;
    return run(method, call);
  }
  // Whichever comes first: the first catalogue, or the end of patience. The session keeps the call;
  // these must not, for they may outlive both.
  auto begun = std::make_shared<std::atomic<bool>>(false);
  const auto begin = [&method, weak = std::weak_ptr<Call>(call), begun](bool early) {
    const CallPointer waiting = weak.lock();
    if (!waiting || begun->exchange(true) || waiting->finished()) return;
    if (early) waiting->services().answeredEarly = true;
    waiting->stopFollowing();
    run(method, waiting);
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

void route(const CallPointer &call) {
  const Method *const method = find(call->method(), call->family());
  if (method == nullptr)
    return call->fail(
        {Fault::MethodNotFound, "Method not found: " + call->method().substr(0, 100)});
  authorize(call, [method, weak = std::weak_ptr<Call>(call)] {
    // The session keeps the call until it is finished.
    if (const CallPointer known = weak.lock()) admit(*method, known);
  });
}

} // namespace skillhost
