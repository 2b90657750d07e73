# Impact map, stroboscopic map and histogram.  gnuplot -c maps.gp FOLDER [TITLE FOLDER2 TITLE2]  reads FOLDER/impacts.csv,
# stroboscope.csv and histogram.csv of cam_maps (and those of a second run, by the other method say), writes FOLDER/maps.png
folder = ARG1 eq "" ? "." : ARG1
runs = ARG3 eq "" ? 1 : 2
of(k) = k == 1 ? folder : ARG3
name(k) = k == 1 ? ARG2 : ARG4
colour(k) = k == 1 ? "#1f5fa8" : "#b5432a"
set datafile separator ","
set terminal pngcairo size 1200,(runs == 1 ? 450 : 900) font "DejaVu Sans,11"
set output folder."/maps.png"
set multiplot layout runs,3
set grid
set key off
do for [k = 1:runs] {
  set title "Impact map  ".name(k)
  set xlabel "phase of the cam [rad]"
  set ylabel "approach velocity [m/s]"
  set xrange [0:2*pi]
  set yrange [0:*]
  plot of(k)."/impacts.csv" every ::1 using 2:6 with dots lc rgb colour(k)
  set title "Stroboscopic map  ".name(k)
  set xlabel "position u [m]"
  set ylabel "velocity v [m/s]"
  set autoscale
  plot of(k)."/stroboscope.csv" every ::1 using 2:3 with dots lc rgb colour(k)
  set title "Impacts, with standard errors"
  set xlabel "approach velocity [m/s]"
  set ylabel "density [s/m]"
  set yrange [0:*]
  set key top right
  plot for [j = 1:runs] of(j)."/histogram.csv" every ::1 using 1:2:3 with yerrorlines pt 7 ps 0.3 lc rgb colour(j) title name(j)
  set key off
  set autoscale
}
unset multiplot
