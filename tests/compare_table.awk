# compare.csv computed again from the runs' history.csv, by other means: values by insertion, ranks by
# trying every split of the pooled values. usage: awk -v gradient_cost=G -v budget=B -v target=F
# -v tolerance=T -f compare_table.awk runs.csv, in the folder of the comparison. Budgets are in
# simulations, policies "abort".
function insert(list, n, value, i) {
  for (i = n; i > 0 && list[i] > value; i--) list[i + 1] = list[i]
  list[i + 1] = value
}
function quantile(list, n, p, place, low) {
  place = 1 + p * (n - 1)
  low = int(place)
  return low == n ? list[n] : list[low] + (place - low) * (list[low + 1] - list[low])
}
# share of the splits of a and b, pooled, whose U is as far from the middle, or farther
function p_value(a, b, n, pool, i, j, mask, u, far, as_far, all, chosen, mine) {
  for (i = 1; i <= n; i++) { pool[i] = a[i]; pool[n + i] = b[i] }
  for (mask = 0; mask < 2 ^ (2 * n); mask++) {
    chosen = 0
    for (i = 1; i <= 2 * n; i++) { in_a[i] = int(mask / 2 ^ (i - 1)) % 2; chosen += in_a[i] }
    if (chosen != n) continue
    u = 0
    for (i = 1; i <= 2 * n; i++) for (j = 1; j <= 2 * n; j++)
      if (in_a[i] && !in_a[j]) u += pool[i] > pool[j]
    far = u - n * n / 2
    splits[all++] = far < 0 ? -far : far
    if (mask == 2 ^ n - 1) mine = far < 0 ? -far : far
  }
  for (i = 0; i < all; i++) as_far += splits[i] >= mine
  return as_far / all
}
function read_run(folder, method, row, cells, cost, before, best, hit, calls, column, i, n, whole) {
  whole = hit = 0
  best = "none"
  while ((getline row < (folder "/history.csv")) > 0) {
    n = split(row, cells, ",")
    if (cells[1] == "eval") {
      for (i = 1; i <= n; i++) column[cells[i]] = i
      continue
    }
    calls = 1 + (cells[column["kind"]] == "fg" ? gradient_cost - 1 : 0) - (cells[1] == before)
    if (whole + calls > budget * (1 + 1e-9)) break
    whole += calls
    before = cells[1]
    if (cells[column["violation"]] <= tolerance && (best == "none" || cells[column["f"]] + 0 < best)) {
      best = cells[column["f"]] + 0
      if (!hit && best <= target + 0) hit = whole
    }
  }
  insert(values, runs[method], best)
  runs[method]++
  for (i = 1; i <= runs[method]; i++) kept[method, i] = values[i]
  spent[method] += hit ? hit : whole
  successes[method] += hit > 0
  if (hit) { for (i = 1; i < successes[method]; i++) hits[i] = kept_hits[method, i]
    insert(hits, successes[method] - 1, hit)
    for (i = 1; i <= successes[method]; i++) kept_hits[method, i] = hits[i] }
}
BEGIN { FS = "," }
NR == 1 { next }
{
  if (!($1 in runs)) { order[++methods] = $1; runs[$1] = 0 }
  for (i = 1; i <= runs[$1]; i++) values[i] = kept[$1, i]
  read_run($3, $1)
}
END {
  for (m = 1; m <= methods; m++) {
    name = order[m]
    n = runs[name]
    for (i = 1; i <= n; i++) { mine[i] = kept[name, i]; first[i] = kept[order[1], i] }
    for (i = 1; i <= successes[name]; i++) hits[i] = kept_hits[name, i]
    printf "%s %d %.10g %.10g %.10g %d %s %s %s\n", name, n, quantile(mine, n, 0.25),
      quantile(mine, n, 0.5), quantile(mine, n, 0.75), successes[name],
      successes[name] ? sprintf("%.10g", spent[name] / successes[name]) : "-",
      successes[name] ? sprintf("%.10g", quantile(hits, successes[name], 0.5)) : "-",
      (m > 1) ? sprintf("%.10g", p_value(mine, first, n)) : "-"
  }
}
