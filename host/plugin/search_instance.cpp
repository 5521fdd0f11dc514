// SPDX-License-Identifier: Apache-2.0
#include "search_instance.hpp"

#include "ground/json.hpp"
#include "ground/utf8.hpp"
#include "sinks.hpp"

#include <skillhost/explain.h>
#include <skillhost/held.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

constexpr std::size_t maxGenerationBytes = 4096;

bool namesOneTwice(std::vector<HeldEntry> &entries) {
  std::sort(entries.begin(), entries.end(),
            [](const HeldEntry &a, const HeldEntry &b) { return a.id < b.id; });
  return std::adjacent_find(entries.begin(), entries.end(),
                            [](const HeldEntry &a, const HeldEntry &b) { return a.id == b.id; }) !=
         entries.end();
}

constexpr std::size_t maxExplanationBytes = 256U << 10U, maxLackBytes = 1'000; // bytes

// Returns null if the plugin has no such interface.
const skh_explain *explainOf(const Instance &instance) {
  const auto *const table = static_cast<const skh_explain *>(instance.extensionOf(SKH_EXPLAIN));
  const bool isTable = SKH_IS_EXPLAIN(table);
  return isTable ? table : nullptr;
}

} // namespace

void SearchInstance::held(CallOptions options,
                          ResultCallback<std::optional<std::vector<HeldEntry>>> answer) {
  using Entries = std::optional<std::vector<HeldEntry>>;
  const auto work = [instance = instance_.get()](CallFrame &frame) -> Result<Entries> {
    const auto *const table = static_cast<const skh_held *>(instance->extensionOf(SKH_HELD));
    const bool isTable = SKH_IS_HELD(table);
    const auto &search = instance->operations<skh_search>();
    if (!isTable || search.generation == nullptr) return Entries{};
    BytesSink generation(frame, maxGenerationBytes, 0);
    skh_status status = search.generation(instance->self(), frame.raw(), generation.raw());
    if (status != SKH_OK) return frame.failure(status, instance->name(), "generation");
    if (generation.bytes().empty()) return Entries{};
    HeldSink sink(frame);
    status = table->held(instance->self(), frame.raw(), sink.raw());
    if (status == SKH_UNSUPPORTED) return Entries{};
    if (sink.hasOverflowed)
      return {Fault::TooLarge, instance->name() + ": held: more than a million entries or 256 MiB"};
    if (sink.broken || (status == SKH_OK && namesOneTwice(sink.entries)))
      return {Fault::OperationFailed,
              instance->name() +
                  ": held: an id is empty or there twice, or an id or a revision is too long"};
    if (status != SKH_OK) return frame.failure(status, instance->name(), "held");
    return Entries(std::move(sink.entries));
  };
  instance_->call<Entries>(std::move(options), "held", work, answer);
}

void SearchInstance::update(CallOptions options, std::vector<SearchEntry> put,
                            std::vector<std::string> removed, std::string generation,
                            ResultCallback<Done> answer) {
  const auto work = [instance = instance_.get(), put = std::move(put), removed = std::move(removed),
                     generation = std::move(generation)](CallFrame &frame) -> Result<Done> {
    // Once the call is given up it must write no more, because the next update may have begun.
    const auto isCancelled = [&frame] { return frame.raw()->cancelled(frame.raw()) != 0; };
    const Failure cancelled{Fault::Cancelled, instance->name() + ": cancelled"};
    const auto &search = instance->operations<skh_search>();
    for (const SearchEntry &entry : put) {
      if (isCancelled()) return cancelled;
      const skh_entry_text raw{sizeof raw,         0,
                               borrow(entry.id),   borrow(entry.revision),
                               borrow(entry.name), borrow(entry.description),
                               borrow(entry.body), borrow(entry.attributes)};
      const skh_status status = search.put(instance->self(), frame.raw(), &raw);
      if (status != SKH_OK) return frame.failure(status, instance->name(), "put " + entry.id);
    }
    for (const std::string &id : removed) {
      if (isCancelled()) return cancelled;
      const skh_status status = search.remove(instance->self(), frame.raw(), borrow(id));
      if (status != SKH_OK && status != SKH_NOT_FOUND)
        return frame.failure(status, instance->name(), "remove " + id);
    }
    if (isCancelled()) return cancelled;
    const skh_status status = search.commit(instance->self(), frame.raw(), borrow(generation));
    if (status != SKH_OK) return frame.failure(status, instance->name(), "commit");
    return Done{};
  };
  instance_->call<Done>(std::move(options), "update", work, answer);
}

void SearchInstance::query(CallOptions options, std::string text, std::string filter,
                           std::uint32_t limit, ResultCallback<std::vector<SearchHit>> answer) {
  using Hits = std::vector<SearchHit>;
  const auto work = [instance = instance_.get(), text = std::move(text), filter = std::move(filter),
                     limit](CallFrame &frame) -> Result<Hits> {
    HitsSink sink(frame, limit);
    const skh_status status = instance->operations<skh_search>().query(
        instance->self(), frame.raw(), borrow(text), borrow(filter), limit, sink.raw());
    if (status != SKH_OK) return frame.failure(status, instance->name(), "query");
    return std::move(sink.hits);
  };
  instance_->call<Hits>(std::move(options), "query", work, answer);
}

void SearchInstance::explain(const CallOptions &options, const std::string &text,
                             const std::string &id, const ResultCallback<std::string> &answer) {
  const auto work = [instance = instance_.get(), text,
                     id](CallFrame &frame) -> Result<std::string> {
    const Failure none{Fault::NotImplemented, instance->name() + ": does not explain results"};
    const skh_explain *const table = explainOf(*instance);
    if (table == nullptr) return none;
    BytesSink sink(frame, maxExplanationBytes, 0);
    const skh_status status =
        table->explain(instance->self(), frame.raw(), borrow(text), borrow(id), sink.raw());
    if (status == SKH_UNSUPPORTED) return none;
    if (sink.hasOverflowed())
      return {Fault::TooLarge, instance->name() + ": explain: more than " +
                                   std::to_string(maxExplanationBytes) + " bytes"};
    if (status != SKH_OK) return frame.failure(status, instance->name(), "explain");
    const Result<Json> explanation = parseJson(sink.bytes());
    if (!explanation || !explanation->is_object())
      return {Fault::OperationFailed,
              instance->name() + ": explain: " +
                  (explanation ? "it is no JSON object" : explanation.failure().message)};
    return std::move(sink.bytes());
  };
  instance_->call<std::string>(options, "explain", work, answer);
}

void SearchInstance::settle(const CallOptions &options, const ResultCallback<std::string> &answer) {
  const auto work = [instance = instance_.get()](CallFrame &frame) -> Result<std::string> {
    const skh_explain *const table = explainOf(*instance);
    if (table == nullptr || !SKH_HAS(table, settle) || table->settle == nullptr)
      return std::string();
    BytesSink sink(frame, maxLackBytes, 0);
    const skh_status status = table->settle(instance->self(), frame.raw(), sink.raw());
    if (status == SKH_UNSUPPORTED) return std::string();
    if (status != SKH_OK && !sink.hasOverflowed())
      return frame.failure(status, instance->name(), "settle");
    return mendUtf8(cutUtf8(sink.bytes(), maxLackBytes));
  };
  instance_->call<std::string>(options, "settle", work, answer);
}

} // namespace skillhost
