# Start and phase portrait of the Colpitts oscillator.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/colpitts.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1100,500 font "DejaVu Sans,11"
set output folder."/colpitts.png"
data = folder."/trajectory.csv"
stats data every ::1 using 1 nooutput
end = STATS_max
set multiplot layout 1,2
set grid
set key off
set xlabel "time t [ms]"
set ylabel "v_{CE} [V]"
set xrange [0:0.2]
plot data every ::1 using (1e3*$1):2 with lines lw 1 lc rgb "#1f5fa8"
set autoscale x
set xlabel "v_{CE} [V]"
set ylabel "v_{BE} [V]"
plot data every ::1 using ($1 > 0.3*end && $1 < 0.6*end ? $2 : NaN):3 with lines lw 0.5 lc rgb "#b5432a"
unset multiplot
