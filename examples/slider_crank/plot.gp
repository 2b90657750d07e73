# Slider-crank with clearance.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/slider_crank.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,800 font "DejaVu Sans,11"
set output folder."/slider_crank.png"
data = folder."/trajectory.csv"
set multiplot layout 2,2
set grid
set key off
set xlabel "time t [s]"
set ylabel "rate of the crank [rad/s]"
plot data every ::1 using 1:5 with lines lw 1.5 lc rgb "#1f5fa8"
set ylabel "height of the slider's centre [mm]"
plot data every ::1 using 1:(1e3*$7) with lines lw 1.2 lc rgb "#b5432a"
set ylabel "angle of the slider [mrad]"
plot data every ::1 using 1:(1e3*$4) with lines lw 1.2 lc rgb "#2e7d32"
set ylabel "normal impulses of a step [mN s]"
set key top right
set logscale y
set yrange [1e-3:*]
plot data every ::1 using 1:(1e3*($9+$10)) with points pt 7 ps 0.3 lc rgb "#1f5fa8" title "lower wall", \
     data every ::1 using 1:(1e3*($11+$12)) with points pt 7 ps 0.3 lc rgb "#b5432a" title "upper wall"
unset multiplot
