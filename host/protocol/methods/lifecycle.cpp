// SPDX-License-Identifier: Apache-2.0
// initialize, ping, server/discover: who this server is and what it can do.
#include "base/json_text.hpp"
#include "client_session.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "protocol/handshake.hpp"
#include "services.hpp"

namespace skillhost {
namespace {

constexpr std::string_view instructions =
    "This server holds skills: instructions written for particular kinds of work. Before you start "
    "any task, call find_helpful_skills with the task in the user's words, or list_skills. When a "
    "skill fits, you MUST call load_skill and follow what it says before you write or run "
    "anything. "
    "Read the files a skill names with read_skill_document. A skill is loaded once; when you turn "
    "to "
    "other work, call unload_skill. Skills are never run by this server.";

constexpr std::string_view perSkillInstructions =
    "Each tool of this server that is named after a skill returns the instructions of that skill. "
    "Before you start any task, look through the tools; when one fits, you MUST call it and follow "
    "what it says before you write or run anything. Skills are never run by this server.";

std::string instructionsText(const Services &services) {
  std::string out;
  const std::string &own = services.settings.instructions;
  appendJsonString(out, !own.empty()                                 ? std::string_view(own)
                        : services.settings.expose == Expose::Skills ? perSkillInstructions
                                                                     : instructions);
  return out;
}

constexpr std::string_view legacyCapabilities =
    R"({"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"logging":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}})";
constexpr std::string_view modernCapabilities =
    R"({"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}})";

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
  appendJsonString(text, instructions);
  return '{' + handshake(requested, version, text) + '}';
}

void methods::initialize(const CallPointer &call) {
  const auto requested = requiredText(call, "protocolVersion");
  if (!requested) return;
  const auto capabilities = call->params().find("capabilities");
  if (capabilities != call->params().end() && capabilities->is_object())
    call->session().clientCapabilities.with([&](Json &own) { own = *capabilities; });
  call->session().shakeHands();
  call->result(Fragments(handshake(*requested, call->services().settings.version,
                                   instructionsText(call->services()))));
}

void methods::ping(const CallPointer &call) { call->result(Fragments{}); }

void methods::discover(const CallPointer &call) {
  Fragments out(R"("supportedVersions":[)");
  std::string_view comma = "\"";
  for (const std::string_view version : modernVersions) {
    out.append(comma).append(version).append("\"");
    comma = ",\"";
  }
  out.append(R"(],"capabilities":)")
      .append(modernCapabilities)
      .append(R"(,"instructions":)")
      .append(instructionsText(call->services()));
  call->result(out, cachedAsLongAsProgram);
}

} // namespace skillhost
