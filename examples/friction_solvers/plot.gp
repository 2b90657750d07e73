# Residual against iteration.  gnuplot -c plot.gp FOLDER  reads FOLDER/history_*.csv, writes FOLDER/friction_solvers.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1000,700 font "DejaVu Sans,11" noenhanced
set output folder."/friction_solvers.png"
files = system("ls ".folder."/history_*.csv")
name(file) = system("basename ".file." .csv | cut -c 9-")
set grid
set logscale xy
set format y "1e%T"
set xlabel "iteration, as each method counts"
set ylabel "residual, as each method measures it"
set key outside right top
plot for [file in files] file every ::1 using 1:2 with lines lw 1.8 title name(file)
