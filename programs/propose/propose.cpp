// SPDX-License-Identifier: Apache-2.0
#include "propose.hpp"

#include "conversation/open_server.hpp"
#include "ground/base64.hpp"
#include "ground/json_member.hpp"
#include "ground/shown.hpp"
#include "ground/utf8.hpp"
#include "mcp_client/greeting.hpp"
#include "skill_folder.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::chrono::seconds patience{120}; // as long as the server may take for such a tool
constexpr int neverStopped = -1;              // a signal ends the process

// A file may have a name that begins with a dot, and a folder may not.
bool liesInHiddenFolder(std::string_view path) {
  const std::string_view folder = path.substr(0, path.rfind('/') + 1); // empty if there is none
  return folder.starts_with('.') || folder.find("/.") != folder.npos;
}

// Returns the envelope of the tool's result. Throws if the server refuses the call.
Json askTool(const ProposeSettings &settings, const std::string &tool, Json arguments) {
  const Deadline deadline = Deadline::after(patience);
  ConnectSettings connect = settings.connect;
  connect.greeting = connect.patience; // waits for the server's own answer
  Result<GreetedServer> server =
      greet(remoteServer(connect, neverStopped), deadline, connect.version);
  if (!server) throw std::runtime_error(server.failure().message);
  Json params = server->params;
  params["name"] = tool;
  params["arguments"] = std::move(arguments);
  const Result<Conversation::Reply> reply =
      server->conversation.ask("tools/call", params, deadline);
  if (!reply) throw std::runtime_error(reply.failure().message);
  if (reply->refusal) throw std::runtime_error("the server refuses: " + reply->refusal->words);
  const Json &envelope = memberOf(reply->result, "structuredContent");
  if (envelope.is_object()) return envelope;
  // Another server, or one without an inbox, says only in words that it has no such tool.
  const Json &content = memberOf(reply->result, "content");
  const std::string_view words = content.is_array() && !content.empty()
                                     ? memberText(content.front(), "text")
                                     : std::string_view();
  throw std::runtime_error("the server takes no proposals: " +
                           (words.empty() ? "it does not answer as skillhost" : shownWords(words)));
}

void printFindings(std::FILE *to, const Json &findings) {
  if (!findings.is_array()) return;
  for (const Json &one : findings) {
    const std::string_view remedy = memberText(one, "remedy");
    printShown(to, "%s: %s: %s%s%s\n", shownLine(memberText(one, "file")).c_str(),
               shownLine(memberText(one, "severity")).c_str(),
               shownLine(memberText(one, "reason")).c_str(), remedy.empty() ? "" : "; ",
               shownLine(remedy).c_str());
  }
}

void printListed(const Json &proposals) {
  for (const Json &one : proposals) {
    const std::string_view reviewer = memberText(one, "reviewer");
    const std::string_view reason = memberText(one, "reason");
    printShown(stdout, "%s  %-8s  %s, on %s%s%s%s%s\n", shownLine(memberText(one, "id")).c_str(),
               shownLine(memberText(one, "state")).c_str(),
               shownLine(memberText(one, "name")).c_str(),
               shownLine(memberText(one, "when")).c_str(), reviewer.empty() ? "" : "; decided by ",
               shownLine(reviewer).c_str(), reason.empty() ? "" : ": ", shownLine(reason).c_str());
  }
}

int answer(const ProposeSettings &settings, const Json &envelope) {
  const bool succeeded = memberOf(envelope, "success") == true;
  const Json &data = memberOf(envelope, "data");
  const Json &error = memberOf(envelope, "error");
  if (settings.json) {
    printJsonText(stdout, (succeeded ? data : Json{{"error", error}})
                              .dump(2, ' ', false, Json::error_handler_t::replace));
    return succeeded ? 0 : 1;
  }
  if (!succeeded) {
    printShown(stderr, "skillhost: %s\n", shownLine(memberText(error, "message")).c_str());
    printFindings(stderr, memberOf(memberOf(error, "context"), "findings"));
    return 1;
  }
  if (settings.folder.empty()) {
    printListed(memberOf(data, "proposals"));
  } else {
    printFindings(stdout, memberOf(memberOf(data, "proposal"), "findings"));
    printShown(stdout, "%s\n", shownLine(memberText(data, "message")).c_str());
  }
  return 0;
}

} // namespace

FolderToPropose readFolderToPropose(const std::string &folder, const std::string &note) {
  FolderToPropose out;
  SkillDocuments documents = readSkillDocuments(folder);
  out.leftOut = std::move(documents.leftOut);
  Json files = Json::array();
  std::string name;
  for (store::File &file : documents.content.files) {
    if (liesInHiddenFolder(file.path)) {
      out.leftOut.emplace_back(folder + '/' + file.path,
                               "the name of its folder begins with a dot");
      continue;
    }
    if (file.path == "SKILL.md") {
      const std::string fallback = std::filesystem::path(folder).filename().string();
      Result<std::string> read = nameInDocument(file.bytes, fallback, folder + "/SKILL.md");
      if (!read) throw std::runtime_error(read.failure().message);
      name = *std::move(read);
    }
    Json one{{"path", file.path}};
    if (isUtf8(file.bytes))
      one["text"] = std::move(file.bytes);
    else
      one["base64"] = encodeBase64(file.bytes);
    if (file.executable) one["executable"] = true;
    files.push_back(std::move(one));
  }
  if (name.empty()) throw std::runtime_error(folder + ": there is no SKILL.md");
  out.arguments = Json{{"name", name}, {"files", std::move(files)}};
  if (!note.empty()) out.arguments["note"] = note;
  return out;
}

int proposeSkill(const ProposeSettings &settings) {
  if (settings.folder.empty())
    return answer(settings, askTool(settings, "list_proposals", Json::object()));
  FolderToPropose proposed = readFolderToPropose(settings.folder, settings.note);
  for (const auto &[path, why] : proposed.leftOut)
    printShown(stderr, "skillhost: %s is left out: %s\n", shownLine(path).c_str(), why.c_str());
  return answer(settings, askTool(settings, "propose_skill", std::move(proposed.arguments)));
}

} // namespace skillhost
