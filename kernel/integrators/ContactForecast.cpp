// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/ContactForecast.hpp>

#include <algorithm>

namespace delassus {

ContactForecast ContactForecast::of(const ContactBegin& contact, double h, double theta) {
  const double approach = -contact.rate;
  const double rebound = contact.restitution * approach;
  const double pull = h * contact.reach;
  const double landing = -std::max(contact.gap - (1. - theta) * h * approach, 0.) / h;
  ContactForecast forecast;
  if (contact.gap <= h * approach) {
    const double raise = contact.gap < 0. ? std::min(-recovery * contact.gap / h, pull) : 0.;
    forecast.active = true;
    forecast.impacts = approach > pull;
    forecast.leastRate = contact.restitution > 0. ? rebound : landing;
    forecast.raises = raise > 0.;
    if (forecast.raises && !contact.keepsDepth) forecast.leastRate = std::max(forecast.leastRate, raise);
  } else {
    const bool isReached = contact.gap <= h * (approach + pull) && rebound <= pull;
    const bool mayBeClosed = contact.restitution == 0. && contact.gap <= h * (approach + pull + contact.unforeseen);
    forecast.expected = !contact.isLoaded && !isReached && mayBeClosed;
    forecast.active = contact.isLoaded || isReached || forecast.expected;
    forecast.leastRate = landing;
  }
  return forecast;
}

}  // namespace delassus
