// SPDX-License-Identifier: Apache-2.0
// explain: the explanation of a hit must be a JSON object by the rules of explain.h, a missing
// entry must not be found, and settle() must return.
#include "cases.hpp"
#include "search_calls.hpp"

#include "ground/counted.hpp"
#include "ground/json.hpp"
#include "ground/utf8.hpp"

#include <skillhost/explain.h>

#include <nlohmann/json.hpp>

#include <chrono>

namespace skillhost::check {
namespace {

constexpr std::size_t maxExplanationBytes = 256U << 10U, maxLackBytes = 1'000;
constexpr std::chrono::seconds maxSettleTime{2};

struct Shape {
  const char *member;
  bool (Json::*fits)() const noexcept;
  const char *form;
};
constexpr Shape shapes[] = {
    {"score", &Json::is_number, "a number"},
    {"calibrated", &Json::is_object, R"({"score":0.5})"},
    {"name", &Json::is_string, R"("the same")"},
    {"words", &Json::is_array, R"([{"word":"…","score":1.5}])"},
    {"missing", &Json::is_array, R"(["…"])"},
    {"similarity", &Json::is_object, R"({"runs":3,"score":1.5})"},
    {"sentences", &Json::is_array, R"([{"text":"…","score":1.5}])"},
    {"meaning", &Json::is_object, R"({"cosine":0.5})"},
    {"fusion", &Json::is_object, R"({"words":0.3,"meaning":0.4,"score":0.7})"},
};

void checkSaid(const std::string &bytes) {
  const Result<Json> read = parseJson(bytes);
  if (!read) fail("explain() gives no JSON: " + read.failure().message);
  if (!read->is_object()) fail("explain() gives no JSON object", R"({"score":1.5})");
  for (const Shape &shape : shapes)
    if (const auto found = read->find(shape.member);
        found != read->end() && !((*found).*shape.fits)())
      fail(std::string("explain(): \"") + shape.member + "\" has another form", shape.form);
  if (const auto words = read->find("words"); words != read->end())
    for (const Json &word : *words)
      if (!word.is_object() || !word.contains("word") || !word["word"].is_string())
        fail(R"(explain(): one of "words" has no "word" that is a text)", R"({"word":"…"})");
}

void checkSettles(Probe &probe, const Instance &instance, const skh_explain &table) {
  if (!SKH_HAS(&table, settle) || table.settle == nullptr) return;
  probe.step("settle()");
  ByteSink sink(maxLackBytes);
  const auto deadline = StandInCall::Clock::now() + maxSettleTime;
  const StandInCall call(deadline);
  const skh_status status = table.settle(instance.self, call.raw(), sink.raw());
  // It is no fault if settle() takes longer than the check waits.
  const bool isLate =
      StandInCall::Clock::now() >= deadline && (status == SKH_DEADLINE || status == SKH_CANCELLED);
  if (status != SKH_OK && !isLate && status != SKH_UNSUPPORTED)
    fail("settle() returns " + statusName(status) + inBrackets(call.message()));
  if (!isUtf8(sink.bytes) || sink.bytes.find('\n') != std::string::npos)
    fail("settle() writes more than one line of UTF-8", "one line for a person, or nothing");
}

void checkTable(Probe &probe, const Instance &instance, const skh_explain &table) {
  const std::vector<SampleEntry> entries = sampleEntries(5);
  fillIndex(probe, instance, entries, "explain");
  checkSettles(probe, instance, table);
  const std::vector<FoundHit> hits = query(probe, instance, sampleQuery, 5);
  for (const FoundHit &hit : hits) {
    probe.step("explain()");
    ByteSink sink(maxExplanationBytes);
    const StandInCall call(patience());
    const skh_status status =
        table.explain(instance.self, call.raw(), borrow(sampleQuery), borrow(hit.id), sink.raw());
    if (status != SKH_OK)
      fail("explain() of a hit returns " + statusName(status) + inBrackets(call.message()));
    checkSaid(sink.bytes);
  }
  probe.step("explain() of nothing");
  ByteSink sink(maxExplanationBytes);
  const StandInCall call(patience());
  const skh_status status = table.explain(instance.self, call.raw(), borrow(sampleQuery),
                                          borrow("check/none"), sink.raw());
  if (status != SKH_NOT_FOUND)
    fail("explain() of an entry that was never put returns " + statusName(status),
         "SKH_NOT_FOUND, so that nobody is told of what is not there");
  probe.note("explains " + counted(hits.size(), "hit"));
}

} // namespace

void checkExplain(Probe &probe) {
  probe.note("explains nothing");
  eachInstance(probe, searchKind, [&](Instance &instance) {
    const skh_plugin &plugin = instance.plugin;
    if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return;
    const auto *const table =
        static_cast<const skh_explain *>(plugin.extension(instance.self, SKH_EXPLAIN));
    const bool isTable = SKH_IS_EXPLAIN(table);
    // The check unknown-ext reports a plugin that answers any id.
    if (isTable) checkTable(probe, instance, *table);
  });
}

} // namespace skillhost::check
