// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as two layers from a stranger, one above the other: reading them ends, and the
// skills keep the limits.
#include "oci/skills.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace skillhost::oci;
  SkillLimits limits;
  limits.skills = 4;
  limits.files = 8;
  limits.bytes = 4'096;
  limits.entries = 64;
  limits.unpacked = std::uint64_t{1} << 20U;
  const std::string bytes(data, data + size);
  const std::string_view all(bytes);
  const std::size_t half = size / 1'024 * 512; // a multiple of a header's size
  try {
    const FoundSkills found = findSkills({{all.substr(0, half)}, {all.substr(half)}}, limits);
    if (found.skills.size() > limits.skills) std::abort();
    for (const FoundSkill &skill : found.skills) {
      std::size_t sum = 0;
      bool hasEntry = false;
      for (const auto &file : skill.files) {
        sum += file.bytes.size();
        hasEntry = hasEntry || file.path == "SKILL.md";
        if (file.path.empty() || file.path.front() == '/') std::abort();
      }
      if (!hasEntry || skill.files.size() > limits.files || sum > limits.bytes) std::abort();
    }
  } catch (const std::runtime_error &) {}
  return 0;
}
