// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace delassus::test {

/// Netlists with all that the subset has.
inline const std::vector<std::string>& netlistSeeds() {
  static const std::vector<std::string> texts{R"(Rectifier
.param vpk={sqrt(2)*230} c=1m r = 100
V1 in 0 SIN(0 {vpk} 50)   ; mains
D1 in out Dideal
C1 out 0 {c}
+ IC=0
R1 out 0 {r}
X1 out 0 load params: r={2*r}
X2 out gnd Load
.subckt load a b r=1k
.param g={1/r}
R1 a m {r/2}
R2 m b {0.5/g}
.ends load
.model Dideal D(ron=1m vfwd=0.7 is=1e-12 n=1.5 inom=2)
.tran 10u 100m uic
.ic V(out)=10
.meas tran vavg AVG V(out) from=80m to=100m
.meas p rms V(out)*I(R1)
.print V(out) V(in,out) I(D1)
.step param r list 10 20
.step dec param c 1u 1m 2
.end
)",
                                              R"(Everything
V1 a 0 PULSE(0 5 1u 10n 10n 5u 10u)
V2 b 0 PWL(0 0 1m 5 2m {a>b ? 1 : min(2,3)})
I1 c 0 EXP(0 1 1u 2u 5u 3u)
.param a=2 b={a**2^3}
E1 d 0 a b 2
G1 d 0 a b 1m
G2 c d TABLE {V(c,d)} = (-1, 2m) (0, 0) (1, -2m)
F1 e 0 V1 {a}
H1 f 0 V2 3
L1 a e 1m ic=1
L2 b f 1m
K1 L1 L2 0.98
S1 a b c 0 sw ON
M1 d a e e nm
Z1 d a e ig
X1 a b o OPAMP vmin=-15 vmax=15
X2 a b q COMPARATOR low=0 high=1 vh=0.1
X3 a e c 0 THYRISTOR vt=1
X4 a 0 b 0 TRANSFORMER ratio=2
R1 o q 'limit(a, 0, if(b, 1k, 2k))'
.model sw SW(vt=1 vh=0.1 ron=1m
+ roff=1meg)
.model nm NMOS(vto=3 ron=10m)
.model ig NIGBT(vto=3 vfwd=1)
.global vcc
.options reltol=1e-3
.control
run
.endc
.tran 1u 1m 0 0.1u
.meas e1 INTEG {V(a,b)*I(L1)} to=0.5m
.end
)"};
  return texts;
}

/// Makes netlists that are broken in one to three places.
class NetlistMutator {
 public:
  explicit NetlistMutator(unsigned seed) : random_(seed) {}

  std::string next() {
    std::string text = netlistSeeds()[pick(netlistSeeds().size())];
    for (std::size_t k = 1 + pick(3); k > 0; --k) mutate(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

  void mutate(std::string& text) {
    static const std::vector<std::string> pieces{"(",
                                                 ")",
                                                 "{",
                                                 "}",
                                                 "'",
                                                 "\"",
                                                 "=",
                                                 "+\n",
                                                 "\n+",
                                                 "\n",
                                                 " ",
                                                 "X1 a 0 load\n",
                                                 ".",
                                                 ".ends",
                                                 "1e999",
                                                 "-",
                                                 "1/0",
                                                 "*",
                                                 ";",
                                                 ",",
                                                 "\x80",
                                                 "R1",
                                                 "0",
                                                 ".subckt q a\n",
                                                 "nan",
                                                 "{r}",
                                                 ".param",
                                                 "^^",
                                                 "? :",
                                                 "V(",
                                                 "I()",
                                                 "{a/0}",
                                                 "meg",
                                                 "\t",
                                                 ".include x\n",
                                                 "((((((((((",
                                                 "~",
                                                 "load",
                                                 "X",
                                                 "params:",
                                                 ".model sw SW\n",
                                                 "table",
                                                 "pwl(",
                                                 "\r\n",
                                                 "1:2",
                                                 "||",
                                                 ".end\n",
                                                 "e",
                                                 "{}"};
    const std::size_t place = pick(text.size() + 1), length = pick(40);
    switch (pick(6)) {
      case 0:
        text.resize(place);
        break;
      case 1:
        text.insert(place, pieces[pick(pieces.size())]);
        break;
      case 2:
        text.erase(place, length);
        break;
      case 3:
        if (place < text.size()) text[place] = static_cast<char>(pick(256));
        break;
      case 4:
        text.insert(pick(text.size() + 1), text.substr(place, length));
        break;
      default:
        text.replace(place, length, pieces[pick(pieces.size())]);
    }
    if (text.empty()) text = "t\nR1 a 0 1";
  }

  std::mt19937 random_;
};

/// How many are tried: `usual`, or what DELASSUS_FUZZ_COUNT says.
inline std::size_t fuzzCount(std::size_t usual) {
  const char* const count = std::getenv("DELASSUS_FUZZ_COUNT");
  return count != nullptr ? std::strtoul(count, nullptr, 10) : usual;
}

}  // namespace delassus::test
