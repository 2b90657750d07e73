# Error against step, and error against cost.  gnuplot -c errors.gp FOLDER  reads FOLDER/errors.csv of
# cam_follower_benchmark, writes FOLDER/errors.png
folder = ARG1 eq "" ? "." : ARG1
file = folder."/errors.csv"
set datafile separator ","
set terminal pngcairo size 1100,900 font "DejaVu Sans,11"
set output folder."/errors.png"
set multiplot layout 2,2
set grid
set logscale xy
set xrange [*:*]
set format "10^{%L}"
set ylabel "mean error of u [m]"
is(rpm, method, formulation) = column(1) == rpm && strcol(2) eq method && strcol(3) eq formulation
colour(method) = method eq "time-stepping" ? "#1f5fa8" : "#b5432a"
point(formulation) = formulation eq "translated" ? 7 : 6
do for [rpm in "358 660"] {
  set title rpm." rpm, 1 s: error against step"
  set xlabel "step h [s]"
  set key bottom right
  plot for [f in "translated rheonomous"] file every ::1 \
         using (is(rpm + 0, "time-stepping", f) ? column(4) : NaN):5 with points pt point(f) lc rgb "#1f5fa8" title f, \
       [h = 1e-6:1e-3] (rpm eq "358" ? 30. : 1000.) * h with lines lc rgb "#999999" title "order 1"
}
do for [rpm in "358 660"] {
  set title rpm." rpm, 1 s: error against cost"
  set xlabel "processor time [s]"
  set key bottom right
  plot for [m in "time-stepping event-driven"] for [f in "translated rheonomous"] file every ::1 \
         using (is(rpm + 0, m, f) ? column(7) : NaN):6 with points pt point(f) lc rgb colour(m) title m.", ".f
}
unset multiplot
