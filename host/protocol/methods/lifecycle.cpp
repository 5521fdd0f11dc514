// SPDX-License-Identifier: Apache-2.0
// initialize, ping, server/discover: who this server is and what it can do.
#include "client_session.hpp"
#include "ground/json_text.hpp"
#include "known_clients.hpp"
#include "loading.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "protocol/handshake.hpp"
#include "services.hpp"
#include "skill_tools.hpp"

namespace skillhost {
namespace {

constexpr std::string_view firstOfAll =
    "This server holds skills: instructions written for particular kinds of work. Before you start "
    "any task, call find_helpful_skills with the task in the user's words, or list_skills. When a "
    "skill fits, you MUST call load_skill and follow what it says before you write or run "
    "anything. Read the files a skill names with read_skill_document. ";
constexpr std::string_view ofSession =
    "A skill is loaded once; when you turn to other work, call unload_skill. ";
// Nothing remembers for them what is loaded. Only the data of a result has a digest.
constexpr std::string_view ofDigests =
    "Give load_skill the digest of a skill that you hold as known_digest: what has not changed is "
    "not sent again. ";
constexpr std::string_view lastOfAll = "Skills are never run by this server.";

std::string instructions(bool session, ResultForm form) {
  std::string out(firstOfAll);
  if (session)
    out += ofSession;
  else if (form != ResultForm::Text)
    out += ofDigests;
  return out += lastOfAll;
}

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
  else if (exposed(services, seen) == Expose::Skills)
    appendJsonString(out, perSkillInstructions);
  else
    appendJsonString(out, instructions(call->remembers(), call->resultForm()));
  return out;
}

constexpr std::string_view legacyCapabilities =
    R"({"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"logging":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}})";
// Only what plugins say of a call goes to clients of this era, and only to who asks for it.
constexpr std::string_view modernCapabilities =
    R"("tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}})";

constexpr std::size_t largestHandshake = 64U << 10U; // bytes

std::string handshake(std::string_view requested, std::string_view version,
                      std::string_view instructionsJson) {
  std::string out = R"("protocolVersion":")";
  out += negotiate(requested);
  (out += R"(","capabilities":)") += legacyCapabilities;
  (out += R"(,"serverInfo":{"name":"skillhost","title":"skillhost","version":")") += version;
  (out += R"("},"instructions":)") += instructionsJson;
  return out;
}

} // namespace

std::string handshakeResult(std::string_view requested, std::string_view version) {
  std::string text;
  appendJsonString(text, instructions(true, ResultForm::Both));
  return '{' + handshake(requested, version, text) + '}';
}

void methods::initialize(const CallPointer &call) {
  // A session keeps what is said here for as long as it lives.
  if (call->bytes() > largestHandshake)
    return call->fail({Fault::InvalidParams,
                       "an initialize has at most " + std::to_string(largestHandshake) + " bytes"});
  const auto requested = requiredText(call, "protocolVersion");
  if (!requested) return;
  const auto capabilities = call->params().find("capabilities");
  if (capabilities != call->params().end() && capabilities->is_object())
    call->session().clientCapabilities.with([&](std::string &own) { own = capabilities->dump(); });
  const std::string_view client = clientName(call->params(), "clientInfo");
  call->about(client);
  call->session().shakeHands(resultFormFor(client));
  call->result(Fragments(handshake(*requested, call->services().settings.version,
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
  // Whether the skills are tools of their own depends on how many there are.
  const ProtocolSettings &settings = call->services().settings;
  const bool ours = settings.instructions.empty();
  const bool dependsOnSkills = settings.expose == Expose::Skills && ours;
  Caching caching = dependsOnSkills ? cachedBriefly : cachedAsLongAsProgram;
  // Without a session hosts are told other words than programs: as with tools/list.
  caching.shared = !ours || call->remembers() || settings.results != Results::Auto;
  if (dependsOnSkills) return answerList(call, out, *catalogue, caching);
  call->result(out, caching);
}

} // namespace skillhost
