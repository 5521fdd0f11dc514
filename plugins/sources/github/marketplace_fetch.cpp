// SPDX-License-Identifier: Apache-2.0
#include "marketplace_fetch.hpp"

namespace skillhost::github {

std::string MarketplaceFetch::commitOf(const MarketplacePlugin &plugin, const std::string &pin) {
  const std::string &revision = pin.empty() ? plugin.sha : pin;
  const auto [at, isNew] = found_.try_emplace(plugin.url + '\n' + plugin.ref + '\n' + revision);
  Found &found = at->second;
  if (isNew) {
    try {
      found.commit = fetch(plugin, revision);
    } catch (const skh::Error &) {
      found.failure = std::current_exception();
    }
  }
  if (found.failure) std::rethrow_exception(found.failure);
  return found.commit;
}

std::string MarketplaceFetch::fetch(const MarketplacePlugin &plugin, const std::string &pin) {
  operation_.checkpoint();
  const Address address = addressOf(plugin, settings_);
  const std::shared_ptr<ObjectStore> store = stores_.at(plugin.url);
  if (!pin.empty())
    if (std::string commit = store->commitOf(pin); !commit.empty()) return commit;
  Access who{who_.agent, {}};
  if (isOfSameOwner(address, settings_.address)) who.token = who_.token;
  return update(settings_, {address, plugin.ref, pin, false}, who, *store, operation_).commit;
}

} // namespace skillhost::github
