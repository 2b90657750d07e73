// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/RecordedObjects.hpp>

#include <algorithm>
#include <cstdint>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {
namespace {

// A quantity that an object offers, with what is known of it.
struct Offer {
  std::string name;
  std::string unit;
  std::string description;
  std::size_t size;
  RecordPlan::Fill fill;
  bool isUsual = true;  // recorded by default
  std::vector<std::string> columns = {};
  RecordKind kind = RecordKind::real;
};

// Copies a vector in `owner`, which is kept alive while it is recorded, even if it is removed from the model.
RecordPlan::Fill copyOf(const Vector& vector, std::shared_ptr<const void> owner) {
  return [&vector, owner = std::move(owner)](double* out) { std::copy(vector.begin(), vector.end(), out); };
}

// Null for a system of first order; owns it otherwise.
std::shared_ptr<SecondOrderDS> secondOrder(const std::shared_ptr<DynamicalSystem>& system) {
  SecondOrderDS* const body = system->secondOrder();
  return body == nullptr ? nullptr : std::shared_ptr<SecondOrderDS>(system, body);
}

// ½ v·M(q) v, with a workspace.
class KineticEnergy {
 public:
  explicit KineticEnergy(std::shared_ptr<SecondOrderDS> body) : body_(std::move(body)) { update(); }

  double value() {
    if (!body_->hasConstantMass()) update();
    return 0.5 * quadraticForm(mass_, body_->velocity());
  }
  double gravityPotential() const { return body_->gravityPotential(); }

 private:
  void update() { body_->mass(0., body_->q(), mass_); }

  std::shared_ptr<SecondOrderDS> body_;
  SquareMatrix mass_;
};

// The kinetic energy of the systems that are in the model at the time.
class ModelEnergy {
 public:
  explicit ModelEnergy(const Topology& topology) : topology_(topology) { update(); }

  bool isEmpty() const { return bodies_.empty(); }

  double kinetic() {
    follow();
    double sum = 0.;
    for (KineticEnergy& body : bodies_) sum += body.value();
    return sum;
  }
  double gravityPotential() {
    follow();
    double sum = 0.;
    for (const KineticEnergy& body : bodies_) sum += body.gravityPotential();
    return sum;
  }

 private:
  // Most changes of a topology are those of contacts.
  void follow() {
    if (version_ != topology_.version() && serials_ != topology_.systemSerials()) update();
    version_ = topology_.version();
  }
  void update() {
    bodies_.clear();
    for (const auto& system : topology_.systems()) {
      if (auto body = secondOrder(system)) bodies_.emplace_back(std::move(body));
    }
    serials_ = topology_.systemSerials();
    version_ = topology_.version();
  }

