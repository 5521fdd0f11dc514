// SPDX-License-Identifier: Apache-2.0
#include "mcp/plugin_tools.hpp"

#include "base/log.hpp"
#include "ground/bind_weak.hpp"
#include "mcp/own_tools.hpp"
#include "mcp/tool.hpp"
#include "rpc/uri_template.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>

namespace skillhost {
namespace {

constexpr std::size_t remarksShown = 5;

std::string joined(const std::vector<std::string> &problems) {
  std::string text;
  for (std::size_t i = 0; i < std::min(problems.size(), remarksShown); ++i)
    (text += text.empty() ? "withheld: " : "; ") += problems[i];
  if (problems.size() > remarksShown)
    text += "; and " + std::to_string(problems.size() - remarksShown) + " more";
  return text;
}

std::set<std::string> namesOf(const OwnTools &tools) {
  std::set<std::string> names;
  for (const Tool *const tool : tools.all()) names.emplace(tool->name);
  return names;
}

bool same(const std::vector<PluginTool> &a, const std::vector<PluginTool> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PluginTool &x, const PluginTool &y) {
                      return x.listEntry == y.listEntry && x.provider == y.provider;
                    });
}

} // namespace

PluginToolsChanged difference(const PluginToolSet &now, const PluginToolSet &before) {
  return {!same(now.tools(), before.tools()), !same(now.prompts(), before.prompts()),
          !same(now.resources(), before.resources()) || !same(now.templates(), before.templates())};
}

PluginToolSet::PluginToolSet(const PluginToolSet &whole, const std::set<std::string> &hidden)
    : generation_(whole.generation_) {
  for (const std::string &name : hidden) (hidden_ += hidden_.empty() ? "" : ",") += name;
  const auto take = [&](const std::vector<PluginTool> &from, std::vector<PluginTool> &into) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(into),
                 [&](const PluginTool &pluginTool) {
                   return !hidden.contains(pluginTool.provider->name());
                 });
  };
  take(whole.tools_, tools_);
  take(whole.prompts_, prompts_);
  take(whole.resources_, resources_);
  take(whole.templates_, templates_);
}

PluginToolSet::PluginToolSet(std::uint64_t generation, const std::vector<PluginToolLists> &all,
                             const std::set<std::string> &taken)
    : generation_(generation) {
  std::set<std::string> tools = taken, prompts, uris, templates;
  for (const PluginToolLists &lists : all) {
    std::vector<std::string> problems = lists.problems;
    const auto take = [&](const std::vector<PluginTool> &from, std::vector<PluginTool> &into,
                          std::set<std::string> &taken, const char *what) {
      for (const PluginTool &pluginTool : from)
        if (taken.insert(pluginTool.key).second)
          into.push_back(pluginTool);
        else
          problems.push_back(std::string(what) + pluginTool.key + ": it is taken");
    };
    take(lists.tools, tools_, tools, "tools: ");
    take(lists.prompts, prompts_, prompts, "prompts: ");
    take(lists.resources, resources_, uris, "resources: ");
    take(lists.templates, templates_, templates, "resourceTemplates: ");
    problems_.push_back(std::move(problems));
  }
}

const PluginTool *PluginToolSet::find(const std::vector<PluginTool> &pluginTools,
                                      std::string_view key) {
  const auto found =
      std::find_if(pluginTools.begin(), pluginTools.end(),
                   [&](const PluginTool &pluginTool) { return pluginTool.key == key; });
  return found == pluginTools.end() ? nullptr : &*found;
}

const PluginTool *PluginToolSet::resource(std::string_view uri) const {
  if (uri.size() > maxUriBytes) return nullptr; // the time grows with the URI and the templates
  if (const PluginTool *const listed = find(resources_, uri)) return listed;
  const auto found =
      std::find_if(templates_.begin(), templates_.end(),
                   [&](const PluginTool &pluginTool) { return fitsTemplate(pluginTool.key, uri); });
  return found == templates_.end() ? nullptr : &*found;
}

class PluginTools::State : public std::enable_shared_from_this<State> {
public:
  State(bool expected, std::set<std::string> taken) : taken_(std::move(taken)), ready_(!expected) {}

  void attach(std::vector<std::shared_ptr<ToolProvider>> providers,
              std::chrono::milliseconds within, Tell tell) {
    const std::size_t count = providers.size();
    {
      const std::scoped_lock lock(mutex_);
      within_ = within;
      tell_ = std::move(tell);
      for (auto &provider : providers) all_.push_back({std::move(provider), {}});
    }
    if (count == 0) return becomeReady();
    for (std::size_t i = 0; i < count; ++i) {
      all_[i].provider->onChanged(bindWeak(this, &State::list, i));
      list(i);
    }
  }

