// SPDX-License-Identifier: Apache-2.0
#include "foreign_fetch.hpp"

#include "state_file.hpp"

#include "git/object_writer.hpp"

namespace skillhost::github {

std::string ForeignFetch::commitOf(const ForeignPlugin &plugin, const std::string &pin) {
  const std::string &meant = pin.empty() ? plugin.sha : pin;
  const auto [at, isNew] = found_.try_emplace(plugin.url + '\n' + plugin.ref + '\n' + meant);
  Found &found = at->second;
  if (isNew) {
    try {
      found.commit = fetch(plugin, meant);
    } catch (const skh::Error &error) {
      found.failure = error.what();
      found.status = error.status();
    }
  }
  if (found.status != SKH_OK) throw skh::Error(found.status, found.failure);
  return found.commit;
}

std::string ForeignFetch::fetch(const ForeignPlugin &plugin, const std::string &pin) {
  operation_.checkpoint();
  if (!pin.empty() && !isObjectId(pin))
    throw skh::Error(SKH_INVALID, "sha: must be a whole SHA of a commit");
  if (!pin.empty())
    if (std::string commit = store_.commitOf(pin); !commit.empty()) return commit;
  const Address address = addressOf(plugin, settings_);
  Access who{who_.agent, {}};
  if (isOfSameOwner(address, settings_.address)) who.token = who_.token;
  // Where it lies in the store is nobody's business but ours: no name that strangers chose.
  const std::string keptAs = "foreign/" + idOf(ObjectKind::blob, address.url);
  return update(settings_, {address, plugin.ref, pin, keptAs, false}, who, store_, operation_)
      .commit;
}

} // namespace skillhost::github
