// SPDX-License-Identifier: Apache-2.0
#include "CamMaps.hpp"

#include <cmath>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/numerics/Error.hpp>
#include <numbers>

namespace {

std::unique_ptr<CamRun> makeRun(CamFollowerParameters parameters, CamRunOptions options, double turn,
                                std::size_t turns) {
  if (!std::isfinite(turn)) throw delassus::Error("CamMaps", "a cam that stands has no maps, but rpm is 0.");
  parameters.end = static_cast<double>(turns) * turn;
  options.step = turn / (std::ceil(turn / options.step) + std::numbers::phi - 1.);
  return makeCamRun(parameters, options, turn);
}

}  // namespace

CamMapsRun::CamMapsRun(const CamFollowerParameters& parameters, const CamRunOptions& options, std::size_t transient,
                       std::size_t turns)
    : turn_(Cam(parameters.rpm).turn()), run_(makeRun(parameters, options, turn_, transient + turns)) {
  maps_.firstTurn = transient;
  maps_.turns = turns;
}

void CamMapsRun::toTheEnd() {
  run_->run([this] {
    ++done_;
    if (done_ > maps_.firstTurn) record();
  });
}

void CamMapsRun::record() {
  for (const CamEvent& event : run_->events()) {
    if (event.kind != "impact") continue;
    maps_.impacts.push_back({event.t / turn_, run_->cam().phase(event.t), event.u, event.vBefore, event.vAfter,
                             run_->cam().at(event.t).velocity - event.vBefore});
  }
  maps_.points.push_back({static_cast<double>(done_), run_->u(), run_->v()});
}

void CamMapsRun::serializeState(delassus::StateArchive& archive) {
  run_->serializeState(archive);
  archive.value("turns done", done_);
  maps_.impacts.resize(archive.count("impacts", maps_.impacts.size()));
  for (CamImpact& impact : maps_.impacts) {
    for (double* const x :
         {&impact.turn, &impact.phase, &impact.u, &impact.vBefore, &impact.vAfter, &impact.approach}) {
      archive.value("impact", *x);
    }
  }
  maps_.points.resize(archive.count("points", maps_.points.size()));
  for (CamPoint& point : maps_.points) {
    for (double* const x : {&point.turn, &point.u, &point.v}) archive.value("point", *x);
  }
}

CamMaps computeMaps(const CamFollowerParameters& parameters, const CamRunOptions& options, std::size_t transient,
                    std::size_t turns) {
  CamMapsRun run(parameters, options, transient, turns);
  run.toTheEnd();
  return run.maps();
}

void writeMaps(const CamMaps& maps, const std::filesystem::path& folder) {
  delassus::TableWriter impacts(folder / "impacts.csv",
                                {"turn", "phase [rad]", "u [m]", "v_before [m/s]", "v_after [m/s]", "approach [m/s]"});
  for (const CamImpact& impact : maps.impacts) {
    impacts.writeRow({impact.turn, impact.phase, impact.u, impact.vBefore, impact.vAfter, impact.approach});
  }
  impacts.close();
  delassus::TableWriter points(folder / "stroboscope.csv", {"turn", "u [m]", "v [m/s]"});
  for (const CamPoint& point : maps.points) points.writeRow({point.turn, point.u, point.v});
  points.close();
}
