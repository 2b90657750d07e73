// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "NetlistFaults.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(BadNetlists, WithWrongStatementsAreRefused) {
  expectFault("+ 1", NetlistFault::syntax, 2, "");
  expectFault("R1 a 0 {1", NetlistFault::syntax, 2, "R1");
  expectFault("R1 a 0 1}", NetlistFault::syntax, 2, "R1");
  expectFault("R1 a (0) 1", NetlistFault::syntax, 2, "R1");
  expectFault("(R1 a 0 1", NetlistFault::syntax, 2, "");
  expectFault(",", NetlistFault::syntax, 2, "");
  expectFault(std::string("R1 a\0 0 1", 9), NetlistFault::syntax, 2, "");
  expectFault("V1 a 0 SIN(0 1 50", NetlistFault::syntax, 2, "V1");
  expectFault("V1 a 0 PWL 0 1) 50", NetlistFault::syntax, 2, "V1");
  expectFault(".model d D(ron=1", NetlistFault::wrongCount, 2, ".model");
  expectFault(".ends", NetlistFault::syntax, 2, ".ends");
  expectFault("R1 a 0 1\n.subckt s a b\nR2 a b 1", NetlistFault::syntax, 3, ".subckt s");
  expectFault(".subckt s a b\n.ends t", NetlistFault::syntax, 3, ".ends");
  expectFault("R1 a 0 1\n.subckt s a GND\nR2 a gnd 1\n.ends", NetlistFault::duplicate, 3, ".subckt");
  expectFault(".ic 5=V(a)\nR1 a 0 1", NetlistFault::syntax, 2, ".ic");
  expectFault(".print out\nR1 out 0 1", NetlistFault::syntax, 2, ".print");
}

TEST(BadNetlists, TellTheLineOfAContinuation) {
  expectFault("V1 a 0\n+ SIN(0\n* no line of it\n+ x 50)", NetlistFault::number, 5, "V1");
  expectFault("R1 a 0 1\nV1 a 0 PWL(0 0\n+ 1 {1/0})", NetlistFault::divisionByZero, 4, "V1");
}

TEST(BadNetlists, WithWrongNumbersAreRefused) {
  expectFault("\nR1 a 0 abc", NetlistFault::number, 3, "R1");
  expectFault("R1 a b c 1k", NetlistFault::number, 2, "R1");
  expectFault("R1 a 0 4k7", NetlistFault::number, 2, "R1");
  expectFault("V1 a 0 SIN(0 1 1e999)", NetlistFault::number, 2, "V1");
}

TEST(BadNetlists, WithWrongExpressionsAreRefused) {
  expectFault("R1 a 0 {1/0}", NetlistFault::divisionByZero, 2, "R1");
  expectFault(".param x=0\nR1 a 0 {1/x}", NetlistFault::divisionByZero, 3, "R1");
  expectFault(".param x=0 y={1/x}\nR1 a 0 1", NetlistFault::divisionByZero, 2, ".param y");
  expectFault("X1 a 0 s\n.subckt s a b r=0\nR1 a b {1/r}\n.ends", NetlistFault::divisionByZero, 4, "X1.R1");
  expectFault("D1 a 0 d\n.model d D(ron={1/0})", NetlistFault::divisionByZero, 3, ".model d");
  expectFault("R1 a 0 {1+}", NetlistFault::expression, 2, "R1");
  expectFault("R1 a 0 {sqrt(-1)}", NetlistFault::expression, 2, "R1");
  expectFault("R1 a 0 {r}", NetlistFault::unknownParameter, 2, "R1");
  expectFault(".param a={b} b={a}", NetlistFault::recursion, 2, ".param a");
  expectFault("X1 a 0 s r=r\n.subckt s a b r=1\nR1 a b {r}\n.ends", NetlistFault::unknownParameter, 2, "X1");
  expectFault("R1 a 0 1\n.meas m AVG V(a)+", NetlistFault::expression, 3, ".meas m");
  expectFault("R1 a 0 1\n.meas m AVG V(b)", NetlistFault::unknownName, 3, ".meas");
  expectFault("R1 a 0 1\n.meas m AVG I(R2)", NetlistFault::unknownName, 3, ".meas");
}

