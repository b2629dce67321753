# the loss by iteration beside the published one
W = 900
H = 520
load 'style.gp'
set output 'velocity_2d.svg'
set title 'velocity_2d: gradient descent, learning rate 10' noenhanced font ',17'
set xlabel 'iteration'
set ylabel 'half the squared distance from the target [m^2]' enhanced
set logscale y
set format y '10^{%T}'
set xrange [-0.7:29.7]
set key top right
set lmargin 12
plot 'velocity_2d.csv' using 'iteration':'loss' with linespoints pt 7 ps 0.5 lw 1.5 lc rgb blue \
    title 'cqopt', \
  '' using 'iteration':'published' with points pt 6 ps 1.2 lw 1.5 lc rgb red \
    title 'DiffTaichi''s scene, computed independently' noenhanced
