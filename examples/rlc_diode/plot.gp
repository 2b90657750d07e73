# State and diode current.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/rlc_diode.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,700 font "DejaVu Sans,11"
set output folder."/rlc_diode.png"
data = folder."/trajectory.csv"
set multiplot layout 2,1
set grid
set key top right
set ylabel "voltage [V]"
plot data every ::1 using ($1*1e3):2 with lines lw 1.5 lc rgb "#1f5fa8" title "capacitor x_1", \
     data every ::1 using ($1*1e3):6 with lines lw 1.5 dt 2 lc rgb "#b5432a" title "exact"
set xlabel "time t [ms]"
set ylabel "current [mA]"
plot data every ::1 using ($1*1e3):($3*1e3) with lines lw 1.5 lc rgb "#999999" title "inductor x_2", \
     data every ::1 using ($1*1e3):($5*1e3) with lines lw 1.5 lc rgb "#1f5fa8" title "diode"
unset multiplot
