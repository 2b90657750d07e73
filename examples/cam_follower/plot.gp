# One run of the cam follower: time series and phase plane.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv,
# writes FOLDER/cam_follower.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,500 font "DejaVu Sans,11"
set output folder."/cam_follower.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set xlabel "time t [s]"
set ylabel "position [m]"
plot data every ::1 using 1:2 with lines lw 1.2 lc rgb "#1f5fa8" title "follower u", \
     data every ::1 using 1:4 with lines lw 1 lc rgb "#888888" title "cam c"
set key off
set xlabel "position u [m]"
set ylabel "velocity v [m/s]"
plot data every ::1 using 2:3 with lines lw 0.8 lc rgb "#b5432a"
unset multiplot