  void end() {
    std::vector<Plugin> all;
    const std::scoped_lock ending(ending_);
    const std::scoped_lock lock(mutex_);
    all.swap(all_);
    current_ = none_; // takes no memory: a constructor that fails for lack of it calls this
    tell_ = nullptr;
  }

  PluginToolSetPointer current() const {
    const std::scoped_lock lock(mutex_);
    return current_;
  }
  bool ready() const {
    const std::scoped_lock lock(mutex_);
    return ready_;
  }
  void whenReady(std::function<void()> callback) {
    {
      const std::scoped_lock lock(mutex_);
      if (!ready_) return waiting_.push_back(std::move(callback));
    }
    callback();
  }

private:
  struct Plugin {
    std::shared_ptr<ToolProvider> provider;
    PluginToolLists lists;
    bool isListing = false, mustListAgain = false, wasListed = false;
  };

  void list(std::size_t i) {
    std::shared_ptr<ToolProvider> provider;
    CallOptions options;
    {
      const std::scoped_lock lock(mutex_);
      if (i >= all_.size()) return;
      Plugin &plugin = all_[i];
      plugin.mustListAgain = plugin.isListing;
      if (std::exchange(plugin.isListing, true)) return;
      provider = plugin.provider;
      options.deadline = Deadline::after(within_);
    }
    provider->list(std::move(options), maxPluginToolListBytes, bindWeak(this, &State::onListed, i));
  }

  void onListed(std::size_t i, const Result<std::string> &text) {
    // Locked while tell_ runs, so that tell_ has returned when end() returns.
    const std::scoped_lock ending(ending_);
    PluginToolSetPointer now, before;
    bool again = false, complete = false, tell = false;
    {
      const std::scoped_lock lock(mutex_);
      if (i >= all_.size()) return; // end() was called meanwhile
      Plugin &plugin = all_[i];
      Result<PluginToolLists> lists =
          text ? readPluginTools(*text, plugin.provider) : Result<PluginToolLists>(text.failure());
      plugin.isListing = false;
      again = std::exchange(plugin.mustListAgain, false);
      plugin.wasListed = true;
      if (lists)
        plugin.lists = *std::move(lists);
      else // the earlier list still holds
        log::error("plugin", "tools " + plugin.provider->name() + ": " + lists.failure().message);
      before = current_;
      publish();
      now = current_;
      complete = std::all_of(all_.begin(), all_.end(), [](const Plugin &o) { return o.wasListed; });
      tell = tell_ != nullptr;
    }
    if (tell && difference(*now, *before).any()) tell_(now, before);
    if (complete) becomeReady();
    if (again) list(i);
  }

  void publish() {
    std::vector<PluginToolLists> lists;
    lists.reserve(all_.size());
    for (const Plugin &plugin : all_) lists.push_back(plugin.lists);
    auto now = std::make_shared<const PluginToolSet>(current_->generation() + 1, lists, taken_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::string remark = joined(now->problems()[i]);
      if (!remark.empty() &&
          remark != joined(i < current_->problems().size() ? current_->problems()[i]
                                                           : std::vector<std::string>{}))
        log::warning("plugin", "tools " + all_[i].provider->name() + ": " + remark);
      all_[i].provider->setRemark(remark);
    }
    current_ = std::move(now);
  }

  void becomeReady() {
    std::vector<std::function<void()>> waiting;
    {
      const std::scoped_lock lock(mutex_);
      ready_ = true;
      waiting.swap(waiting_);
    }
    for (const auto &callback : waiting) callback();
  }

  std::recursive_mutex ending_; // locked before mutex_; recursive, for a list that fails at once
  mutable std::mutex mutex_;
  const std::set<std::string> taken_; // names of tools that plugins cannot have
  std::vector<Plugin> all_;
  const PluginToolSetPointer none_ = std::make_shared<const PluginToolSet>();
  PluginToolSetPointer current_ = none_;
  std::chrono::milliseconds within_{0};
  Tell tell_;
  std::vector<std::function<void()>> waiting_;
  bool ready_;
};

PluginTools::PluginTools(bool expected, const OwnTools &ownTools)
    : state_(std::make_shared<State>(expected, namesOf(ownTools))) {}
void PluginTools::attach(std::vector<std::shared_ptr<ToolProvider>> providers,
                         std::chrono::milliseconds within, Tell tell) {
  state_->attach(std::move(providers), within, std::move(tell));
}
void PluginTools::end() { state_->end(); }
PluginToolSetPointer PluginTools::current() const { return state_->current(); }
bool PluginTools::ready() const { return state_->ready(); }
void PluginTools::whenReady(std::function<void()> callback) {
  state_->whenReady(std::move(callback));
}

} // namespace skillhost
