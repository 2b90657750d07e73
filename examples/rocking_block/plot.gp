# Tilt and energy of the block over time.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/rocking_block.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,500 font "DejaVu Sans,11"
set output folder."/rocking_block.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set xlabel "time t [s]"
set ylabel "tilt / α"
set key off
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8"
set ylabel "energy above rest [J]"
set key top right
set yrange [0:*]
plot data every ::1 using 1:6 with lines lw 2 lc rgb "#b5432a" title "computed", \
     data every ::1 using 1:7 with lines lw 1.2 dt 2 lc rgb "#333333" title "Housner"
unset multiplot
