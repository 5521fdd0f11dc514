// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <string_view>

namespace soak {
namespace {

std::string method(std::string_view name, const std::string &params = "{}") {
  return R"("method":")" + std::string(name) + R"(","params":)" + params;
}

std::string tool(std::string_view name, const std::string &arguments = "{}") {
  return method("tools/call",
                R"({"name":")" + std::string(name) + R"(","arguments":)" + arguments + '}');
}

} // namespace

std::string anyCall(std::mt19937 &random, const std::vector<std::string> &skills) {
  const std::string skill = '"' + skills[random() % skills.size()] + '"';
  const std::string named = R"({"skill_name":)" + skill;
  const auto choice = random() % 100;
  if (choice < 35) return tool("load_skill", named + R"(,"force_reload":true})");
  if (choice < 50) return tool("load_skill", named + '}');
  if (choice < 62) return tool("read_skill_document", named + R"(,"document_path":"**/*.md"})");
  if (choice < 65) return tool("read_skill_document", named + '}');
  if (choice < 75)
    return tool("find_helpful_skills",
                R"({"task_description":"a number, and )" + std::to_string(random() % 500) + "\"}");
  if (choice < 80)
    return tool("list_skills", R"({"limit":20,"offset":)" + std::to_string(random() % 300) + '}');
  if (choice < 83) return tool("unload_skill", named + '}');
  if (choice < 85) return tool("get_loaded_skills_info");
  if (choice < 86) return tool("get_server_stats");
  if (choice < 88) return method("prompts/get", R"({"name":)" + skill + '}');
  if (choice < 89) return method("tools/list");
  if (choice < 90) return method("skills/list");
  if (choice < 91) return method("resources/read", R"({"uri":"skillhost://stats"})");
  if (choice < 92) return method("prompts/list");
  if (choice < 94)
    return tool("load_skill", R"({"skill_name":"no-such-)" + std::to_string(random()) + "\"}");
  if (choice < 95) return tool("load_skill", R"({"skill_name":7})");
  if (choice < 96) return method("no/such-" + std::to_string(random()));
  if (choice < 97) return method("resources/read", R"({"uri":"skill://no/such"})");
  return method("ping");
}

} // namespace soak
