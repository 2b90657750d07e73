# Bifurcation diagram.  gnuplot -c bifurcation.gp FOLDER [TITLE]  reads FOLDER/impacts.csv and stroboscope.csv of
# cam_bifurcation, writes FOLDER/bifurcation.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1100,900 font "DejaVu Sans,11"
set output folder."/bifurcation.png"
set multiplot layout 2,1 title "Cam follower over the speed of the cam".(ARG2 eq "" ? "" : ": ".ARG2)
set key off
set grid
set xlabel "speed of the cam [1/min]"
set ylabel "approach velocity at impacts [m/s]"
set yrange [0:*]
set offsets graph 0, graph 0, graph 0.05, graph 0
plot folder."/impacts.csv" every ::1 using 1:7 with points pt 7 ps 0.12 lc rgb "#1f5fa8"
set ylabel "position u once a turn [m]"
set autoscale y
plot folder."/stroboscope.csv" every ::1 using 1:3 with points pt 7 ps 0.12 lc rgb "#1f5fa8"
unset multiplot
