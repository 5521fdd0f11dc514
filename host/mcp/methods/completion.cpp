// SPDX-License-Identifier: Apache-2.0
// completion/complete completes the variables of resource templates, and arguments of plugins'
// prompts.
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "plugin_calls.hpp"
#include "skillmd/naming.hpp"

#include <set>

namespace skillhost {
namespace {

constexpr std::size_t maxValues = 100; // the protocol's own limit

void answerValues(const CallPointer &call, const std::set<std::string> &values) {
  Json shown = Json::array();
  for (const std::string &value : values) {
    if (shown.size() == maxValues) break;
    shown.push_back(value);
  }
  const bool more = shown.size() < values.size();
  const Json completion{{"values", std::move(shown)}, {"total", values.size()}, {"hasMore", more}};
  call->result(Fragments(R"("completion":)" + completion.dump()));
}

// Returns the value of another variable that the client has filled in; empty if unknown.
std::string contextValue(const CallPointer &call, const char *name) {
  const auto context = call->params().find("context");
  if (context == call->params().end() || !context->is_object()) return {};
  const auto arguments = context->find("arguments");
  if (arguments == context->end() || !arguments->is_object()) return {};
  const auto value = arguments->find(name);
  return value == arguments->end() || !value->is_string() ? std::string()
                                                          : value->get<std::string>();
}

std::set<std::string> templateValues(const CallPointer &call, const std::string &variable,
                                     const std::string &prefix) {
  std::set<std::string> values;
  const auto catalogue = call->catalogue();
  const std::string source = contextValue(call, "source");
  for (const CatalogueEntry &entry : catalogue->entries()) {
    const Skill &skill = *entry.skill;
    if (variable == "source") {
      if (skill.source.starts_with(prefix)) values.insert(skill.source);
    } else if (source.empty() || source == skill.source) {
      const std::string root = skill.uri.substr(skillScheme.size() + skill.source.size() + 1) + "/";
      // A skill whose paths cannot begin with the prefix is skipped as a whole.
      const std::size_t common = std::min(root.size(), prefix.size());
      if (root.compare(0, common, prefix, 0, common) != 0) continue;
      for (const std::string &file : skill.filePaths)
        if (std::string path = root + encodePath(file); path.starts_with(prefix))
          values.insert(std::move(path));
    }
  }
  return values;
}

} // namespace

void methods::complete(const CallPointer &call) {
  const auto reference = call->params().find("ref");
  const auto argument = call->params().find("argument");
  const auto text = [](const Json &object, const char *name) -> const std::string * {
    const auto found = object.find(name);
    return found == object.end() || !found->is_string() ? nullptr
                                                        : found->get_ptr<const std::string *>();
  };
  if (reference == call->params().end() || !reference->is_object() ||
      argument == call->params().end() || !argument->is_object())
    return call->fail({Fault::InvalidParams, "params.ref and params.argument must be objects"});
  const std::string *const type = text(*reference, "type");
  const std::string *const name = text(*argument, "name");
  const std::string *const value = text(*argument, "value");
  if (type == nullptr || name == nullptr || value == nullptr)
    return call->fail({Fault::InvalidParams, "params.ref.type, params.argument.name and "
                                             "params.argument.value must be strings"});
  if (*type == "ref/prompt") {
    const std::string *const prompt = text(*reference, "name");
    const auto catalogue = call->catalogue();
    const auto pluginTools = call->pluginTools();
    if (prompt != nullptr && catalogue->byName(*prompt) == nullptr)
      if (const PluginTool *const fromPlugin = pluginTools->prompt(*prompt))
        return completeByPlugin(call, *fromPlugin, *name, *value);
    const CatalogueEntry *const entry = prompt == nullptr ? nullptr : catalogue->byName(*prompt);
    if (entry == nullptr || !entry->isForUsers())
      return call->fail({Fault::InvalidParams, "params.ref.name: unknown prompt"});
    return answerValues(call, {}); // its argument is free text
  }
  if (*type == "ref/resource") {
    const std::string *const uri = text(*reference, "uri");
    if (uri == nullptr)
      return call->fail({Fault::InvalidParams, "params.ref.uri must be a string"});
    const auto pluginTools = call->pluginTools();
    if (const PluginTool *const fromPlugin = pluginTools->uriTemplate(*uri))
      return completeByPlugin(call, *fromPlugin, *name, *value);
    if (*uri != skillTemplate)
      return call->fail({Fault::InvalidParams, "params.ref.uri: unknown resource template"});
    if (*name != "source" && *name != "path")
      return call->fail(
          {Fault::InvalidParams, "params.argument.name: the template has no such variable"});
    return answerValues(call, templateValues(call, *name, *value));
  }
  call->fail({Fault::InvalidParams, "params.ref.type must be ref/prompt or ref/resource"});
}

} // namespace skillhost
