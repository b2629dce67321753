# PPO beside gradients: the policy without noise, and the best so far, by simulations and by time
W = 760
H = 800
load 'style.gp'
# curves by the hundred: an SVG would be large
set terminal pngcairo size W, H font 'Helvetica,9'
set output 'ppo.png'
set multiplot layout 3,2 title 'PPO beside gradients, three seeds' noenhanced font ',12'
set logscale x
set lmargin 11
runs = 'ppo.csv'
of(problem, method, s, x) = strcol('problem') eq problem && strcol('method') eq method \
    && column('seed') == s && x > 0 ? x : NaN
pale(method) = method eq 'ppo' ? '#fcbba1' : '#c6dbef'
color(method) = method eq 'ppo' ? red : blue
name(method) = method eq 'ppo' ? 'PPO' : 'gradients'
methods = 'ppo gradients'
do for [k = 1:3] {
  problem = word('finger finger_random walker_2d', k)
  set ylabel word('"tip from its target [m]" "from unseen targets, mean [m]" "x of the head [m]"', k)
  set title problem noenhanced
  if (k == 1) { set logscale y; set yrange [*:0.15] } else { unset logscale y; set yrange [*:*] }
  if (k == 1) { set key bottom left } else { unset key }
  do for [axis in 'simulations seconds'] {
    set xlabel axis eq 'seconds' ? 'time of one core [s]' : 'simulations (one with gradient counts as three)'
    plot for [m in methods] for [s = 1:3] runs using (of(problem, m, s, column(axis))):'value' \
        with lines lw 0.7 lc rgb pale(m) notitle, \
      for [m in methods] for [s = 1:3] runs using (of(problem, m, s, column(axis))):'best' \
        with lines lw 2 lc rgb color(m) title s == 1 ? name(m).', best so far' : '' noenhanced
  }
}
unset multiplot
