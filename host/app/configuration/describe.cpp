// SPDX-License-Identifier: Apache-2.0
#include "configuration/describe.hpp"

#include "configuration/keys.hpp"
#include "settings/declared_keys.hpp"
#include "settings/members.hpp"
#include "settings/secrets.hpp"
#include "settings/table.hpp"
#include "settings/yaml_text.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::app {
namespace {

using settings::Row;

template <class Owner> Row rowOf(const Key<Owner> &key, const Owner &defaults) {
  Row row;
  row.name = key.name;
  row.option = key.option;
  row.help = key.help;
  row.shape = key.shape;
  row.minimum = key.rule.minimum;
  row.maximum = key.rule.maximum;
  row.meaning = key.rule.meaning;
  row.choices = key.choices;
  row.standard = key.toJson(defaults);
  return row;
}

// Returns the rows of the keys of an entry. Those in `required` are marked as required.
template <class Owner>
std::vector<Row> partsOf(std::span<const Key<Owner>> keys,
                         std::initializer_list<std::string_view> required) {
  std::vector<Row> rows;
  for (const Key<Owner> &key : keys) {
    Row &row = rows.emplace_back(rowOf(key, Owner{}));
    row.isRequired = std::find(required.begin(), required.end(), key.name) != required.end() ||
                     (key.declared != nullptr && key.declared->isRequired);
    if (row.isRequired) row.standard = nullptr;
  }
  return rows;
}

std::string exampleOf(const settings::Declaration &declared) {
  std::string text;
  for (const auto &item : declared.examples.back().items())
    text += (text.empty() ? "- " : "  ") + item.key() + ": " + yamlInline(item.value()) + '\n';
  return text;
}

void addEntries(Row &row, const HostKey &key) {
  row.entries = "rules";
  row.entry = "A rule";
  if (key.declared != nullptr) {
    row.parts = partsOf(partKeys(*key.declared), {});
    row.example = exampleOf(*key.declared);
  } else if (key.name == "access.visibility") {
    row.parts = partsOf(visibilityKeys(), {});
    row.example = "- sources: [hr-*]\n  scopes: [hr]\n";
  } else {
    const bool areSources = key.name == "sources";
    row.entries = areSources ? "sources" : "plugins";
    row.entry = "An entry";
    const std::vector<Row> ofPlugin = partsOf(pluginEntryKeys(), {"name", "plugin"});
    row.parts = areSources ? partsOf(sourceKeys(), {"name"}) : ofPlugin;
    for (Row &part : row.parts) {
      if (part.shape != Shape::Entries) continue; // the filters of a source
      part.entries = "plugins";
      part.entry = "An entry";
      part.parts = ofPlugin;
    }
    row.example = areSources                ? "- name: team\n  plugin: filesystem\n"
                                              "  config: {directories: [~/team/skills]}\n"
                  : key.name == "tools"     ? "- name: notes\n  plugin: ~/plugins/notes.so\n"
                                              "  config: {file: ~/notes.md}\n"
                  : key.name == "observers" ? "- name: journal\n  plugin: ~/plugins/journal.so\n"
                                              "  config: {keep_days: 30}\n"
                                            : "- name: status\n  plugin: ~/plugins/status.so\n";
  }
}

std::vector<Row> allRows() {
  std::vector<Row> rows;
  const Configuration defaults;
  for (const HostKey &key : hostKeys()) {
    Row &row = rows.emplace_back(rowOf(key, defaults));
    row.variable = variableName(key.name);
    if (key.shape == Shape::Entries) addEntries(row, key);
  }
  return rows;
}

} // namespace

std::string exampleConfiguration() {
  return settings::exampleYaml(
      allRows(), sections(),
      "# Every setting of skillhost at its default. Keep what you change, drop the "
      "rest: an absent key,\n# or null, is the default. Each key may also be given "
      "as an environment variable (named below) or\n# with --set KEY=VALUE; command "
      "line over environment over file. Relative paths begin at this\n# file's "
      "folder; ~ is the home folder.\n");
}

std::string exampleConfigurationAsJson() {
  return writeMembers(hostKeys(), Configuration{}).dump(2) + '\n';
}

std::string configurationTable() { return settings::markdownTable(allRows()); }

std::string configurationSchema() {
  return settings::jsonSchema(allRows(), sections(), "Configuration of skillhost");
}

std::string printedConfiguration(const Configuration &configuration, const std::string &file) {
  Json effective = writeMembers(hostKeys(), configuration);
  for (const char *list : {"sources", "tools", "observers", "http_handlers"})
    for (Json &entry : effective[list]) entry = masked(entry, configuration.secrets);
  effective["search"]["config"] = masked(effective["search"]["config"], configuration.secrets);
  for (const HostKey &key : hostKeys()) {
    if (key.rule.meaning != Meaning::Secret) continue;
    Json &section = effective[std::string(key.name.substr(0, key.name.find('.')))];
    section = masked(section, configuration.secrets);
  }
  std::string out = file.empty() ? "# No configuration file was read.\n"
                                 : "# With the configuration file " + file + "\n";
  for (const auto &item : effective.items()) appendYaml(out, item.key(), item.value(), 0);
  return out;
}

} // namespace skillhost::app
