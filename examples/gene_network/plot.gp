# Concentrations, step functions and phase portrait.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv and
# FOLDER/portrait.csv, writes FOLDER/gene_network.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,600 font "DejaVu Sans,11"
set output folder."/gene_network.png"
data = folder."/trajectory.csv"
portrait = folder."/portrait.csv"
set multiplot
set grid
set key center right
set xrange [0:1.2]
set origin 0,0.5
set size 0.5,0.5
set yrange [0:9]
set ylabel "concentration"
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8" title "x_1", \
     data every ::1 using 1:3 with lines lw 1.5 lc rgb "#b5432a" title "x_2"
set origin 0,0
set xlabel "time t [s]"
set ylabel "λ"
set yrange [-0.1:1.1]
plot data every ::1 using 1:4 with lines lw 1.5 title "λ_1: x_1 above 4", \
     data every ::1 using 1:5 with lines lw 1.5 title "λ_2: x_2 above 4", \
     data every ::1 using 1:6 with lines lw 1.5 title "λ_3: x_1 above 8", \
     data every ::1 using 1:7 with lines lw 1.5 title "λ_4: x_2 above 8"
set origin 0.5,0
set size 0.5,1
set xrange [0:12]
set yrange [0:12]
set xtics 4
set ytics 4
set xlabel "x_1"
set ylabel "x_2"
set key off
# A point that is not a number begins each run, so that no line leads there from the run before.
run = -1
plot portrait every ::1 using 2:(c = $1 == run ? $3 : NaN, run = $1, c) with lines lw 1 lc rgb "#8a8a8a", \
     data every ::1 using 2:3 with lines lw 2.5 lc rgb "#1f5fa8"
unset multiplot
