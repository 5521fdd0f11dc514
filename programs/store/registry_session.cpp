// SPDX-License-Identifier: Apache-2.0
#include "registry_session.hpp"

#include "http_client/web_address.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost {
namespace {

constexpr std::uint64_t maxReceivedBytes = std::uint64_t{1} << 30U; // bytes
constexpr std::chrono::seconds registryStallTimeout{
    60}; // time for a registry to process what it received

oci::RegistryRules rulesOf(const RegistrySettings &settings) {
  const std::string written = settings.reference.origin(settings.plainHttp);
  const auto address = web::readWebAddress(written + "/");
  if (!address) throw std::runtime_error(written + " is no address that can be asked");
  return {address->origin,
          settings.login,
          {address->origin, settings.caFile, "skillhost/" SKILLHOST_VERSION,
           settings.allowPrivateAddresses,
           std::clamp(settings.timeout / 2, std::chrono::seconds(2), registryStallTimeout)}};
}

} // namespace

RegistrySession::RegistrySession(const RegistrySettings &settings)
    : settings_(settings),
      operation_([] { return false; }, remote::Operation::Clock::now() + settings.timeout,
                 maxReceivedBytes),
      registry_(rulesOf(settings)) {}

void RegistrySession::explain(const std::string &what) const {
  const std::string where = settings_.reference.text() + ": " + what + ": ";
  try {
    throw;
  } catch (const remote::RemoteError &error) {
    const auto wait = error.retryAfter();
    throw std::runtime_error(
        where + error.what() +
        (wait ? "; it wants to be asked again after " + std::to_string(wait->count()) + " s" : ""));
  } catch (const skh::Error &error) {
    if (error.status() != SKH_DEADLINE) throw std::runtime_error(where + error.what());
    throw std::runtime_error(where + "it took longer than " +
                             std::to_string(settings_.timeout.count()) + " s (--timeout)");
  } catch (const std::exception &error) {
    throw std::runtime_error(where + error.what());
  }
}

} // namespace skillhost
