// SPDX-License-Identifier: Apache-2.0
#include "search_calls.hpp"

namespace skillhost::check {
namespace {

void expectOk(skh_status status, const StandInCall &call, const std::string &what) {
  if (status != SKH_OK) fail(what + " returns " + statusName(status) + inBrackets(call.message()));
}

} // namespace

std::vector<SampleEntry> sampleEntries(std::size_t count) {
  std::vector<SampleEntry> entries;
  for (std::size_t i = 0; i < count; ++i) {
    // 7 and any power of ten have no common factor, so this yields every number once, in a mixed
    // order.
    const std::string number = std::to_string(100 + i * 7 % count);
    entries.push_back({"check/pdf-" + number, "pdf merging",
                       "Use it to merge pdf files into one document.",
                       "# Merging\n\nMerge pdf files page by page.\n",
                       i % 2 == 0 ? R"({"source":"check","category":"even","keywords":["pdf"]})"
                                  : R"({"source":"check","category":"odd","keywords":["pdf"]})"});
  }
  return entries;
}

void putEntry(Probe &probe, const Instance &instance, const SampleEntry &entry,
              std::string_view revision) {
  probe.step("put()");
  const Placed<skh_entry_text> text({sizeof(skh_entry_text), 0, borrow(entry.id), borrow(revision),
                                     borrow(entry.name), borrow(entry.description),
                                     borrow(entry.body), borrow(entry.attributes)},
                                    nullptr);
  const StandInCall call = patientCall(instance);
  expectOk(instance.operations<skh_search>().put(instance.self, call.raw(), text.get()), call,
           "put()");
}

void removeEntry(Probe &probe, const Instance &instance, std::string_view id) {
  probe.step("remove()");
  const StandInCall call = patientCall(instance);
  expectOk(instance.operations<skh_search>().remove(instance.self, call.raw(), borrow(id)), call,
           "remove()");
}

void commitIndex(Probe &probe, const Instance &instance, std::string_view generation) {
  probe.step("commit()");
  const StandInCall call = patientCall(instance);
  expectOk(instance.operations<skh_search>().commit(instance.self, call.raw(), borrow(generation)),
           call, "commit()");
}

std::string generationOf(Probe &probe, const Instance &instance) {
  probe.step("generation()");
  ByteSink sink(4096);
  const StandInCall call = patientCall(instance);
  expectOk(instance.operations<skh_search>().generation(instance.self, call.raw(), sink.raw()),
           call, "generation()");
  return std::move(sink.bytes);
}

std::vector<FoundHit> query(Probe &probe, const Instance &instance, std::string_view text,
                            std::uint32_t limit, std::string_view filter) {
  probe.step("query()");
  HitSink sink;
  const StandInCall call = patientCall(instance);
  expectOk(instance.operations<skh_search>().query(instance.self, call.raw(), borrow(text),
                                                   borrow(filter), limit, sink.raw()),
           call, "query()");
  return std::move(sink.hits);
}

void fillIndex(Probe &probe, const Instance &instance, const std::vector<SampleEntry> &entries,
               std::string_view generation) {
  for (const SampleEntry &entry : entries) putEntry(probe, instance, entry);
  commitIndex(probe, instance, generation);
}

} // namespace skillhost::check
