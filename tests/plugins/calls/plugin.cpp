// SPDX-License-Identifier: Apache-2.0
// A source that tries everything that its process may do, and serves the outcome as skills: calls,
// attacks and identity. Its configuration: folder (another user's, without the first slash, so that
// it is not granted), control (true: it is not confined).
#include "probe.hpp"

#include <skillhost/config.hpp>
#include <skillhost/plugin.hpp>

#include <array>
#include <map>

namespace {

std::string document(const std::string &skill, const std::vector<probe::Attempt> &attempts) {
  std::string text = "---\nname: " + skill + "\ndescription: What was tried\n---\n";
  for (const probe::Attempt &attempt : attempts) text += attempt.what + "\t" + attempt.how + "\n";
  return text;
}

class Calls final : public skh::Source {
public:
  Calls(skh::Host host, const skh::Call &) {
    const skh::Config config(host);
    const auto add = [this](const std::string &skill, const std::vector<probe::Attempt> &attempts) {
      texts_[skill] = document(skill, attempts);
    };
    add("identity", probe::identity());
    add("attacks", probe::attacks({"/" + config.text("folder"), std::string(host.cacheDir())}));
    add("calls", probe::everyCall(config.flag("control", false)));
  }

  void list(const skh::Call &, const skh::Documents &out) override {
    for (const auto &[skill, text] : texts_)
      out.add({skill, "SKILL.md", "1", text.size(), SKH_DOC_ENTRY, {}});
    out.done("1");
  }
  void read(const skh::Call &, const skh::Document &document, const skh::Bytes &out) override {
    const auto found = texts_.find(std::string(document.skill));
    if (found == texts_.end()) throw skh::Error(SKH_NOT_FOUND, "no such skill");
    out.write(found->second);
  }

private:
  std::map<std::string, std::string> texts_;
};

constexpr skh_plugin calls =
    skh::source<Calls>("test.calls", "1.0.0", "Tries every system call", R"({"type": "object"})");
constexpr std::array<const skh_plugin *, 2> all{&calls, nullptr};

} // namespace

extern "C" SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry),
                                                             SKH_ABI_MINOR, 0, all.data()};
