// SPDX-License-Identifier: Apache-2.0
// The keys that features declare, as rows of the tables of keys.
#pragma once

#include "settings/feature_settings.hpp"
#include "settings/key.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

namespace skillhost::settings {

// Returns what features of this build declare. Throws std::logic_error if it cannot be read: the
// build has ruled that out.
const Declarations &declarations();

// Reads the value of a key that was declared. Notes a problem as readValue() does, and returns
// nothing then.
std::optional<Json> readDeclared(Reading &reading, const Written &written,
                                 const Declaration &declared);
Rule ruleOf(const Declaration &declared);
Shape shapeOf(const Declaration &declared);
// Valid until the process ends, as the declarations are.
std::span<const std::string_view> choicesOf(const Declaration &declared);
std::span<const PartKey> partKeys(const Declaration &declared); // of a list of rules

// Returns the index at which a key is inserted behind the key `after`, among names in their order.
// If that key is missing, or belongs to another section and does not stand right before the key's
// own, the index is the end of the key's section. It is never within another section.
std::size_t placeFor(std::string_view key, std::string_view after,
                     std::span<const std::string_view> names);

// Returns a row that reads and writes nothing yet.
template <class Owner> Key<Owner> declaredRow(std::string_view name, const Declaration &declared) {
  Key<Owner> row{name, declared.option, ruleOf(declared), declared.description};
  row.shape = shapeOf(declared);
  row.choices = choicesOf(declared);
  row.declared = &declared;
  return row;
}

// Gives the row of the host that a feature declares the feature's description, if there is one.
// Throws std::logic_error if the host has no such row.
template <class Owner> void admit(std::vector<Key<Owner>> &rows, const Declaration &declared) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Key<Owner> &one) {
    return one.needsFeature && one.name == declared.key;
  });
  if (row == rows.end())
    throw std::logic_error("the host has no key " + declared.key + " that a feature may declare");
  row->needsFeature = false;
  if (!declared.description.empty()) row->help = declared.description;
}

// Returns the rows of the host with those that features declare for this list; empty: for none.
// Leaves out the rows of the host that need a feature, and that no feature declares.
template <class Owner>
std::vector<Key<Owner>> withDeclared(std::span<const Key<Owner>> own, std::string_view list = {}) {
  std::vector<Key<Owner>> rows(own.begin(), own.end());
  for (const Declaration &declared : declarations().keys) {
    const std::string_view key = declared.key;
    if (list.empty() ? key.find("[].") != key.npos : !key.starts_with(list)) continue;
    if (declared.type == Type::OfHost) {
      admit(rows, declared);
      continue;
    }
    Key<Owner> row = declaredRow<Owner>(key.substr(list.size()), declared);
    row.read = [](Reading &reading, const Written &written, const Key<Owner> &read, Owner &owner) {
      if (std::optional<Json> value = readDeclared(reading, written, *read.declared))
        owner.features.set(read.declared->key, *std::move(value));
    };
    row.write = [](const Owner &owner, const Key<Owner> &written) {
      return owner.features.value(written.declared->key);
    };
    std::vector<std::string_view> names(rows.size());
    std::transform(rows.begin(), rows.end(), names.begin(),
                   [](const Key<Owner> &one) { return one.name; });
    std::string_view after = declared.after;
    after.remove_prefix(std::min(list.size(), after.size()));
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(placeFor(row.name, after, names)), row);
  }
  std::erase_if(rows, [](const Key<Owner> &one) { return one.needsFeature; });
  return rows;
}

std::vector<Heading> withDeclared(std::span<const Heading> own);

} // namespace skillhost::settings
