// SPDX-License-Identifier: Apache-2.0
#include "skill_texts.hpp"

#include "catalogue_summary.hpp"
#include "ground/edit_distance.hpp"
#include "ground/json_text.hpp"
#include "ground/text.hpp"
#include "ground/time_text.hpp"
#include "ground/utf8.hpp"
#include "mcp/authorization.hpp"
#include "mcp/call.hpp"
#include "mcp/services.hpp"
#include "skills/provenance.hpp"
#include "skills/source_skills.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

namespace skillhost {
namespace {

// Returns why the lock withholds the skill in the folder of that name; null if it withholds none. A
// caller who may not see all skills sees no findings, and so gets null.
const Finding *withdrawal(const Catalogue &catalogue, std::string_view name) {
  const std::string last = "/" + std::string(name);
  const auto &all = catalogue.findings();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Finding &finding) {
    return finding.code == notLockedCode && (finding.file == name || finding.file.ends_with(last));
  });
  return found == all.end() ? nullptr : &*found;
}

} // namespace

void appendShortSkill(std::string &out, const CatalogueEntry &entry) {
  out += R"({"name":)";
  appendJsonString(out, entry.name);
  out += R"(,"description":)";
  appendJsonString(out, shortDescription(entry));
  if (entry.skill->fields.autoActivate) out += R"(,"auto_activate":true)";
  out += R"(,"estimated_tokens":)" + std::to_string(entry.skill->estimatedTokens) + '}';
}

std::string shortDescription(const CatalogueEntry &entry) {
  constexpr std::size_t most = 160; // bytes
  return firstSentence(entry.skill->fields.description, most);
}

std::string listedDescription(const Skill &skill) {
  constexpr std::size_t most = 1024; // characters
  const std::string &text = skill.fields.description;
  return cutBetweenWords(text, firstCharacters(text, most).size());
}

void appendSkill(std::string &out, const CatalogueEntry &entry) {
  const SkillFields &fields = entry.skill->fields;
  const auto member = [&](std::string_view name, const std::string &value) {
    if (value.empty()) return;
    ((out += ",\"") += name) += "\":";
    appendJsonString(out, value);
  };
  out += R"({"name":)";
  appendJsonString(out, entry.name);
  member("title", fields.title);
  member("description", listedDescription(*entry.skill));
  member("category", fields.category);
  if (!fields.keywords.empty()) {
    out += R"(,"keywords":)";
    char before = '[';
    for (const std::string &keyword : fields.keywords) {
      out += before;
      appendJsonString(out, keyword);
      before = ',';
    }
    out += ']';
  }
  member("version", fields.version);
  if (fields.autoActivate) out += R"(,"auto_activate":true)";
  out += R"(,"estimated_tokens":)" + std::to_string(entry.skill->estimatedTokens) + '}';
}

std::string factsMember(const Call &call, const Catalogue &catalogue, const Skill &skill) {
  // A caller without an identity may be on any machine.
  const bool isManager = call.principal() != nullptr && mayManage(call);
  const LocalPaths paths = call.services().reader.local() ? LocalPaths::ForReader
                           : isManager                    ? LocalPaths::All
                                                          : LocalPaths::Hidden;
  std::string facts = factsOf(catalogue, skill, paths);
  if (!facts.empty()) facts.insert(0, R"("org.skillhost/facts":)");
  return facts;
}

std::vector<std::string> similarNames(const Catalogue &catalogue, std::string_view name) {
  constexpr std::size_t longest = 100, shown = 3;
  if (name.size() > longest) return {};
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const CatalogueEntry &entry : catalogue.entries()) {
    if (entry.name.size() > 2 * longest || !entry.isForModels()) continue;
    const bool part = !name.empty() && entry.name.find(name) != std::string::npos;
    const std::size_t most = std::max<std::size_t>(2, name.size() / 3);
    const auto [shorter, longer] = std::minmax({name.size(), entry.name.size()});
    if (!part && longer - shorter > most) continue; // too far apart by length alone
    const std::size_t far = part ? 1 : editDistance(name, entry.name);
    if (far <= most) found.emplace_back(far, entry.name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(shown, found.size()); ++i) names.push_back(found[i].second);
  return names;
}

