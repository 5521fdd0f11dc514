// SPDX-License-Identifier: Apache-2.0
// Reads and writes the setting that limits which hosts a plugin may reach.
#include "configuration/values.hpp"

namespace skillhost::settings {

void readValue(Reading &reading, const Written &written, const Rule &rule, NetworkRule &out) {
  std::vector<std::string> texts;
  const std::size_t problems = reading.problems.size();
  readValue(reading, written, rule, texts);
  if (reading.problems.size() != problems) return;
  NetworkRule network;
  if (texts == std::vector<std::string>{"none"}) {
    network.mode = NetworkRule::Mode::None;
  } else if (texts != std::vector<std::string>{"auto"}) {
    network.mode = NetworkRule::Mode::Hosts;
    if (texts.empty())
      return reading.problem(written, "names no host: write none, or the hosts it may reach");
    for (const std::string &text : texts) {
      if (text == "auto" || text == "none")
        return reading.problem(written, "\"" + text + "\" cannot be in a list of hosts");
      Result<HostPattern> pattern = HostPattern::parse(text);
      if (!pattern) return reading.problem(written, pattern.failure().message);
      network.hosts.push_back(*std::move(pattern));
    }
  }
  out = std::move(network);
}

Json writeValue(const NetworkRule &rule, const Rule &) {
  if (rule.mode != NetworkRule::Mode::Hosts) return rule.text();
  Json list = Json::array();
  for (const HostPattern &one : rule.hosts) list.push_back(one.text);
  return list;
}

} // namespace skillhost::settings
