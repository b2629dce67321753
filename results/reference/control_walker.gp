# how far the head gets, best so far by simulations, five seeds of two methods
W = 900
H = 520
load 'style.gp'
set output 'control_walker.svg'
set title 'walker_2d: where the head is after 3 s, five seeds' noenhanced font ',17'
set xlabel 'simulations with gradient'
set ylabel 'x of the head at the end [m]'
set xrange [0:101]
set yrange [0.4:1.6]
set key bottom right
set lmargin 10
seeds = 'control_walker.csv'
of(method, s) = strcol('method') eq method && column('seed') == s ? column('simulations') : NaN
plot for [s = 1:5] seeds using (of('adam', s)):'best' with lines lw 2 lc rgb blue \
    title s == 1 ? 'Adam, learning rate 0.01' : '' noenhanced, \
  for [s = 1:5] seeds using (of('gradient_descent', s)):'best' with lines lw 2 lc rgb red \
    title s == 1 ? 'gradient descent, 0.03' : '' noenhanced, \
  0.5 with lines dashtype 2 lc rgb gray title 'its start' noenhanced
