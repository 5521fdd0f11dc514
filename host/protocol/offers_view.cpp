// SPDX-License-Identifier: Apache-2.0
#include "offers_view.hpp"

#include <set>
#include <string>

namespace skillhost {

OfferSetPointer seenOffers(const Visibility::Key &key, const OfferSetPointer &whole) {
  if (Visibility::seesAll(key)) return whole;
  std::set<std::string> seen, hidden;
  for (const auto *const list :
       {&whole->tools(), &whole->prompts(), &whole->resources(), &whole->templates()})
    for (const Offer &offer : *list) {
      const std::string &name = offer.provider->name();
      if (seen.contains(name) || hidden.contains(name)) continue;
      (Visibility::sees(key, name) ? seen : hidden).insert(name);
    }
  return hidden.empty() ? whole : std::make_shared<const OfferSet>(*whole, hidden);
}

} // namespace skillhost
