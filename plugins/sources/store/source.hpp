// SPDX-License-Identifier: Apache-2.0
// An instance of the plugin serves a store as a source of documents. A skill that does not verify
// is not listed, the log says why, and the others are served.
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
  // Throws skh::Error(SKH_INVALID) if the configuration is invalid. Does not read any skill yet.
  StoreSource(skh::Host host, const skh::Call &call);

  // Reads and verifies everything again. Nothing is listed before it is remembered as served.
  void list(const skh::Call &call, const skh::Documents &out) override;
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;
  // Reads again only if the store has changed since the last time.
  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override;
  // States how each skill is verified, and who has signed it.
  std::string facts(const skh::Call &call, std::string_view snapshot) override;

private:
  void refresh(const skh::Call &call);
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

  std::mutex mutex_; // guards the members below
  // Value of noticed_ before the newest snapshot was built.
  std::uint64_t seen_ = 0;
  std::map<std::string, std::string> reported_; // by name: last report in the log
  std::string notRemembered_;                   // last report in the log about remembering

  std::unique_ptr<Watcher> watcher_; // last, because its thread uses the members above
};

} // namespace skillhost::store_source
