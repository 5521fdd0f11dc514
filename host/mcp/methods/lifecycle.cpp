// SPDX-License-Identifier: Apache-2.0
// initialize, ping and server/discover say what this server is and what it can do.
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "rpc/handshake.hpp"
#include "rpc/known_clients.hpp"
#include "skill_tools.hpp"

namespace skillhost {
namespace {

constexpr std::string_view perSkillInstructions =
    "Each tool of this server that is named after a skill returns the instructions of that skill. "
    "Before you start any task, look through the tools; when one fits, you MUST call it and follow "
    "what it says before you write or run anything. When no tool is named after a skill, call "
    "find_helpful_skills and load_skill instead. Skills are never run by this server.";

std::string instructionsText(const CallPointer &call,
                             const std::shared_ptr<const Catalogue> &seen) {
  Services &services = call->services();
  std::string out;
  if (!services.settings.instructions.empty())
    appendJsonString(out, services.settings.instructions);
  else if (exposedTools(services, seen) == Expose::Skills)
    appendJsonString(out, perSkillInstructions);
  else
    appendJsonString(out, usualInstructions(call->remembers() ? Reader::Remembered
                                            : call->resultForm() != ResultForm::Text
                                                ? Reader::WithDigests
                                                : Reader::Other));
  return out;
}

// Clients of this family get no other log than plugins' messages about a call, and only if they
// ask.
constexpr std::string_view modernCapabilities =
    R"("tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}})";

constexpr std::size_t largestHandshake = 64U << 10U; // bytes
constexpr std::size_t longestClientName = 100;       // bytes of it that are kept

} // namespace

void methods::initialize(const CallPointer &call) {
  // A session keeps these values as long as it exists.
  if (call->bytes() > largestHandshake)
    return call->fail({Fault::InvalidParams,
                       "an initialize has at most " + std::to_string(largestHandshake) + " bytes"});
  const auto requested = requiredText(call, "protocolVersion");
  if (!requested) return;
  const auto capabilities = call->params().find("capabilities");
  if (capabilities != call->params().end() && capabilities->is_object())
    call->session().clientCapabilities.with([&](std::string &own) {
      // The id of a session over HTTP has no room for other capabilities.
      own = call->session().client() == ClientSession::Client::Only
                ? capabilities->dump()
                : capabilitiesText(capabilityFlags(*capabilities));
    });
  const std::string_view client = clientName(call->params(), "clientInfo");
  call->addToLogLine(client);
  call->session().clientName.with(
      [&](std::string &own) { own = cutUtf8(client, longestClientName); });
  call->session().shakeHands(resultFormFor(client));
  call->result(Fragments(handshakeMembers(*requested, call->services().settings.version,
                                          instructionsText(call, call->catalogue()))));
}

void methods::ping(const CallPointer &call) { call->result(Fragments{}); }

void methods::discover(const CallPointer &call) {
  const auto catalogue = call->catalogue();
  Fragments out(R"("supportedVersions":[)");
  std::string_view comma = "\"";
  for (const std::string_view version : modernVersions) {
    out.append(comma).append(version).append("\"");
    comma = ",\"";
  }
  out.append(R"(],"capabilities":{)")
      .append(call->services().settings.toolPlugins ? R"("logging":{},)" : "")
      .append(modernCapabilities)
      .append(R"(,"instructions":)")
      .append(instructionsText(call, catalogue));
  // The number of skills decides if they are tools of their own.
  const ProtocolSettings &settings = call->services().settings;
  const bool ours = settings.instructions.empty();
  const bool dependsOnSkills = settings.expose == Expose::Skills && ours;
  Caching caching = dependsOnSkills ? cachedBriefly : cachedAsLongAsProgram;
  // Without a session, hosts and programs get different words, as with tools/list.
  caching.shared = !ours || call->remembers() || settings.results != Results::Auto;
  if (dependsOnSkills) return answerList(call, out, *catalogue, caching);
  call->result(std::move(out), caching);
}

} // namespace skillhost
