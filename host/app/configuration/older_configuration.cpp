// SPDX-License-Identifier: Apache-2.0
#include "configuration/older_configuration.hpp"

#include "base/repository_page.hpp"
#include "configuration/source_names.hpp"
#include "settings/members.hpp"
#include "settings/paths.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

namespace skillhost::app {
namespace {

constexpr std::string_view sourcesKey = "skill_sources";
constexpr std::string_view tokenKey = "github_api_token";
constexpr std::string_view updateKey = "auto_update_enabled";
constexpr std::string_view modelKey = "embedding_model";
constexpr std::string_view intervalKey = "auto_update_interval_minutes";
// Every file of the older servers has these keys. They are ignored, because this server solves the
// same tasks in another way.
constexpr std::array<std::string_view, 4> withoutEffect{
    "load_skill_documents", "max_image_size_bytes", "allowed_image_extensions",
    "text_file_extensions"};

bool isWithoutEffect(std::string_view name) {
  return std::find(withoutEffect.begin(), withoutEffect.end(), name) != withoutEffect.end();
}

bool isText(const Written *value) {
  return value != nullptr && value->kind == Written::Kind::Text && !value->text.empty();
}

// JSON has no comments, so people write them as keys: "comment_max_chars", "_comment", "//".
bool isComment(std::string_view name) {
  return name.starts_with("comment") || name.starts_with("_") || name.starts_with("//");
}

// Returns the value with the line and column of another one.
Written at(const Written &place, Written value) {
  value.line = place.line;
  value.column = place.column;
  return value;
}

Member member(const Written &place, std::string name, Written value) {
  return {std::move(name), place.line, place.column, at(place, std::move(value))};
}

Written container(const Written &place, Written::Kind kind) {
  Written value;
  value.kind = kind;
  return at(place, std::move(value));
}

// "https://github.com/org/repo.git" → "https://github.com/org/repo"
std::string_view withoutSuffix(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  if (url.ends_with(".git")) url.remove_suffix(4);
  return url;
}

class Translator {
public:
  Translator(Reading &reading, const Written &older) : reading_(reading), older_(older) {
    const Written *update = older.find(updateKey);
    watch_ = update == nullptr || update->kind != Written::Kind::Boolean || update->boolean;
  }

  Written sources(const Written &list) {
    Written out = container(list, Written::Kind::List);
    reading_.key = sourcesKey;
    if (list.kind != Written::Kind::List)
      reading_.problem(list, "expected a list of sources, found " + list.described());
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      reading_.key = std::string(sourcesKey) + '[' + std::to_string(i) + ']';
      source(list.items[i], out);
    }
    reading_.key.clear();
    return out;
  }

  // Returns the section `search` for the model, if the model's folder exists. Otherwise a warning
  // says how to get the model, which the older servers fetched themselves.
  std::optional<Member> search(const Member &model, std::vector<std::string> &warnings) const {
    if (!isText(&model.value)) return std::nullopt;
    const std::string folder = modelFolder(model.value.text);
    std::error_code unknown;
    if (std::filesystem::exists(std::filesystem::path(folder) / "config.json", unknown)) {
      Written config = container(model.value, Written::Kind::Map);
      config.members.push_back(member(model.value, "model", Written::ofText(folder)));
      Written search = container(model.value, Written::Kind::Map);
      search.members.push_back(member(model.value, "plugin", Written::ofText("hybrid")));
      search.members.push_back(member(model.value, "config", std::move(config)));
      return member(model.value, "search", std::move(search));
    }
    const bool isFetched = folder.ends_with("/all-MiniLM-L6-v2");
    warnings.push_back(reading_.origin + ':' + std::to_string(model.value.line) + ':' +
                       std::to_string(model.value.column) + ": " + std::string(modelKey) +
                       ": there is no model in " + folder +
                       ", so skills are found by their words alone: " +
                       (isFetched ? "run skillhost model fetch"
                                  : "put the model there as sentence-transformers writes it") +
                       ", or take this out");
    return std::nullopt;
  }

private:
  // Returns the folder of a model. For a name it is the folder into which `skillhost model fetch`
  // puts the model; "sentence-transformers/NAME" is the same model as "NAME".
  std::string modelFolder(const std::string &model) const {
    if (model.starts_with('/') || model.starts_with('~') || model.starts_with('.'))
      return absolutePath(model, reading_.folder, reading_.surroundings);
    std::string data = reading_.surroundings.variable("XDG_DATA_HOME");
    if (data.empty()) data = reading_.surroundings.variable("HOME") + "/.local/share";
    return data + "/skillhost/models/" + model.substr(model.rfind('/') + 1);
  }

