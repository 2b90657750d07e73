# Sliding variable and control, implicit and by the sampled sign.  gnuplot -c plot.gp FOLDER  reads
# FOLDER/trajectory.csv, writes FOLDER/sliding_mode.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,700 font "DejaVu Sans,11"
set output folder."/sliding_mode.png"
data = folder."/trajectory.csv"
set multiplot layout 2,2
set grid
set key top right
set ylabel "s [m/s]"
plot data every ::1 using 1:8 with lines lw 1 lc rgb "#b5432a" title "sampled sign", \
     data every ::1 using 1:4 with lines lw 1.5 lc rgb "#1f5fa8" title "implicit"
set xlabel "x_1 [m]"
set ylabel "x_2 [m/s]"
plot data every ::1 using 6:7 with lines lw 1 lc rgb "#b5432a" title "sampled sign", \
     data every ::1 using 2:3 with lines lw 1.5 lc rgb "#1f5fa8" title "implicit"
set xlabel "time t [s]"
set ylabel "u [m/s^2]"
set yrange [-2.5:2.5]
plot data every ::1 using 1:9 with steps lw 1 lc rgb "#b5432a" title "sampled sign"
plot data every ::1 using 1:5 with steps lw 1.5 lc rgb "#1f5fa8" title "implicit"
unset multiplot
