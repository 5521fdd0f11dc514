// SPDX-License-Identifier: Apache-2.0
// A source like a remote one: a skill whose files take 100 ms each.
#include <skillhost/plugin.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace {

constexpr std::string_view entry = "---\nname: slow\ndescription: Has slow files.\n---\nBody.\n";
constexpr std::string_view text = "File.\n";
constexpr int files = 500;

class SlowSource final : public skh::Source {
public:
  SlowSource(skh::Host, const skh::Call &) {}
  void list(const skh::Call &, const skh::Documents &out) override {
    out.add({"slow", "SKILL.md", "1", entry.size(), SKH_DOC_ENTRY});
    for (int i = 0; i < files; ++i) {
      const std::string path = std::to_string(i) + ".md";
      out.add({"slow", path, "1", text.size(), 0});
    }
    out.done("1");
  }
  void read(const skh::Call &, const skh::Document &which, const skh::Bytes &out) override {
    if (which.path == "SKILL.md") return static_cast<void>(out.write(entry));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    out.write(text);
  }
};

} // namespace

SKH_PLUGIN(skh::source<SlowSource>("org.skillhost.test.slow", "1.0.0", "Slow files",
                                   R"({"type": "object"})"));
