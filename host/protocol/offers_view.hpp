// SPDX-License-Identifier: Apache-2.0
// What plugins offer, as one caller sees it.
#pragma once

#include "access/visibility.hpp"
#include "offers.hpp"

namespace skillhost {

class Access;

// `whole` without the offers of the instances that this key does not see; `whole` itself when it
// sees them all, or `access` is null. Any thread.
OfferSetPointer seenOffers(const Access *access, const Visibility::Key &key,
                           const OfferSetPointer &whole);

} // namespace skillhost