TEST(BadNetlists, WithUnknownThingsAreRefused) {
  expectFault("Q1 a b c m", NetlistFault::unknownElement, 2, "Q1");
  expectFault("1R a b 1", NetlistFault::unknownElement, 2, "1R");
  expectFault(".nonsense", NetlistFault::unknownElement, 2, ".nonsense");
  expectFault(".ac dec 10 1 1k", NetlistFault::unsupported, 2, ".ac");
  expectFault("E1 a 0 VALUE={V(b)^2}", NetlistFault::unsupported, 2, "E1");
  expectFault("G1 a 0 TABLE {V(b)} = (0,0) (1,1)", NetlistFault::unsupported, 2, "G1");
  expectFault("R1 a 0 1\n.meas m TRIG V(a)", NetlistFault::unsupported, 3, ".meas");
  expectFault("C1 a 0 1 foo=1", NetlistFault::unknownParameter, 2, "C1");
  expectFault("D1 a 0 d\n.model d D(foo=1)", NetlistFault::unknownParameter, 3, ".model d");
  expectFault("X1 a 0 s foo=1\n.subckt s a b\nR1 a b 1\n.ends", NetlistFault::unknownParameter, 2, "X1");
  expectFault("R1 a 0 1\n.ic V(b)=1", NetlistFault::unknownName, 3, ".ic");
  expectFault("R1 a 0 1\n.ic I(R1)=1", NetlistFault::unknownName, 3, ".ic");
  expectFault("F1 a 0 V9 1", NetlistFault::unknownName, 2, "F1");
  expectFault("F1 a 0 R1 1\nR1 a 0 1", NetlistFault::unknownName, 2, "F1");
  expectFault("K1 L1 L2 0.5\nL1 a 0 1", NetlistFault::unknownName, 2, "K1");
  expectFault(".subckt s a\n.tran 1 2\n.ends", NetlistFault::unsupported, 3, ".tran");
}

TEST(BadNetlists, WithMissingModelsAreRefused) {
  expectFault("D1 a 0 none", NetlistFault::missingModel, 2, "D1");
  expectFault("D1 a 0 sw\n.model sw SW", NetlistFault::missingModel, 2, "D1");
  expectFault("X1 a 0 none", NetlistFault::missingModel, 2, "X1");
  expectFault("X1 a 0 s\nD1 a 0 d\n.subckt s a b\nR1 a b 1\n.model d D\n.ends", NetlistFault::missingModel, 3, "D1");
}

TEST(BadNetlists, WithWrongCountsAreRefused) {
  expectFault("R1", NetlistFault::wrongCount, 2, "R1");
  expectFault("R1 a 0", NetlistFault::wrongCount, 2, "R1");
  expectFault("R1 a 0 1 2", NetlistFault::wrongCount, 2, "R1");
  expectFault("V1 a 0", NetlistFault::wrongCount, 2, "V1");
  expectFault("V1 a 0 SIN(0 1)", NetlistFault::wrongCount, 2, "V1");
  expectFault("V1 a 0 PULSE(0 1 0 0 0 1 2 3)", NetlistFault::wrongCount, 2, "V1");
  expectFault("V1 a 0 PWL(0 1 2)", NetlistFault::wrongCount, 2, "V1");
  expectFault("K1 L1 0.5\nL1 a 0 1", NetlistFault::wrongCount, 2, "K1");
  expectFault("X1 a s\n.subckt s a b\nR1 a b 1\n.ends", NetlistFault::wrongCount, 2, "X1");
  expectFault("X1 a b OPAMP", NetlistFault::wrongCount, 2, "X1");
  expectFault("X1", NetlistFault::wrongCount, 2, "X1");
  expectFault(".tran 1u", NetlistFault::wrongCount, 2, ".tran");
  expectFault(".step param r list", NetlistFault::wrongCount, 2, ".step");
  expectFault(".include", NetlistFault::wrongCount, 2, ".include");
}

