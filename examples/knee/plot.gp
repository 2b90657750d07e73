# A chain of six links.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/knee.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,560 font "DejaVu Sans,11"
set output folder."/knee.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set size ratio -1
set xlabel "x [m]"
set ylabel "z [m]"
set cblabel "time t [s]"
set key off
# Each link as a line from its pivot to the next, every 60 ms of the first 0.9 s.
plot for [i=0:5] data every 60::1::901 using 5+2*i:6+2*i:(column(7+2*i)-column(5+2*i)):(column(8+2*i)-column(6+2*i)):1 \
  with vectors nohead lw 2 lc palette
set size noratio
set xlabel "time t [s]"
set ylabel "energy [J]"
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8"
unset multiplot
