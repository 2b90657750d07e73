// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/relations/FirstOrderType2R.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <limits>
#include <support/FirstOrderModels.hpp>

namespace delassus::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector filled(std::size_t size, double value) {
  return Vector(size, value);
}

Matrix transposed(const Matrix& a) {
  Matrix t(a.size2(), a.size1());
  for (std::size_t i = 0; i < a.size1(); ++i) {
    for (std::size_t j = 0; j < a.size2(); ++j) t(j, i) = a(i, j);
  }
  return t;
}

}  // namespace

MixedFirstOrderModel::MixedFirstOrderModel(unsigned seed, double end) : model(0., end) {
  Generator generator(seed);
  for (const std::size_t n : {2U, 3U}) {
    Matrix A = randomMatrix(generator, n, n);
    for (std::size_t i = 0; i < n; ++i) A(i, i) -= 1.;
    const WavyMap f{A, randomMatrix(generator, n, n), 0.5};
    systems.push_back(std::make_shared<FirstOrderNonLinearDS>(randomVector(generator, n), automatic(f)));
    systems.back()->setM(randomPositiveDefinite(generator, n));
    model.insert(systems.back());
    fields.push_back(f);
  }
  const auto add = [&](std::shared_ptr<NonSmoothLaw> law, std::shared_ptr<Relation> relation) {
    interactions.push_back(std::make_shared<Interaction>(std::move(law), std::move(relation)));
    lower.emplace_back(interactions.back()->size());
    upper.emplace_back(interactions.back()->size());
    interactions.back()->law().bounds(data(lower.back()), data(upper.back()));
  };

  {
    const Matrix C = randomMatrix(generator, 2, 5);
    const WavyRelation h{C, randomPositiveDefinite(generator, 2), randomMatrix(generator, 2, 5), 0.2};
    const WavyRelation g{0.3 * randomMatrix(generator, 5, 5), transposed(C), randomMatrix(generator, 5, 5), 0.2};
    add(std::make_shared<RelayNSL>(filled(2, -1.), filled(2, 0.5)),
        std::make_shared<FirstOrderNonLinearR>(2, automatic(h), automatic(g)));
    outputs.push_back(h);
    inputs.push_back(g);
    links.push_back({0, 1});
    model.link(interactions.back(), systems[0], systems[1]);
  }
  {
    const Matrix C = randomMatrix(generator, 2, 3);
    const WavyRelation h{C, randomPositiveDefinite(generator, 2), randomMatrix(generator, 2, 3), 0.2};
    const WavyMap g{transposed(C), randomMatrix(generator, 3, 2), 0.1};
    add(std::make_shared<ComplementarityConditionNSL>(2),
        std::make_shared<FirstOrderType2R>(2, automatic(h), automatic(g)));
    outputs.push_back(h);
    inputs.push_back([g](double t, const Vector&, const Vector& lambda, Vector& r) { g(t, lambda, r); });
    links.push_back({1});
    model.link(interactions.back(), systems[1]);
  }
  {
    const Matrix C = makeMatrix({{1., 0.3}});
    const WavyMap h{C, randomMatrix(generator, 1, 2), 0.1};
    const WavyMap g{transposed(C), randomMatrix(generator, 2, 1), 0.1};
    add(std::make_shared<EqualityConditionNSL>(1), std::make_shared<FirstOrderType1R>(1, automatic(h), automatic(g)));
    outputs.push_back([h](double t, const Vector& x, const Vector&, Vector& y) { h(t, x, y); });
    inputs.push_back([g](double t, const Vector&, const Vector& lambda, Vector& r) { g(t, lambda, r); });
    links.push_back({0});
    // y = 0 holds at the start.
    Vector x0 = systems[0]->x0();
    for (int k = 0; k < 30; ++k) {
      Vector y(1);
      h(0., x0, y);
      x0(0) -= y(0);
    }
    systems[0]->setState(x0);
    model.link(interactions.back(), systems[0]);
  }
  {
    const Matrix C = randomMatrix(generator, 1, 5);
    const Matrix B = transposed(C);
    FirstOrderLinearR relation(C, B);
    relation.setC([C](double t, Matrix& out) { noalias(out) = (1. + 0.3 * std::sin(t)) * C; });
    relation.setB([B](double t, Matrix& out) { noalias(out) = (1. + 0.2 * t) * B; });
    relation.setD([](double t, Matrix& D) { D(0, 0) = 1. + t * t; });
    relation.setE([](double t, Vector& e) { e(0) = std::cos(3. * t); });
    add(std::make_shared<RelayNSL>(filled(1, -0.4), filled(1, infinity)),
        std::make_shared<FirstOrderLinearR>(relation));
    outputs.push_back([C](double t, const Vector& x, const Vector& lambda, Vector& y) {
      y(0) = std::cos(3. * t) + (1. + t * t) * lambda(0);
      for (std::size_t j = 0; j < 5; ++j) y(0) += (1. + 0.3 * std::sin(t)) * C(0, j) * x(j);
    });
    inputs.push_back([B](double t, const Vector&, const Vector& lambda, Vector& r) {
      for (std::size_t j = 0; j < 5; ++j) r(j) = (1. + 0.2 * t) * B(j, 0) * lambda(0);
    });
    links.push_back({0, 1});
    model.link(interactions.back(), systems[0], systems[1]);
  }
}

}  // namespace delassus::test
