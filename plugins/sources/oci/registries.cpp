// SPDX-License-Identifier: Apache-2.0
#include "registries.hpp"

#include "files/whole_file.hpp"
#include "remote/web_address.hpp"

namespace skillhost::oci_source {
namespace {

constexpr std::size_t mostLoginBytes = std::size_t{1} << 20U;

} // namespace

oci::Registry &Registries::of(const Reference &reference) {
  if (const auto why = left_.find(reference.registry); why != left_.end()) throw why->second;
  Known &known = registries_[reference.registry];
  if (known.isChecked) return *known.registry;
  oci::Credentials credentials = credentialsFor(reference.registry);
  if (!known.registry || credentials != known.credentials) {
    const std::string written = reference.origin(settings_.access.isPlain(reference.registry));
    const auto address = remote::readWebAddress(written + "/");
    if (!address) throw remote::RemoteError(written + " is no address that can be asked");
    known.registry = std::make_unique<oci::Registry>(
        oci::RegistryRules{address->origin,
                           credentials,
                           {address->origin, settings_.access.caFile, agent_,
                            settings_.access.allowPrivateAddresses, settings_.access.quiet}});
    known.credentials = std::move(credentials);
  }
  known.isChecked = true;
  return *known.registry;
}

void Registries::begin() {
  left_.clear();
  for (auto &[name, known] : registries_) known.isChecked = false;
}

void Registries::leaveAlone(const Reference &reference, const remote::RemoteError &why) {
  left_.emplace(reference.registry, why);
}

oci::Credentials Registries::credentialsFor(const std::string &registry) const {
  const Access &access = settings_.access;
  if (!access.credentials.empty() || access.dockerConfig.empty()) return access.credentials;
  const std::string text = files::readWhole(access.dockerConfig, mostLoginBytes);
  try {
    if (text.empty()) throw std::runtime_error("it cannot be read");
    return oci::credentialsFrom(text, registry);
  } catch (const std::runtime_error &error) {
    throw remote::RemoteError("docker_config: " + access.dockerConfig + ": " + error.what());
  }
}

} // namespace skillhost::oci_source