  const Topology& topology_;
  std::vector<KineticEnergy> bodies_;
  std::vector<std::uint64_t> serials_;  // of the systems that there were
  std::uint64_t version_ = 0;
};

std::vector<Offer> offersOf(const std::shared_ptr<DynamicalSystem>& system) {
  std::vector<Offer> offers;
  if (const FirstOrderDS* const first = system->firstOrder()) {
    offers.push_back({"x", "", "state", first->dimension(), copyOf(first->x(), system)});
    offers.push_back({"r", "", "input of the interactions", first->dimension(), copyOf(first->r(), system), false});
  }
  if (const auto body = secondOrder(system)) {
    const std::size_t n = body->dimension();
    // Only of rigid bodies is more known: seven numbers of a configuration whose velocity has six.
    const bool isRigid = n == 6 && body->q().size() == 7;
    offers.push_back({"q", isRigid ? "m, 1" : "", "configuration", body->q().size(), copyOf(body->q(), body)});
    offers.push_back(
        {"velocity", isRigid ? "m/s, rad/s" : "", "velocity, or twist", n, copyOf(body->velocity(), body)});
    const auto copyAcceleration = [body](double* out) {
      const Vector& a = body->acceleration();
      std::copy(a.begin(), a.end(), out);
    };
    offers.push_back({"acceleration", isRigid ? "m/s^2, rad/s^2" : "",
                      "rate of the velocity, in event-driven simulations", n, copyAcceleration, false});
    offers.push_back({"p", isRigid ? "N s, N m s" : "", "impulse of the interactions over the last step", n,
                      copyOf(body->p(), body), false});
    const auto energy = std::make_shared<KineticEnergy>(body);
    offers.push_back(
        {"kinetic_energy", "J", "kinetic energy", 1, [energy](double* out) { *out = energy->value(); }, false});
    if (isRigid) {
      offers[0].columns = {"x", "y", "z", "p0", "p1", "p2", "p3"};
      offers[1].columns = {"vx", "vy", "vz", "Omega1", "Omega2", "Omega3"};
    }
  }
  return offers;
}

std::vector<Offer> offersOf(const std::shared_ptr<Interaction>& interaction) {
  static const char* const outputs[] = {"output y", "rate of the output"};
  static const char* const multipliers[] = {"multiplier of the output: a force, or a rate",
                                            "impulse over the last step"};
  std::vector<Offer> offers;
  for (std::size_t level = 0; level < interaction->levels(); ++level) {
    offers.push_back({"y" + std::to_string(level), "", outputs[level], interaction->size(),
                      copyOf(interaction->y(level), interaction)});
  }
  for (std::size_t level = 0; level < interaction->levels(); ++level) {
    offers.push_back({"lambda" + std::to_string(level), "", multipliers[level], interaction->size(),
                      copyOf(interaction->lambda(level), interaction)});
  }
  offers.push_back({"active",
                    "",
                    "1 where the law could act in the last step",
                    interaction->blocks(),
                    [interaction](double* out) {
                      for (std::size_t b = 0; b < interaction->blocks(); ++b)
                        out[b] = interaction->isActive(b) ? 1. : 0.;
                    },
                    true,
                    {},
                    RecordKind::integer});
  return offers;
}

std::vector<Offer> offersOf(const std::shared_ptr<ForceElement>& element, const Simulation& simulation) {
  const auto fill = [&](const Vector& (ForceElement::*member)(double)) {
    return [element, member, &simulation](double* out) {
      const Vector& value = (element.get()->*member)(simulation.time());
      std::copy(value.begin(), value.end(), out);
    };
  };
  std::vector<Offer> offers;
  offers.push_back({"y0", "", "output y", element->size(), fill(&ForceElement::output)});
  offers.push_back({"y1", "", "rate of the output", element->size(), fill(&ForceElement::rate)});
  offers.push_back({"lambda0", "", "force of the law", element->size(), fill(&ForceElement::force)});
  offers.push_back({"energy", "J", "energy that the law stores", 1,
                    [element, &simulation](double* out) { *out = element->energy(simulation.time()); }, false});
  return offers;
}

const Offer& offerFor(const RecordChoice& choice, const std::vector<Offer>& offers, const std::string& whose) {
  std::string list;
  for (const Offer& offer : offers) {
    if (offer.name == choice.name) return offer;
    list += (list.empty() ? "'" : ", '") + offer.name + "'";
  }
  throw Error("Recorder", whose + " has no quantity '" + choice.name + "'; it has " +
                              (list.empty() ? std::string("none") : list) + ".");
}

// The chosen ones, with the user's units and columns; the usual ones if none are chosen.
std::vector<Offer> chosen(std::span<const RecordChoice> choices, const std::vector<Offer>& offers,
                          const std::string& whose) {
  std::vector<Offer> result;
  if (choices.empty()) {
    std::copy_if(offers.begin(), offers.end(), std::back_inserter(result), [](const Offer& o) { return o.isUsual; });
  }
  for (const RecordChoice& choice : choices) {
    result.push_back(offerFor(choice, offers, whose));
    Offer& offer = result.back();
    if (!choice.unit.empty()) offer.unit = choice.unit;
    if (choice.columns.empty()) continue;
    if (choice.columns.size() != offer.size) {
      throw Error("Recorder", "'" + choice.name + "' of " + whose + " has " + std::to_string(offer.size) +
                                  " columns, but " + std::to_string(choice.columns.size()) + " names were given.");
    }
    offer.columns = choice.columns;
  }
  return result;
}

void planOffers(const std::string& folder, std::vector<Offer> offers, RecordPlan& plan) {
  for (Offer& offer : offers) {
    plan.add({folder + offer.name,
              std::move(offer.unit),
              std::move(offer.description),
              {offer.size},
              std::move(offer.columns),
              {},
              offer.kind},
             std::move(offer.fill));
  }
}

std::string pathOf(const char* room, const std::string& name, const char* what) {
  if (name.empty()) throw Error("Recorder", std::string(what) + " to record is not in the model, and has no name.");
  return room + name + "/";
}

}  // namespace

void planSystem(const std::shared_ptr<DynamicalSystem>& system, std::span<const RecordChoice> choices,
                RecordPlan& plan) {
  const std::string folder = pathOf("systems/", system->name(), "a system");
  planOffers(folder, chosen(choices, offersOf(system), "system '" + system->name() + "'"), plan);
}

void planInteraction(const std::shared_ptr<Interaction>& interaction, std::span<const RecordChoice> choices,
                     RecordPlan& plan) {
  const std::string folder = pathOf("interactions/", interaction->name(), "an interaction");
  planOffers(folder, chosen(choices, offersOf(interaction), "interaction '" + interaction->name() + "'"), plan);
}

void planElement(const std::shared_ptr<ForceElement>& element, const Simulation& simulation,
                 std::span<const RecordChoice> choices, RecordPlan& plan) {
  const std::string folder = pathOf("elements/", element->name(), "a force element");
  planOffers(folder, chosen(choices, offersOf(element, simulation), "force element '" + element->name() + "'"), plan);
}

