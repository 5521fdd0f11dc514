// SPDX-License-Identifier: Apache-2.0
// An observer of every event. It writes each to a file, and does what its configuration says:
//   file            the file to write; by default events.jsonl in the cache folder
//   block_ms        how long each event takes
//   block_on, hang_on, crash_on, fail_on, log_on
//                   a text. When a use has it as its skill or missing text, or a line of the log
//                   equals it, the plugin waits for a second, waits for ever, aborts, answers
//                   SKH_FAILED, or logs a line
//   unavailable     the number of first flushes that answer SKH_UNAVAILABLE
//   hang_in_create  create() never returns
#include <skillhost/config.hpp>
#include <skillhost/observer.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

namespace {

using Json = nlohmann::json;

class Observing final : public skh::Observer {
public:
  static constexpr std::uint32_t wants = SKH_EVENT_CALL_ENDED | SKH_EVENT_REFUSED |
                                         SKH_EVENT_CATALOGUE_CHANGED | SKH_EVENT_AUDIT_RECORD |
                                         SKH_EVENT_LOG_RECORD;

  Observing(skh::Host host, const skh::Call &)
      : host_(host), config_(Json::parse(host.config())),
        unavailable_(config_.value("unavailable", 0)),
        out_(config_.value("file", host.cacheDir().empty()
                                       ? "/dev/null"
                                       : std::string(host.cacheDir()) + "/events.jsonl"),
             std::ios::app) {
    while (config_.value("hang_in_create", false))
      std::this_thread::sleep_for(std::chrono::seconds(1));
  }

  void callEnded(const skh::Call &, const skh::Use &use) override { add("call_ended", use); }
  void refused(const skh::Call &, const skh::Use &use) override { add("refused", use); }
  void auditRecord(const skh::Call &, const skh::AuditRecord &record) override {
    write({{"is", "audit_record"},
           {"event", record.event},
           {"time_ms", record.timeMs},
           {"record", record.record.empty() ? Json() : Json::parse(record.record)}});
  }
  void catalogueChanged(const skh::Call &, std::uint64_t generation) override {
    write({{"is", "catalogue_changed"}, {"generation", generation}});
  }
  void logRecord(const skh::Call &, const skh::LogRecord &record) override {
    write({{"is", "log_record"},
           {"level", record.level},
           {"part", record.part},
           {"message", record.message},
           {"fields", record.fields}});
    obey(record.message);
  }
  void lost(const skh::Call &, std::uint32_t events, std::uint64_t count) override {
    write({{"is", "lost"}, {"events", events}, {"count", count}});
  }
  void flush(const skh::Call &) override {
    if (unavailable_ > 0) {
      --unavailable_;
      throw skh::Error(SKH_UNAVAILABLE, "come back later");
    }
    write({{"is", "flush"}});
    out_.flush();
    if (!out_ && out_.is_open()) throw skh::Error(SKH_FAILED, "the file cannot be written");
  }

private:
  void add(const char *is, const skh::Use &use) {
    write({{"is", is},
           {"kind", use.kind},
           {"time_ms", use.timeMs},
           {"skill", use.skill},
           {"source", use.source},
           {"path", use.path},
           {"digest", use.digest},
           {"client", use.client},
           {"outcome", use.outcome},
           {"text", use.text},
           {"person", use.person},
           {"issuer", use.issuer},
           {"microseconds", use.microseconds}});
    obey(use.skill.empty() ? use.text : use.skill);
  }

  void write(const Json &line) {
    out_ << line.dump() << '\n';
    std::this_thread::sleep_for(std::chrono::milliseconds(config_.value("block_ms", 0)));
  }

  bool isFor(const char *key, std::string_view text) const {
    return config_.contains(key) && config_[key] == text;
  }

  void obey(std::string_view text) {
    if (isFor("block_on", text)) std::this_thread::sleep_for(std::chrono::seconds(1));
    while (isFor("hang_on", text)) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (isFor("crash_on", text)) std::abort();
    if (isFor("fail_on", text)) throw skh::Error(SKH_FAILED, "this one I do not like");
    if (isFor("log_on", text)) host_.log(SKH_INFO, "I was told of it");
  }

  const skh::Host host_;
  const Json config_;
  int unavailable_;
  std::ofstream out_;
};

} // namespace

SKH_PLUGIN(skh::observer<Observing>("test.observing", "1.0.0", "Is told everything",
                                    R"({"type": "object"})"));
