# Figures 14.2 and 14.3 of [Siconos 2017] by both methods.  gnuplot -c figures.gp FOLDER  reads
# FOLDER/{time-stepping,event-driven}/rpm_{358,660,700}/trajectory.csv, writes FOLDER/figure_14_2.png (time series) and
# FOLDER/figure_14_3.png (phase plane).
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
data(method, rpm) = sprintf("%s/%s/rpm_%s/trajectory.csv", folder, method, rpm)
name(method) = method eq "time-stepping" ? "Moreau–Jean time stepping, h = 1e-4 s" : "event-driven"
set grid

set terminal pngcairo size 820,900 font "DejaVu Sans,9"
set output folder."/figure_14_2.png"
set multiplot layout 6,1 title "Cam follower: u (blue) and c (grey)" margins 0.07,0.98,0.05,0.93 spacing 0.05
set key off
set ylabel "[m]"
set xrange [0:5]
do for [rpm in "358 660 700"] {
  eval "set ytics ".(rpm eq "358" ? "0.2" : rpm eq "660" ? "0.4" : "1")
  do for [method in "time-stepping event-driven"] {
    set title rpm." rpm, ".name(method) offset 0,-0.7
    if (rpm eq "700" && method eq "event-driven") { set xlabel "time t [s]" }
    plot data(method, rpm) every ::1 using 1:4 with lines lw 0.8 lc rgb "#aaaaaa", \
         data(method, rpm) every ::1 using 1:2 with lines lw 1.2 lc rgb "#1f5fa8"
  }
}
unset multiplot

set terminal pngcairo size 900,600 font "DejaVu Sans,9"
set output folder."/figure_14_3.png"
set multiplot layout 2,3 title "Cam follower, phase plane"
set autoscale x
set ytics autofreq
set xlabel "position u [m]"
set ylabel "velocity v [m/s]"
do for [method in "time-stepping event-driven"] {
  do for [rpm in "358 660 700"] {
    eval "set xtics ".(rpm eq "358" ? "0.1" : rpm eq "660" ? "0.2" : "1")
    set title rpm." rpm, ".(method eq "time-stepping" ? "time stepping" : method) offset 0,-0.5
    plot data(method, rpm) every ::1 using 2:3 with lines lw 0.4 lc rgb "#b5432a"
  }
}
unset multiplot
