# The comments of the headers as Doxygen takes them, who wants /** and /**<. A comment on lines of its own is of
# the declaration that follows, one behind code is of all that its line declares.
function escape(text) {
  gsub(/</, "\\\\<", text)
  gsub(/>/, "\\\\>", text)
  return text
}

# "  double lower, upper;" with its comment: each for itself
function put_members(code, comment,    n, names, i, type) {
  n = split(code, names, ", ")
  type = names[1]
  sub(/[*a-z_0-9]+(\[[^]]*\])?;?$/, "", type)
  for (i = 1; i <= n; i++) {
    sub(/;$/, "", names[i])
    print (i == 1 ? "" : type) names[i] ";" comment
  }
}

NR == 1 && sub(/^\/\* [a-z_\/]+\.h: /, "/** @file\n * ") { }
!open && /^ *\/\* / { sub(/\/\* /, "/** ") }
open || /^ *\/\*\* / { # on lines of its own, or one that goes on
  open = !/\*\//
  print NR == 1 ? $0 : escape($0)
  next
}
{
  at = match($0, / *\/\* /)
  if (at == 0) { print; next }
  code = substr($0, 1, at - 1)
  comment = escape(substr($0, at))
  sub(/\/\* /, "/**< ", comment)
  open = comment !~ /\*\//
  if (!open && code ~ /^ +[A-Za-z_0-9 ]+ \*?[a-z_0-9]+(\[[^]]*\])?(, \*?[a-z_0-9]+(\[[^]]*\])?)+;$/)
    put_members(code, comment)
  else
    print code comment
}
