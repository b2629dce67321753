# Learning among grains: returns, by time and by actions, and where the grains are at the end
W = 760
H = 560
load 'style.gp'
set terminal pngcairo size W, H font 'Helvetica,9'
set output 'grain_learning.png'
set multiplot layout 2,2 title 'A bulldozer learns to push grains into a box: three seeds, means over five episodes' noenhanced font ',12'
set lmargin 11
set datafile missing NaN
runs = 'grain_learning.csv'
of(method, s, value) = strcol('method') eq method && strcol('seen') eq 'profile' && column('seed') == s ? value : NaN
color(method) = method eq 'ppo' ? red : blue
name(method) = method eq 'ppo' ? 'PPO' : 'TD3'
stats runs using (strcol('method') eq 'straight' ? column('return') : NaN) name 'R' nooutput
stats runs using (strcol('method') eq 'straight' ? column('share') : NaN) name 'S' nooutput
do for [what in 'return share'] {
  set ylabel what eq 'return' ? 'return of an episode' : 'share in the box at the end'
  if (what eq 'return') { set key at graph 0.02, graph 0.84 left top Left reverse samplen 2 } else { unset key }
  best = what eq 'return' ? R_max : S_max
  do for [axis in 'minutes actions'] {
    set xlabel axis eq 'minutes' ? 'time of one core [min]' : 'actions [1000]'
    plot for [m in 'td3 ppo'] for [s = 1:3] runs \
        using (axis eq 'minutes' ? column('seconds') / 60 : column('actions') / 1000):(of(m, s, column(what))) \
        with lines lw 1.5 lc rgb color(m) title s == 1 ? name(m) : '' noenhanced, \
      best with lines lw 1 dt 2 lc rgb gray title 'straight on, then to stand'
  }
}
unset multiplot
