// SPDX-License-Identifier: Apache-2.0
#include "route_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

bool isFolder(const HttpRoute &route) { return route.extent == HttpRoute::Extent::Folder; }

bool overlap(const HttpRoute &a, const HttpRoute &b) {
  if (a.path == b.path) return true;
  return (isFolder(a) && b.path.starts_with(a.path)) || (isFolder(b) && a.path.starts_with(b.path));
}

} // namespace

bool RouteTable::Entry::allowsMethod(std::string_view method) const {
  const auto &methods = route.methods;
  return methods.empty() || std::find(methods.begin(), methods.end(), method) != methods.end();
}

void RouteTable::Entry::refuseMethod(HttpExchange &exchange) const {
  std::string all;
  for (const std::string &method : route.methods) (all += all.empty() ? "" : ", ") += method;
  HttpFields fields{{"Allow", all}};
  fields.insert(fields.end(), route.onOtherMethod.begin(), route.onOtherMethod.end());
  exchange.respond({405, plainTextType, std::move(fields), Fragments("only " + all + "\n")});
}

void RouteTable::add(HttpRoute route, std::string owner, Handler answer) {
  if (!route.path.starts_with('/') || (isFolder(route) && !route.path.ends_with('/')))
    throw std::runtime_error(owner + " claimed \"" + route.path +
                             "\": a path begins with a slash, and a folder ends with one");
  for (const auto *const entries : {&paths_, &folders_})
    for (const auto &[path, other] : *entries)
      if (overlap(route, other.route))
        throw std::runtime_error(owner + " claimed " + route.path +
                                 (owner == other.owner ? " and, as another route of its own, "
                                                       : ", and " + other.owner + " claimed ") +
                                 path + ": a path cannot belong to both");
  auto &entries = isFolder(route) ? folders_ : paths_;
  std::string path = route.path;
  entries.emplace(std::move(path), Entry{std::move(route), std::move(owner), std::move(answer)});
}

const RouteTable::Entry *RouteTable::find(std::string_view path) const {
  if (const auto exact = paths_.find(path); exact != paths_.end()) return &exact->second;
  // There is only a handful of folders.
  for (const auto &[folder, entry] : folders_)
    if (path.starts_with(folder)) return &entry;
  return nullptr;
}

} // namespace skillhost
