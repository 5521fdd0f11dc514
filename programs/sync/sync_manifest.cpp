// SPDX-License-Identifier: Apache-2.0
#include "sync_manifest.hpp"

#include "base/fault.hpp"
#include "ground/json.hpp"
#include "ground/json_member.hpp"
#include "ground/read_file.hpp"
#include "ground/replace_file.hpp"
#include "skillmd/name_rules.hpp"
#include "store/names.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

namespace skillhost::sync {
namespace {

constexpr int manifestFormat = 1;
constexpr std::size_t maxManifestBytes = std::size_t{64} << 20U;
constexpr std::size_t digestDigits = 64;

std::string manifestPath(const std::string &folder) {
  return folder + '/' + std::string(manifestName);
}

bool isDigest(const Json &value) {
  return value.is_string() && value.get_ref<const std::string &>().size() == digestDigits &&
         value.get_ref<const std::string &>().find_first_not_of("0123456789abcdef") ==
             std::string::npos;
}

Json filesAsJson(const FileStates &files) {
  Json out = Json::object();
  for (const auto &[path, file] : files) {
    out[path] = {{"sha256", file.digest}};
    if (file.executable) out[path]["executable"] = *file.executable;
  }
  return out;
}

// Returns nothing if the value is not a list of files.
std::optional<FileStates> filesIn(const Json &value) {
  if (!value.is_object()) return std::nullopt;
  FileStates files;
  for (const auto &[path, file] : value.items()) {
    const Json &digest = memberOf(file, "sha256"), &executable = memberOf(file, "executable");
    if (!store::faultInPath(path).empty() || !isDigest(digest)) return std::nullopt;
    if (!executable.is_null() && !executable.is_boolean()) return std::nullopt;
    FileState &state = files[path];
    state.digest = digest.get<std::string>();
    if (executable.is_boolean()) state.executable = executable.get<bool>();
  }
  return files;
}

// Returns the fault of the text; empty if there is none.
std::string readManifest(std::string_view text, SyncManifest &manifest) {
  const Result<Json> json = parseJson(text);
  if (!json) return json.failure().message;
  const Json &format = memberOf(*json, "format"), &skills = memberOf(*json, "skills");
  if (!format.is_number_unsigned()) return "it has no number \"format\"";
  if (format.get<std::uint64_t>() > manifestFormat)
    return "a newer skillhost has written it (format " + format.dump() + "): update skillhost";
  if (!skills.is_object()) return "it has no object \"skills\"";
  manifest.keepsExecutables = memberOf(*json, "executables") != false;
  for (const auto &[name, skill] : skills.items()) {
    if (!brokenNameRule(name).empty()) return '"' + name + "\" is no name of a skill";
    const Json &origin = memberOf(skill, "origin"), &next = memberOf(skill, "next"),
               &uri = memberOf(skill, "uri");
    std::optional<FileStates> files = filesIn(memberOf(skill, "files"));
    if (!files || !origin.is_string() || !(uri.is_null() || uri.is_string()))
      return "its entry of the skill " + name + " is damaged";
    WrittenSkill &written = manifest.skills[name];
    written = {origin.get<std::string>(), *std::move(files), filesIn(next),
               uri.is_string() ? uri.get<std::string>() : std::string()};
    if (!next.is_null() && !written.next) return "its entry of the skill " + name + " is damaged";
  }
  return {};
}

} // namespace

Result<SyncManifest> SyncManifest::read(const std::string &folder) {
  SyncManifest manifest;
  const std::string path = manifestPath(folder);
  const Result<std::string> text = readFile(path, maxManifestBytes, FileKind::Regular);
  if (!text && text.failure().fault == Fault::NotFound) return manifest;
  const std::string wrong = text ? readManifest(*text, manifest) : text.failure().message;
  if (wrong.empty()) return manifest;
  return {Fault::InvalidFormat,
          path + ": " + wrong +
              ". Nothing is changed in this folder. Restore the file, or remove it together with "
              "the skills that skillhost has written"};
}

std::string SyncManifest::text() const {
  Json out{{"about",
            "skillhost sync has written these skills and replaces or removes them again, except "
            "those that somebody has changed"},
           {"format", manifestFormat}};
  if (!keepsExecutables) out["executables"] = false;
  Json &all = out["skills"] = Json::object();
  for (const auto &[name, skill] : skills) {
    Json one{{"origin", skill.origin}, {"files", filesAsJson(skill.files)}};
    if (skill.next) one["next"] = filesAsJson(*skill.next);
    if (!skill.uri.empty()) one["uri"] = skill.uri;
    all[name] = std::move(one);
  }
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Status SyncManifest::write(const std::string &folder) const {
  const std::string path = manifestPath(folder);
  if (!skills.empty()) return replaceFile(path, text(), FileReaders::Everybody, FileLinks::Replace);
  removeDraft(path);
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return Done{};
  return {Fault::OperationFailed,
          path + ": cannot be removed: " + std::generic_category().message(errno)};
}

} // namespace skillhost::sync
