# Way and speed down the slope.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/sliding_box.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,500 font "DejaVu Sans,11"
set output folder."/sliding_box.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set key top left
set xlabel "time t [s]"
set ylabel "way down the slope [mm]"
plot data every ::1 using 1:(1000*$2) with lines lw 2 lc rgb "#1f5fa8" title "box", \
     data every 40::1 using 1:(1000*$6) with points pt 6 ps 0.8 lc rgb "#b5432a" title "block, closed form"
set ylabel "speed down the slope [m/s]"
plot data every ::1 using 1:4 with lines lw 1.5 lc rgb "#1f5fa8" title "box", \
     data every 20::1 using 1:7 with points pt 6 ps 0.6 lc rgb "#b5432a" title "block, closed form"
unset multiplot