TEST(BadNetlists, WithWrongValuesAreRefused) {
  expectFault("R1 a 0 0", NetlistFault::badValue, 2, "R1");
  expectFault("C1 a 0 -1u", NetlistFault::badValue, 2, "C1");
  expectFault("L1 a 0 0", NetlistFault::badValue, 2, "L1");
  expectFault("K1 L1 L2 1\nL1 a 0 1\nL2 b 0 1", NetlistFault::badValue, 2, "K1");
  expectFault("V1 a 0 PULSE(0 1 0 1 1 1 2)", NetlistFault::badValue, 2, "V1");
  expectFault("V1 a 0 PWL(1 0 0 0)", NetlistFault::badValue, 2, "V1");
  expectFault("V1 a 0 EXP(0 1 0 0)", NetlistFault::badValue, 2, "V1");
  expectFault("D1 a 0 d\n.model d D(ron=-1)", NetlistFault::badValue, 2, "D1");
  expectFault("X1 a b c OPAMP vmin=1 vmax=0", NetlistFault::badValue, 2, "X1");
  expectFault(".tran 1u 0", NetlistFault::badValue, 2, ".tran");
  expectFault("R1 a 0 1\n.meas m AVG V(a) from=2 to=1", NetlistFault::badValue, 3, ".meas");
  expectFault(".step param r 1 10 -1", NetlistFault::badValue, 2, ".step");
}

TEST(BadNetlists, WithNamesTwiceAreRefused) {
  expectFault("R1 a 0 1\nr1 b 0 1", NetlistFault::duplicate, 3, "r1");
  expectFault(".param a=1\n.param A=2", NetlistFault::duplicate, 3, ".param");
  expectFault(".model d D\n.model D D", NetlistFault::duplicate, 3, ".model");
  expectFault(".subckt s a\n.ends\n.subckt S a\n.ends", NetlistFault::duplicate, 4, ".subckt");
  expectFault(".subckt s a A\n.ends", NetlistFault::duplicate, 2, ".subckt");
  expectFault("K1 L1 L1 0.5\nL1 a 0 1", NetlistFault::duplicate, 2, "K1");
  expectFault(".tran 1u 1m\n.tran 1u 1m", NetlistFault::duplicate, 3, ".tran");
  expectFault("D1 a 0 d\n.model d D(ron=1 RON=2)", NetlistFault::duplicate, 3, ".model d");
}

TEST(BadNetlists, ThatContainThemselvesAreRefused) {
  expectFault("X1 a 0 s\n.subckt s a b\nX2 a b s\n.ends", NetlistFault::recursion, 4, "X1.X2");
  expectFault("X1 a 0 s\n.subckt s a b\nX2 a b t\n.ends\n.subckt t a b\nX3 a b s\n.ends", NetlistFault::recursion, 7,
              "X1.X2.X3");
}

TEST(BadNetlists, BeyondTheLimitsAreRefused) {
  std::string deep = "X1 a 0 s0\n";
  for (int k = 0; k < 60; ++k) {
    deep += ".subckt s" + std::to_string(k) + " p q\nX1 p q s" + std::to_string(k + 1) + "\n.ends\n";
  }
  std::string path = "X1";
  for (int k = 0; k < 50; ++k) path += ".X1";
  expectFault(deep, NetlistFault::limit, 151, path);
  std::string later = ".param p0={p1}\n";
  for (int k = 1; k < 60; ++k) later += ".param p" + std::to_string(k) + "={p" + std::to_string(k + 1) + "}\n";
  expectFault(later + ".param p60=1", NetlistFault::limit, 22, ".param p20");
  expectFault("R1 a 0 1", NetlistFault::limit, 0, "", {.textBytes = 5});
  expectFault("V1 a 0 PWL(0 0\n+ 1 1 2 2)", NetlistFault::limit, 2, "", {.statementBytes = 20});
  expectFault("R1 a 0 1\nR2 a 0 1", NetlistFault::limit, 3, "", {.statements = 1});
  expectFault("R1 a 0 1\nR2 a 0 1", NetlistFault::limit, 3, "R2", {.expandedBytes = 1000});
  expectFault(".step param r 0 1 1e-9", NetlistFault::limit, 2, ".step");
}

}  // namespace
