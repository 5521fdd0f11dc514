// SPDX-License-Identifier: Apache-2.0
#include "lock/skills_lock.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "ground/json_text.hpp"
#include "ground/trusted_path.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::int64_t newestVersion = 1;
constexpr std::size_t digestDigits = 64;

std::string jsonText(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

bool isDigest(std::string_view text) { return isHexadecimal(text, digestDigits); }

// Reads a lock from JSON, or names the place of an error.
class LockReader {
public:
  explicit LockReader(const std::string &file) : file_(file) {}

  Result<SkillsLock> read(const Json &whole) {
    if (!whole.is_object() || !whole.contains("skills.lock"))
      return damaged("the file is not a skills.lock");
    const Json &version = whole["skills.lock"];
    if (!version.is_number_integer() || version < 1)
      return damaged("the member skills.lock is not a version number");
    if (version > newestVersion)
      return Failure{Fault::InvalidFormat,
                     file_ + ": it was written by a newer skillhost (version " + version.dump() +
                         "); this one reads version " + std::to_string(newestVersion)};
    const auto sources = whole.find("sources");
    if (sources == whole.end() || !sources->is_object()) return damaged("sources is not an object");
    for (const auto &[name, source] : sources->items())
      if (!readSource(source, lock_.sources[name])) return damaged("sources." + name + where_);
    return std::move(lock_);
  }

private:
  Failure damaged(const std::string &what) const {
    return {Fault::InvalidFormat,
            file_ + ": the file is damaged: " + what + "; write it again with skillhost lock"};
  }
  bool wrong(std::string where) {
    where_ = std::move(where) + ": is not as skillhost lock writes it";
    return false;
  }
  static bool isText(const Json &owner, const char *name) {
    return owner.contains(name) && owner[name].is_string();
  }
  bool readSource(const Json &source, SourceLock &to) {
    if (!source.is_object() || !isText(source, "plugin")) return wrong(".plugin");
    to.plugin = source["plugin"].get<std::string>();
    if (source.contains("snapshot")) {
      if (!isText(source, "snapshot")) return wrong(".snapshot");
      to.snapshot = source["snapshot"].get<std::string>();
    }
    const auto skills = source.find("skills");
    if (skills == source.end() || !skills->is_object()) return wrong(".skills");
    for (const auto &[name, documents] : skills->items()) {
      if (!documents.is_object()) return wrong(".skills." + name);
      LockedSkill &skill = to.skills[name];
      for (const auto &[path, document] : documents.items())
        if (!readDocument(document, skill[path])) return wrong(".skills." + name + '.' + path);
    }
    return true;
  }
  static bool readDocument(const Json &document, LockedDocument &to) {
    if (!document.is_object() || !isText(document, "blake3") || !document.contains("size") ||
        !document["size"].is_number_unsigned())
      return false;
    to.digest = document["blake3"].get<std::string>();
    to.size = document["size"].get<std::uint64_t>();
    to.executable = document.contains("executable") && document["executable"] == true;
    return isDigest(to.digest);
  }

  const std::string &file_;
  SkillsLock lock_;
  std::string where_;
};

void append(std::string &out, const LockedSkill &skill) {
  bool first = true;
  for (const auto &[path, document] : skill) {
    out += first ? "\n" : ",\n";
    out += "          " + jsonText(path) + R"(: {"size": )" + std::to_string(document.size) +
           R"(, "blake3": ")" + document.digest + '"';
    out += document.executable ? R"(, "executable": true})" : "}";
    first = false;
  }
}

} // namespace

Result<SkillsLock> SkillsLock::read(const std::string &file) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown))
    return {Fault::NotFound, file + ": it is a folder"};
  if (Status trusted = checkTrusted(file); !trusted) return std::move(trusted).failure();
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in)
    return {Fault::NotFound, file + ": " + std::generic_category().message(errno) +
                                 "; run skillhost lock to write it"};
  return parse(std::string{std::istreambuf_iterator<char>(in), {}}, file);
}

Result<SkillsLock> SkillsLock::parse(std::string_view text, const std::string &file) {
  const Result<Json> whole = parseJson(text);
  if (!whole)
    return {Fault::InvalidFormat, file + ": the file is damaged: " + whole.failure().message +
                                      "; write it again with skillhost lock"};
  return LockReader(file).read(*whole);
}

std::string SkillsLock::text() const {
  std::string out =
      "{\n  \"skills.lock\": " + std::to_string(newestVersion) + ",\n  \"sources\": {";
  bool firstSource = true;
  for (const auto &[name, source] : sources) {
    out += firstSource ? "\n    " : ",\n    ";
    out += jsonText(name) + ": {\n      \"plugin\": " + jsonText(source.plugin) + ",\n";
    if (!source.snapshot.empty()) out += "      \"snapshot\": " + jsonText(source.snapshot) + ",\n";
    out += "      \"skills\": {";
    bool firstSkill = true;
    for (const auto &[path, skill] : source.skills) {
      out += firstSkill ? "\n        " : ",\n        ";
      out += jsonText(path) + ": {";
      append(out, skill);
      out += "\n        }";
      firstSkill = false;
    }
    out += source.skills.empty() ? "}\n    }" : "\n      }\n    }";
    firstSource = false;
  }
  return out + (sources.empty() ? "}\n}\n" : "\n  }\n}\n");
}

std::string pluginName(std::string_view configured) {
  if (configured.find('/') == std::string_view::npos) return std::string(configured);
  return std::filesystem::path(configured).stem().string();
}

} // namespace skillhost
