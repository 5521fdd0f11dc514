// SPDX-License-Identifier: Apache-2.0
#include "rpc/handshake.hpp"

#include "ground/json_text.hpp"
#include "rpc/revision.hpp"

namespace skillhost {
namespace {

constexpr std::string_view firstOfAll =
    "This server holds skills: instructions written for particular kinds of work. Before you start "
    "any task, call find_helpful_skills with the task in the user's words, or list_skills. When a "
    "skill fits, you MUST call load_skill and follow what it says before you write or run "
    "anything. Read the files a skill names with read_skill_document. ";
constexpr std::string_view ofSession =
    "A skill is loaded once; when you turn to other work, call unload_skill. ";
// The server remembers nothing for these clients. Only the data of a result has a digest.
constexpr std::string_view ofDigests =
    "Give load_skill the digest of a skill that you hold as known_digest: what has not changed is "
    "not sent again. ";
constexpr std::string_view lastOfAll = "Skills are never run by this server.";

constexpr std::string_view legacyCapabilities =
    R"({"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"logging":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}})";
} // namespace

std::string usualInstructions(Reader reader) {
  std::string out(firstOfAll);
  if (reader == Reader::Remembered) out += ofSession;
  if (reader == Reader::WithDigests) out += ofDigests;
  return out += lastOfAll;
}

std::string handshakeMembers(std::string_view requested, std::string_view version,
                             std::string_view instructionsJson) {
  std::string out = R"("protocolVersion":")";
  out += negotiate(requested);
  (out += R"(","capabilities":)") += legacyCapabilities;
  (out += R"(,"serverInfo":{"name":"skillhost","title":"skillhost","version":")") += version;
  (out += R"("},"instructions":)") += instructionsJson;
  return out;
}

std::string handshakeResult(std::string_view requested, std::string_view version) {
  std::string text;
  appendJsonString(text, usualInstructions(Reader::Remembered));
  return '{' + handshakeMembers(requested, version, text) + '}';
}

} // namespace skillhost
