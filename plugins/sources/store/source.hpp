// SPDX-License-Identifier: Apache-2.0
// One instance of the plugin: a store as a source of documents. What does not verify is not listed,
// the log says why, and the rest is served.
#pragma once

#include "served_versions.hpp"
#include "settings.hpp"
#include "snapshot.hpp"
#include "snapshots/history.hpp"
#include "store/store.hpp"
#include "verified.hpp"
#include "watcher.hpp"

#include <skillhost/facts.hpp>
#include <skillhost/plugin.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace skillhost::store_source {

class StoreSource final : public skh::Source, public skh::Facts {
public:
  // Throws skh::Error(SKH_INVALID) for a configuration it cannot use. Looks at no skill yet.
  StoreSource(skh::Host host, const skh::Call &call);

  // Reads and verifies everything anew. Nothing is listed before it is remembered as served.
  void list(const skh::Call &call, const skh::Documents &out) override;
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;
  // Reads anew only when somebody has changed the store since.
  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override;
  // How each skill is verified, and who has signed it.
  std::string facts(const skh::Call &call, std::string_view snapshot) override;

private:
  void look(const skh::Call &call);
  bool hasUnseen();
  SkillPointer verified(const std::string &name);
  void remember();
  void report(const std::string &name, const std::string &reason);

  skh::Host host_;
  Settings settings_;
  store::Store store_;
  VerifiedSkills verified_;
  ServedVersions served_;
  snapshots::History<Snapshot> history_;
  std::atomic<std::uint64_t> noticed_ = 1; // counts changes of the store

  std::mutex mutex_;                            // guards what follows
  std::uint64_t seen_ = 0;                      // of those, before the newest snapshot was made
  std::map<std::string, std::string> reported_; // name → what the log said of it
  std::string notRemembered_;                   // what the log said of that

  std::unique_ptr<Watcher> watcher_; // last: its thread uses the above
};

} // namespace skillhost::store_source
