# error of a manufactured solution by resolution
W = 900
H = 520
load 'style.gp'
set output 'validation_manufactured.svg'
set title 'manufactured solution: error of positions' noenhanced font ',17'
set xlabel 'cells across the square'
set ylabel 'root mean square over A'
set logscale xy
set xtics (8, 16, 32, 64)
set format y '10^{%T}'
set xrange [7:75]
set key outside right top
f = 'validation_manufactured.csv'
is(t, q) = abs(column('until') - t) < 1e-6 && column('across') == q
second(x) = 1.4e-2*(8/x)**2
plot for [q=2:4] f using 'cells':(is(0.25, q) ? column('rms') : NaN) with linespoints pt 7 ps 0.6 lw 1.5 dt q - 1 lc rgb blue \
    title sprintf('until 0.25/c, %d x %d a cell', q, q) noenhanced, \
  for [q=2:4] f using 'cells':(is(0.5, q) ? column('rms') : NaN) with linespoints pt 7 ps 0.6 lw 1.5 dt q - 1 lc rgb red \
    title sprintf('until 0.5/c, %d x %d a cell', q, q) noenhanced, \
  second(x) with lines lc rgb gray title 'second order' noenhanced
