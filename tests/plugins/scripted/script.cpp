// SPDX-License-Identifier: Apache-2.0
#include "script.hpp"

#include <fstream>
#include <iterator>

namespace scripted {
namespace {

using nlohmann::json;

std::string fromHex(const std::string &hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
  return bytes;
}

// Returns the bytes of a string, or of {"hex": "ff00"} for bytes that JSON cannot carry.
std::string bytesOf(const json &value, const char *key, const std::string &fallback = {}) {
  const auto found = value.find(key);
  if (found == value.end()) return fallback;
  if (found->is_object()) return fromHex(found->value("hex", ""));
  return found->get<std::string>();
}

// Returns the FNV-1a hash, which is enough to distinguish two texts of a test.
std::string fingerprint(const std::string &text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return std::to_string(hash);
}

Entry entryOf(const json &value) {
  const std::string text = bytesOf(value, "text");
  Entry entry;
  entry.skill = bytesOf(value, "skill");
  entry.path = bytesOf(value, "path", "SKILL.md");
  entry.revision = bytesOf(value, "revision", fingerprint(text));
  entry.location = bytesOf(value, "location");
  entry.served = bytesOf(value, "served", text);
  entry.length = value.value("length", std::uint64_t{text.size()});
  if (value.value("length_unknown", false)) entry.length = UINT64_MAX;
  if (value.value("entry", entry.path == "SKILL.md")) entry.flags |= SKH_DOC_ENTRY;
  if (value.value("executable", false)) entry.flags |= SKH_DOC_EXECUTABLE;
  return entry;
}

std::optional<Misdeed> misdeedOf(const json &value, const char *key) {
  const auto found = value.find(key);
  if (found == value.end()) return std::nullopt;
  return Misdeed{found->value("do", "FAILED"), found->value("message", "scripted failure"),
                 found->value("fifo", ""), found->value("after", std::size_t{0})};
}

} // namespace

Script Script::parse(const json &value) try {
  Script script;
  std::string all;
  for (const json &each : value.value("documents", json::array())) {
    script.documents.push_back(entryOf(each));
    const Entry &entry = script.documents.back();
    all += entry.skill + '\n' + entry.path + '\n' + entry.revision + '\n';
  }
  script.snapshot = bytesOf(value, "snapshot", fingerprint(all));
  script.doneCalls = value.value("done_calls", std::size_t{1});
  script.addAfterDone = value.value("add_after_done", false);
  script.ignoreRefusal = value.value("ignore_refusal", false);
  script.history = value.value("history", true);
  script.create = misdeedOf(value, "create");
  for (const auto &told : value.value("health", json::array()))
    script.health.emplace_back(told.value("state", 0), bytesOf(told, "why"));
  script.list = misdeedOf(value, "list");
  script.read = misdeedOf(value, "read");
  script.changes = misdeedOf(value, "changes");
  return script;
} catch (const json::exception &error) {
  throw skh::Error(SKH_INVALID, std::string("script: ") + error.what());
}

Script load(const skh::Config &config) {
  if (!config.has("file")) return Script::parse(config.json());
  const std::string path = config.text("file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw skh::Error(SKH_UNAVAILABLE, path + ": cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return Script::parse(skh::Config(text).json());
}

} // namespace scripted
