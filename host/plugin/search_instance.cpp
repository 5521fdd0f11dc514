// SPDX-License-Identifier: Apache-2.0
#include "search_instance.hpp"

#include "sinks.hpp"

namespace skillhost {

void SearchInstance::update(CallOptions options, std::vector<SearchEntry> put,
                            std::vector<std::string> removed, std::string generation,
                            Answer<Done> answer) {
  const auto work = [instance = instance_.get(), put = std::move(put), removed = std::move(removed),
                     generation = std::move(generation)](CallFrame &frame) -> Result<Done> {
    // Once it is given up it must write no more: the next update may have begun.
    const auto over = [&frame] { return frame.raw()->cancelled(frame.raw()) != 0; };
    const Failure cancelled{Fault::Cancelled, instance->name() + ": cancelled"};
    const auto &search = instance->operations<skh_search>();
    for (const SearchEntry &entry : put) {
      if (over()) return cancelled;
      const skh_entry_text raw{sizeof raw,         0,
                               borrow(entry.id),   borrow(entry.revision),
                               borrow(entry.name), borrow(entry.description),
                               borrow(entry.body), borrow(entry.attributes)};
      const skh_status status = search.put(instance->self(), frame.raw(), &raw);
      if (status != SKH_OK) return frame.failure(status, instance->name(), "put " + entry.id);
    }
    for (const std::string &id : removed) {
      if (over()) return cancelled;
      const skh_status status = search.remove(instance->self(), frame.raw(), borrow(id));
      if (status != SKH_OK && status != SKH_NOT_FOUND)
        return frame.failure(status, instance->name(), "remove " + id);
    }
    if (over()) return cancelled;
    const skh_status status = search.commit(instance->self(), frame.raw(), borrow(generation));
    if (status != SKH_OK) return frame.failure(status, instance->name(), "commit");
    return Done{};
  };
  instance_->call<Done>(std::move(options), "update", work, answer);
}

void SearchInstance::query(CallOptions options, std::string text, std::string filter,
                           std::uint32_t limit, Answer<std::vector<SearchHit>> answer) {
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

} // namespace skillhost