  void source(const Written &entry, Written &out) {
    const Written *type = entry.find("type");
    if (!isText(type) || (type->text != "github" && type->text != "local"))
      return reading_.problem(type != nullptr ? *type : entry,
                              R"(the type must be "github" or "local")");
    const bool local = type->text == "local";
    const Written *place = entry.find(local ? "path" : "url");
    if (!isText(place))
      return reading_.problem(entry, local ? "a path is missing: write for instance \"path\": "
                                             "\"~/.claude/skills\""
                                           : "a url is missing: write for instance \"url\": "
                                             "\"https://github.com/org/repo\"");
    if (!local)
      if (const std::string wrong = repositoryPage(place->text).problem; !wrong.empty())
        return reading_.problem(*place, wrong);
    const std::string name =
        nameForPath(local ? absolutePath(place->text, reading_.folder, reading_.surroundings)
                          : std::string(withoutSuffix(repositoryPage(place->text).url)),
                    taken_);
    taken_.push_back(SourceConfiguration{name});
    Written made = container(entry, Written::Kind::Map);
    made.members.push_back(member(entry, "name", Written::ofText(name)));
    made.members.push_back(
        member(entry, "plugin", Written::ofText(local ? "filesystem" : "github")));
    made.members.push_back(
        member(entry, "config", local ? localConfig(*place) : githubConfig(entry, *place)));
    out.items.push_back(std::move(made));
  }

  Written localConfig(const Written &path) {
    Written config = container(path, Written::Kind::Map);
    Written directories = container(path, Written::Kind::List);
    directories.items.push_back(
        at(path, Written::ofText(absolutePath(path.text, reading_.folder, reading_.surroundings))));
    config.members.push_back(member(path, "directories", std::move(directories)));
    // The older servers ignore a folder that does not exist.
    config.members.push_back(member(path, "optional", plainScalar("true")));
    if (!watch_) config.members.push_back(member(path, "watch", Written::ofText("off")));
    return config;
  }

  Written githubConfig(const Written &entry, const Written &url) {
    Written config = container(url, Written::Kind::Map);
    const RepositoryPage page = repositoryPage(url.text);
    config.members.push_back(member(url, "url", Written::ofText(page.url)));
    if (!page.ref.empty()) config.members.push_back(member(url, "ref", Written::ofText(page.ref)));
    if (const Written *subpath = entry.find("subpath"); isText(subpath))
      config.members.push_back(member(*subpath, "subpath", *subpath));
    else if (!page.folder.empty())
      config.members.push_back(member(url, "subpath", Written::ofText(page.folder)));
    // The token was made for GitHub, so no other server may receive it.
    if (const Written *token = older_.find(tokenKey);
        isText(token) && url.text.starts_with("https://github.com/"))
      config.members.push_back(member(*token, "token", *token));
    const Written *interval = older_.find(intervalKey);
    if (!watch_)
      config.members.push_back(member(url, "refresh_minutes", plainScalar("0")));
    else if (interval != nullptr && interval->kind != Written::Kind::Null)
      config.members.push_back(member(*interval, "refresh_minutes", *interval));
    return config;
  }

  Reading &reading_;
  const Written &older_;
  bool watch_ = true;
  std::vector<SourceConfiguration> taken_;
};

} // namespace

bool isOlderConfiguration(const Written &document) noexcept {
  return document.find(sourcesKey) != nullptr || document.find(tokenKey) != nullptr ||
         document.find(updateKey) != nullptr || document.find(intervalKey) != nullptr ||
         document.find(modelKey) != nullptr ||
         std::any_of(withoutEffect.begin(), withoutEffect.end(),
                     [&](std::string_view name) { return document.find(name) != nullptr; });
}

Written translateOlderConfiguration(Reading &reading, const Written &older,
                                    std::vector<std::string> &warnings) {
  Translator translator(reading, older);
  const std::vector<std::string> known = keyNamesIn(hostKeys(), "");
  Written out = container(older, Written::Kind::Map);
  for (const Member &one : older.members) {
    if (one.name == sourcesKey)
      out.members.push_back({"sources", one.line, one.column, translator.sources(one.value)});
    // A section `search` would win.
    else if (one.name == modelKey && older.find("search") == nullptr) {
      if (auto search = translator.search(one, warnings)) out.members.push_back(*std::move(search));
    } else if (std::find(known.begin(), known.end(), one.name) != known.end() ||
               !absentKey(one.name).empty()) // it is refused as in any other file
      out.members.push_back(one);
    else if (one.name != tokenKey && one.name != updateKey && one.name != intervalKey &&
             one.name != modelKey && !isWithoutEffect(one.name) && !isComment(one.name))
      warnings.push_back(reading.origin + ':' + std::to_string(one.line) + ':' +
                         std::to_string(one.column) + ": " + unknownKey(one.name, known) +
                         "; it is left out");
  }
  return out;
}

} // namespace skillhost::app
