// SPDX-License-Identifier: Apache-2.0
#include "BulletSpheres.hpp"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <ctime>
#include <memory>
#include <vector>

#include "FallingSpheres.hpp"

namespace delassus::benchmarks {
namespace {

constexpr double gravity = 9.81;

double processorTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The world and all that it refers to.
class World {
 public:
  World(std::size_t spheres, int iterations, double mu) : friction_(std::sqrt(mu)) {
    world_.setGravity({0., 0., -gravity});
    btContactSolverInfo& info = world_.getSolverInfo();
    info.m_numIterations = iterations;
    info.m_erp = info.m_erp2 = 0.;
    info.m_splitImpulse = 0;
    info.m_restitution = 0.;
    // By default friction acts along the slip of the step before alone.
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    // The default, 0.02, is meant for bodies of a metre: here each sphere would have forty neighbours.
    gContactBreakingThreshold = margin;
    const Scene scene = fallingSpheres(spheres);
    for (const Plane& plane : scene.walls) {
      const Vector3& n = plane.normal;
      add(std::make_unique<btStaticPlaneShape>(btVector3(n[0], n[1], n[2]), plane.offset), 0., {0., 0., 0.});
    }
    for (const Scene::Ball& ball : scene.balls) {
      add(std::make_unique<btSphereShape>(ball.radius), ball.mass, ball.centre);
    }
  }
  ~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step(double h) { world_.stepSimulation(h, 0, h); }

  // Adds the residuals of all contacts of the last step that are not open.
  void measure(double mu, SphereRun& run) const {
    double squares = 0.;
    std::size_t count = 0;
    for (int k = 0; k < world_.getDispatcher()->getNumManifolds(); ++k) {
      const btPersistentManifold& manifold = *world_.getDispatcher()->getManifoldByIndexInternal(k);
      for (int p = 0; p < manifold.getNumContacts(); ++p) {
        const btManifoldPoint& point = manifold.getContactPoint(p);
        if (point.getDistance() > 0.) continue;
        squares += residualOf(manifold, point, mu);
        ++count;
      }
    }
    run.contacts += static_cast<double>(count);
    if (count > 0) run.residual += std::sqrt(squares / static_cast<double>(count));
  }

 private:
  void add(std::unique_ptr<btCollisionShape> shape, double mass, const Vector3& centre) {
    btVector3 inertia(0., 0., 0.);
    if (mass > 0.) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin({centre[0], centre[1], centre[2]});
    info.m_friction = friction_;  // that of a contact is the product
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    shapes_.push_back(std::move(shape));
  }

  static double residualOf(const btPersistentManifold& manifold, const btManifoldPoint& point, double mu) {
    const btRigidBody& a = *btRigidBody::upcast(manifold.getBody0());
    const btRigidBody& b = *btRigidBody::upcast(manifold.getBody1());
    const btVector3 at = point.getPositionWorldOnB();
    const btVector3 relative = a.getVelocityInLocalPoint(at - a.getCenterOfMassPosition()) -
                               b.getVelocityInLocalPoint(at - b.getCenterOfMassPosition());
    const btVector3 &n = point.m_normalWorldOnB, &t1 = point.m_lateralFrictionDir1, &t2 = point.m_lateralFrictionDir2;
    const btVector3 tangential = t1 * point.m_appliedImpulseLateral1 + t2 * point.m_appliedImpulseLateral2;
    const btVector3 first = t1.length2() > 0. ? t1 : n.cross(btVector3(n.y(), n.z(), n.x())).normalized();
    const btVector3 second = n.cross(first);
    const double u[3] = {n.dot(relative), first.dot(relative), second.dot(relative)};
    const double r[3] = {point.m_appliedImpulse, first.dot(tangential), second.dot(tangential)};
    return contactResidual(u, r, 1. / (a.getInvMass() + b.getInvMass()), mu);
  }

  double friction_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadPhase_;
  btSequentialImpulseConstraintSolver solver_;
  mutable btDiscreteDynamicsWorld world_{&dispatcher_, &broadPhase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

SphereRun runBulletSpheres(std::size_t spheres, std::size_t steps, int iterations, double h, double mu) {
  World world(spheres, iterations, mu);
  SphereRun run;
  for (std::size_t k = 0; k < steps; ++k) {
    const double before = processorTime();
    world.step(h);
    run.seconds += processorTime() - before;
    world.measure(mu, run);
  }
  const double n = static_cast<double>(steps);
  run.contacts /= n;
  run.seconds /= n;
  run.residual /= n * gravity * h;
  return run;
}

}  // namespace delassus::benchmarks
