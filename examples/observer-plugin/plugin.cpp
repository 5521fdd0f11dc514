// SPDX-License-Identifier: Apache-2.0
// Keeps a journal of the server's events: a file with one JSON object on each line.
#include "lines_file.hpp"

#include <skillhost/observer.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace {

using Json = nlohmann::ordered_json;

// Returns an empty text if no file is configured and the host grants no folder.
std::string pathOf(const skh::Host &host) {
  const Json config = Json::parse(host.config());
  if (config.contains("file")) return config["file"].get<std::string>();
  return host.cacheDir().empty() ? "" : std::string(host.cacheDir()) + "/events.jsonl";
}

const char *kindOf(std::uint32_t kind) {
  constexpr std::array names{"load", "read", "search", "refusal"};
  return kind < names.size() ? names[kind] : "other";
}

class Journal final : public skh::Observer {
public:
  static constexpr std::uint32_t wants = SKH_EVENT_CALL_ENDED | SKH_EVENT_REFUSED |
                                         SKH_EVENT_AUDIT_RECORD | SKH_EVENT_CATALOGUE_CHANGED;

  Journal(skh::Host host, const skh::Call &) {
    const std::string path = pathOf(host);
    if (path.empty()) {
      host.log(SKH_WARN, "keeps nothing: no file is configured, and the host grants no folder");
      return;
    }
    try {
      file_.emplace(path);
    } catch (const std::system_error &why) {
      throw skh::Error(SKH_INVALID, std::string("file: ") + why.what());
    }
    host.log(SKH_INFO, "writes to " + path);
  }

  void callEnded(const skh::Call &call, const skh::Use &use) override { add(call, ofUse(use)); }
  void refused(const skh::Call &call, const skh::Use &use) override { add(call, ofUse(use)); }
  void auditRecord(const skh::Call &call, const skh::AuditRecord &record) override {
    Json line{{"event", "audit"}, {"time_ms", record.timeMs}, {"kind", record.event}};
    line["record"] = record.record.empty() ? Json() : Json::parse(record.record);
    add(call, line);
  }
  void catalogueChanged(const skh::Call &call, std::uint64_t generation) override {
    add(call, {{"event", "catalogue"}, {"generation", generation}});
  }
  void lost(const skh::Call &call, std::uint32_t events, std::uint64_t count) override {
    add(call, {{"event", "lost"}, {"kinds", events}, {"count", count}});
  }

  // Writes the lines of a batch at its end. If that fails, the file contains none of them, so the
  // host may offer the batch again.
  void flush(const skh::Call &) override {
    const std::string lines = std::exchange(lines_, {});
    try {
      if (file_) file_->append(lines);
    } catch (const std::system_error &why) {
      throw skh::Error(SKH_UNAVAILABLE, why.what());
    }
  }

private:
  static Json ofUse(const skh::Use &use) {
    Json line{{"event", "use"},
              {"time_ms", use.timeMs},
              {"kind", kindOf(use.kind)},
              {"outcome", use.outcome},
              {"microseconds", use.microseconds}};
    for (const auto &[name, text] :
         {std::pair{"skill", use.skill}, std::pair{"source", use.source},
          std::pair{"path", use.path}, std::pair{"digest", use.digest},
          std::pair{"issuer", use.issuer}, std::pair{"person", use.person},
          std::pair{"client", use.client}, std::pair{"text", use.text}})
      if (!text.empty()) line[name] = text;
    return line;
  }

  void add(const skh::Call &call, const Json &line) {
    // A batch that the host has given up ends without a flush(). The host counts it as lost, so its
    // lines are dropped.
    if (call.deadline() != batch_) lines_.clear();
    batch_ = call.deadline();
    lines_ += line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  }

  std::optional<LinesFile> file_;
  std::string lines_;
  std::chrono::steady_clock::time_point batch_{};
};

constexpr const char *schema = R"({
  "type": "object", "additionalProperties": false,
  "properties": {"file": {"type": "string", "minLength": 1,
    "description": "Where to write; a plugin in a process of its own can only write to its cache folder."}}
})";

} // namespace

SKH_PLUGIN(skh::observer<Journal>("org.skillhost.example.journal", "1.0.0",
                                  "Writes what happens to a file of JSON lines", schema));