void planSystems(const std::string& name, const std::vector<std::shared_ptr<DynamicalSystem>>& systems,
                 std::span<const RecordChoice> choices, RecordPlan& plan) {
  std::vector<std::string> members;
  std::vector<std::vector<Offer>> parts;  // of each system
  for (const auto& system : systems) {
    members.push_back(system->name());
    parts.push_back(chosen(choices, offersOf(system), "system '" + system->name() + "'"));
  }
  for (std::size_t k = 0; k < parts[0].size(); ++k) {
    std::vector<RecordPlan::Fill> fills;
    const std::size_t n = parts[0][k].size;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].size() == parts[0].size() && parts[i][k].size == n) {
        fills.push_back(std::move(parts[i][k].fill));
        continue;
      }
      throw Error("Recorder", "systems that are recorded together must be alike, but in '" + name + "' system '" +
                                  members[i] + "' is not as '" + members[0] + "'.");
    }
    Offer& first = parts[0][k];
    plan.add({"groups/" + name + "/" + first.name,
              first.unit,
              first.description,
              {systems.size(), n},
              first.columns,
              members,
              first.kind},
             [fills = std::move(fills), n](double* out) {
               for (std::size_t i = 0; i < fills.size(); ++i) fills[i](out + i * n);
             });
  }
}

void planEnergy(const Simulation& simulation, const std::function<double()>& potential, RecordPlan& plan) {
  const NonSmoothDynamicalSystem& model = simulation.model();
  const auto energy = std::make_shared<ModelEnergy>(model.topology());
  if (energy->isEmpty()) {
    throw Error("Recorder", "recordEnergy: the model has no mechanical system; give the energy as a function.");
  }
  // The sum is the last that is asked for.
  const auto present = std::make_shared<std::pair<double, double>>();
  plan.add({"energy/kinetic", "J", "kinetic energy of all systems", {}, {}, {}},
           [energy, present](double* out) { *out = present->first = energy->kinetic(); });
  const bool isKnown = model.gravity() != Vector3{} || !model.elements().empty();
  if (!potential && !isKnown) return;
  const char* const ofWhat = potential
                                 ? "potential energy, as the user gives it"
                                 : "potential of the model's gravity, zero at the origin, and of its force elements";
  const auto known = potential ? potential : [energy, &simulation] {
    double sum = energy->gravityPotential();
    for (const auto& element : simulation.model().elements()) sum += element->energy(simulation.time());
    return sum;
  };
  plan.add({"energy/potential", "J", ofWhat, {}, {}, {}},
           [known, present](double* out) { *out = present->second = known(); });
  plan.add({"energy/total", "J", "kinetic and potential energy", {}, {}, {}},
           [present](double* out) { *out = present->first + present->second; });
}

void planContacts(const NonSmoothDynamicalSystem& model, const ContactChoice& choice, RecordPlan& plan) {
  RecordTable table{
      "contacts",
      {{"contacts/interaction", "", "name of the interaction", {}, {}, {}, RecordKind::name},
       {"contacts/block", "", "number of the contact in its interaction", {}, {}, {}, RecordKind::integer},
       {"contacts/gap", "m", "distance, y(0)", {}, {}, {}},
       {"contacts/velocity", "m/s", "relative velocity, y(1): normal, then tangential", {choice.rows}, {}, {}},
       {"contacts/impulse",
        "N s",
        "impulse over the last step, lambda(1): normal, then tangential",
        {choice.rows},
        {},
        {}}}};
  const auto writeRows = [&model, choice](RecordSink& sink, std::size_t number) {
    std::size_t count = 0;
    for (const auto& interaction : model.topology().interactions()) {
      if (!interaction->law().actsOnVelocities() || interaction->levels() < 2) continue;
      const std::size_t n = interaction->law().size();
      if (n > choice.rows) {
        throw Error("Recorder", "recordContacts: interaction '" + interaction->name() + "' has contacts of " +
                                    std::to_string(n) + " rows, but " + std::to_string(choice.rows) +
                                    " are recorded; set ContactChoice::rows.");
      }
      for (std::size_t block = 0; block < interaction->blocks(); ++block) {
        if (!choice.inactiveToo && !interaction->isActive(block)) continue;
        *sink.place(number, 0) = sink.nameNumber(interaction->name());
        *sink.place(number, 1) = static_cast<double>(block);
        *sink.place(number, 2) = interaction->y(0)(block * n);
        const auto write = [&](const Vector& from, double* out) {
          std::copy_n(data(from) + block * n, n, out);
          std::fill(out + n, out + choice.rows, std::numeric_limits<double>::quiet_NaN());
        };
        write(interaction->y(1), sink.place(number, 3));
        write(interaction->lambda(1), sink.place(number, 4));
        sink.endRow(number);
        ++count;
      }
    }
    return count;
  };
  plan.addRagged(std::move(table), writeRows);
}

}  // namespace delassus
