// SPDX-License-Identifier: Apache-2.0
#include "registries.hpp"

#include "files/whole_file.hpp"
#include "http_client/web_address.hpp"

#include <algorithm>

namespace skillhost::oci_source {
namespace {

constexpr std::size_t maxLoginBytes = std::size_t{1} << 20U;

} // namespace

oci::Registry &Registries::of(const Reference &reference) {
  if (const auto why = pausedRegistries_.find(reference.registry); why != pausedRegistries_.end())
    throw why->second;
  oci::Registry *&chosen = chosen_[reference.name()];
  if (chosen != nullptr) return *chosen;
  oci::Login login = loginFor(reference);
  std::vector<Known> &known = registries_[reference.registry];
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const Known &one) { return one.login == login; });
  if (found != known.end()) return *(chosen = found->registry.get());
  const std::string written = reference.origin(settings_.access.isPlain(reference.registry));
  const auto address = web::readWebAddress(written + "/");
  if (!address) throw remote::RemoteError(written + " is no address that can be asked");
  auto made = std::make_unique<oci::Registry>(
      oci::RegistryRules{address->origin,
                         login,
                         {address->origin, settings_.access.caFile, agent_,
                          settings_.access.allowPrivateAddresses, settings_.access.stallTimeout}});
  chosen = made.get();
  known.push_back({std::move(login), std::move(made)});
  return *chosen;
}

void Registries::beginRefresh() {
  pausedRegistries_.clear();
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(waits_, [now](const auto &one) { return one.second.end <= now; });
  for (const auto &[registry, wait] : waits_)
    pausedRegistries_.emplace(
        registry,
        remote::RemoteError(wait.why, std::chrono::ceil<std::chrono::seconds>(wait.end - now)));
  // A login that the last refresh did not use is no longer in the file.
  for (auto &[name, known] : registries_) {
    std::erase_if(known, [&](const Known &one) {
      return std::none_of(chosen_.begin(), chosen_.end(),
                          [&](const auto &used) { return used.second == one.registry.get(); });
    });
    for (const Known &one : known) one.registry->beginRound();
  }
  chosen_.clear();
  logins_.reset();
}

void Registries::pauseRegistry(const Reference &reference, const remote::RemoteError &why) {
  pausedRegistries_.emplace(reference.registry, why);
  if (const auto wait = why.retryAfter())
    waits_[reference.registry] = {std::chrono::steady_clock::now() + *wait, why.what()};
}

oci::Login Registries::loginFor(const Reference &reference) {
  const Access &access = settings_.access;
  if (!access.credentials.empty() || access.dockerConfig.empty())
    return {access.credentials, {}, {}};
  if (!logins_) logins_ = files::readWhole(access.dockerConfig, maxLoginBytes);
  try {
    if (logins_->empty()) throw std::runtime_error("it cannot be read");
    return oci::loginFrom(*logins_, reference.registry, reference.repository, access.helpers);
  } catch (const std::runtime_error &error) {
    throw remote::RemoteError("docker_config: " + access.dockerConfig + ": " + error.what());
  }
}

} // namespace skillhost::oci_source
