// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as an index from a stranger: reading ends, and the accepted entries keep the
// rules.
#include "well_known/index.hpp"

#include <skillhost/plugin.hpp>

#include <cstdint>
#include <cstdlib>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace skillhost::well_known;
  constexpr std::size_t most = 8;
  try {
    const std::string text(data, data + size);
    const Index index =
        readIndex(text, "https://example.org/i/index.json", {most, 4, size % 2 == 0});
    std::set<std::string> names;
    for (const IndexEntry &entry : index.entries) {
      const bool isWeb = entry.url.starts_with("https://") || entry.url.starts_with("http://");
      if (!isSkillName(entry.name) || !names.insert(entry.name).second || !isWeb ||
          entry.digest.size() != (index.isVerified ? 64U : 0U) ||
          entry.files.empty() != index.isVerified || entry.files.size() > 4)
        std::abort();
    }
    if (index.entries.size() > most || index.findings.size() > 101) std::abort();
  } catch (const skh::Error &) {}
  return 0;
}
