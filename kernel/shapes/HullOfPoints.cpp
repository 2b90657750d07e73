// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/HullOfPoints.hpp>

#include <cstdio>
#include <delassus/numerics/Error.hpp>
#include <memory>

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

namespace delassus {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// One run of Qhull with its memory.
class Qhull {
 public:
  Qhull() { qh_zero(&state_, nullptr); }
  ~Qhull() {
    int blocks = 0, bytes = 0;
    qh_freeqhull(&state_, !qh_ALL);
    qh_memfreeshort(&state_, &blocks, &bytes);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  // False if it finds no hull; what it says of that goes nowhere.
  bool run(std::vector<double>& coordinates) {
    std::unique_ptr<std::FILE, CloseFile> silence(std::fopen("/dev/null", "w"));
    if (!silence) silence.reset(std::tmpfile());
    if (!silence) throw Error("ConvexHull", "neither /dev/null nor a temporary file can be opened, which Qhull needs.");
    char options[] = "qhull Pp";
    const int failed = qh_new_qhull(&state_, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), False,
                                    options, silence.get(), silence.get());
    return failed == 0;
  }

  std::vector<HullFace> faces() {
    std::vector<HullFace> found;
    qhT* const qh = &state_;
    facetT* facet = nullptr;
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FORALLfacets {
      HullFace face{{facet->normal[0], facet->normal[1], facet->normal[2]}, {}};
      FOREACHvertex_(facet->vertices) {
        face.points.push_back(static_cast<std::size_t>(qh_pointid(qh, vertex->point)));
      }
      found.push_back(std::move(face));
    }
    return found;
  }

 private:
  qhT state_;
};

}  // namespace

std::vector<HullFace> facesOfHull(const std::vector<Vector3>& points) {
  std::vector<double> coordinates;
  for (const Vector3& point : points) coordinates.insert(coordinates.end(), point.begin(), point.end());
  Qhull qhull;
  if (!qhull.run(coordinates)) {
    throw Error("ConvexHull", "the " + std::to_string(points.size()) + " points do not span a volume.");
  }
  return qhull.faces();
}

}  // namespace delassus