UnknownSkill unknownSkill(const Catalogue &catalogue, std::string_view name) {
  const std::vector<std::string> similar = similarNames(catalogue, name);
  UnknownSkill out;
  out.message = "No skill is named \"" + std::string(cutUtf8(name, 200)) + "\".";
  for (std::size_t i = 0; i < similar.size(); ++i)
    out.message += (i == 0 ? " Did you mean \"" : "\", \"") + similar[i];
  out.message += similar.empty() ? " Call list_skills to see what there is." : "\"?";
  if (const Finding *const why = withdrawal(catalogue, name))
    out.message =
        "The skill " + why->file + " is withheld: " + why->message + "; " + why->advice + ".";
  Json context{{"status", "error"}, {"skill_name", cutUtf8(name, 200)}};
  if (!similar.empty()) context["similar"] = similar;
  out.context = context.dump(-1, ' ', false, Json::error_handler_t::replace);
  return out;
}

std::optional<Failure> unreadableSkill(const Catalogue &catalogue, std::string_view name) {
  for (const Finding &finding : catalogue.findings()) {
    if (finding.code != unreadableCode) continue;
    const std::string_view file = finding.file;
    const std::string_view folder = file.substr(0, file.rfind('/'));
    const std::size_t slash = folder.rfind('/');
    if (folder != name && (slash == folder.npos || folder.substr(slash + 1) != name)) continue;
    std::string_view why = finding.message;
    if (why.starts_with(unreadableWords)) why.remove_prefix(unreadableWords.size());
    return Failure{Fault::Internal, "Unable to read " +
                                        std::string(file.substr(file.rfind('/') + 1)) +
                                        " file: " + std::string(why)};
  }
  return std::nullopt;
}

std::string timestamp(std::chrono::system_clock::time_point time) {
  // Many are asked for in one second, so the last one is kept.
  thread_local std::time_t last = -1;
  thread_local std::string kept;
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  if (seconds != last) {
    kept = timeText(seconds);
    last = seconds;
  }
  return kept;
}

std::string_view mimeType(std::string_view path) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Pair, 36> types{{
      {"bash", "text/x-shellscript"},
      {"c", "text/x-c"},
      {"cpp", "text/x-c++"},
      {"css", "text/css"},
      {"csv", "text/csv"},
      {"gif", "image/gif"},
      {"go", "text/x-go"},
      {"h", "text/x-c"},
      {"htm", "text/html"},
      {"html", "text/html"},
      {"java", "text/x-java"},
      {"jpeg", "image/jpeg"},
      {"jpg", "image/jpeg"},
      {"js", "text/javascript"},
      {"json", "application/json"},
      {"md", "text/markdown"},
      {"mjs", "text/javascript"},
      {"pdf", "application/pdf"},
      {"pl", "text/x-perl"},
      {"png", "image/png"},
      {"py", "text/x-python"},
      {"r", "text/x-r"},
      {"rb", "text/x-ruby"},
      {"rs", "text/x-rust"},
      {"rst", "text/x-rst"},
      {"sh", "text/x-shellscript"},
      {"sql", "application/sql"},
      {"svg", "image/svg+xml"},
      {"tex", "text/x-tex"},
      {"toml", "application/toml"},
      {"ts", "text/typescript"},
      {"txt", "text/plain"},
      {"webp", "image/webp"},
      {"xml", "application/xml"},
      {"yaml", "application/yaml"},
      {"yml", "application/yaml"},
  }};
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return "text/plain";
  const std::string ending = asciiLowered(path.substr(dot + 1));
  const auto found =
      std::lower_bound(types.begin(), types.end(), std::string_view(ending),
                       [](const Pair &a, std::string_view b) { return a.first < b; });
  if (found == types.end() || found->first != ending) return "application/octet-stream";
  return found->second;
}

} // namespace skillhost
