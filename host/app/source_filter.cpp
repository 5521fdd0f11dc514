// SPDX-License-Identifier: Apache-2.0
#include "made_filters.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace skillhost::app {
namespace {

bool isCalled(const WithheldSkill &skill, std::string_view name) {
  const std::string_view path = skill.path;
  return path == name || skill.name == name ||
         (path.ends_with(name) && path[path.size() - name.size() - 1] == '/');
}

} // namespace

std::vector<std::string> toolsOf(const FilterKinds &kinds) {
  std::vector<std::string> names;
  for (const FilterKind &kind : kinds)
    names.insert(names.end(), kind.tools.begin(), kind.tools.end());
  return names;
}

MadeFilters makeFilters(const FilterKinds &kinds, const Configuration &configuration,
                        const ShareState &share) {
  MadeFilters made;
  for (const FilterKind &kind : kinds) {
    made.filters.push_back(kind.make(configuration, share));
    if (!made.filters.back())
      throw std::runtime_error("the filter " + std::string(kind.name) + " cannot be made");
    made.wrappers.push_back(made.filters.back()->wrapper(configuration));
  }
  return made;
}

SourceWrappers wrappersFor(const Configuration &configuration, const SourceFilters &filters) {
  SourceWrappers wrappers;
  wrappers.reserve(filters.size());
  for (const auto &filter : filters) wrappers.push_back(filter->wrapper(configuration));
  return wrappers;
}

SourcePin pinOf(const SourceWrappers &wrappers, const std::string &source, SourcePin otherwise) {
  for (const auto &wrapper : wrappers)
    if (auto pin = wrapper->pin(source)) otherwise = *std::move(pin);
  return otherwise;
}

std::shared_ptr<Source> wrapped(const SourceWrappers &wrappers, std::shared_ptr<Source> source) {
  for (const auto &wrapper : wrappers) {
    source = wrapper->wrap(std::move(source));
    if (!source) throw std::runtime_error("a filter does not say what it serves of the source");
  }
  return source;
}

bool treatAlike(const SourceWrappers &a, const SourceWrappers &b, const std::string &source) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const auto &one, const auto &other) {
                      return one == other || one->mark(source) == other->mark(source);
                    });
}

bool mayWithhold(const SourceFilters &filters) {
  return std::ranges::any_of(filters, &SourceFilter::withholds);
}

std::vector<WithheldSkill> withheldBy(const SourceFilters &filters) {
  std::vector<WithheldSkill> all;
  for (const auto &filter : filters)
    for (WithheldSkill &skill : filter->withheld()) all.push_back(std::move(skill));
  return all;
}

std::optional<WithheldSkill> findWithheld(const std::vector<WithheldSkill> &all,
                                          std::string_view name) {
  const WithheldSkill *found = nullptr;
  for (const WithheldSkill &skill : all) {
    if (skill.id == name) return skill;
    if (name.empty() || !isCalled(skill, name)) continue;
    if (found != nullptr) return std::nullopt;
    found = &skill;
  }
  return found == nullptr ? std::nullopt : std::optional(*found);
}

} // namespace skillhost::app
