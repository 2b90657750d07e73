# Start of the buck converter, and its last periods.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/buck_converter.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,600 font "DejaVu Sans,11"
set output folder."/buck_converter.png"
data = folder."/trajectory.csv"
stats data every ::1 using 1 nooutput
end = STATS_max
set multiplot layout 1,2
set grid
set key top right
set xlabel "time t [ms]"
set xrange [0:(end < 2e-3 ? 1e3*end : 2)]
plot data every ::1 using (1e3*$1):3 with lines lw 1.5 lc rgb "#1f5fa8" title "v_o [V]", \
     data every ::1 using (1e3*$1):2 with lines lw 0.5 lc rgb "#b5432a" title "i_L [A]"
set xrange [1e3*end-0.04:1e3*end]
set xtics 0.01
set format x "%.2f"
set yrange [-1:15]
plot data every ::1 using (1e3*$1):4 with lines lw 1.5 lc rgb "#3a7d44" title "v [V]", \
     data every ::1 using (1e3*$1):2 with lines lw 1.5 lc rgb "#b5432a" title "i_L [A]", \
     data every ::1 using (1e3*$1):3 with lines lw 1.5 lc rgb "#1f5fa8" title "v_o [V]", \
     data every ::1 using (1e3*$1):7 with lines lw 1 lc rgb "#555555" title "s"
unset multiplot
