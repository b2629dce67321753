#!/usr/bin/env bash
# Links of the pages lead to files, and to headings, that are there; docs/README.md names every page of
# docs/; the version of CITATION.cff and CHANGELOG.md is the program's. usage: docs_links.sh PROGRAM
. "$(dirname "${BASH_SOURCE[0]}")/work_lib.sh"
cqopt=$(realpath "$1")
cd "$(dirname "$0")/.."
pages=(README.md CONTRIBUTING.md CHANGELOG.md docs/*.md examples/*.md)
# the page without its code blocks
prose() {
  awk '/^ *```/ { code = !code; next } !code' "$1"
}

# the anchors that GitHub makes of a page's headings
anchors() {
  prose "$1" | sed -n 's/^#\{1,6\} //p' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# what a page links to: [text](target), ![text](target) and src="target"
targets() {
  prose "$1" | sed 's/`[^`]*`//g' | { grep -oE '\]\([^) ]+\)|src="[^"]+"' || true; } |
    sed -E 's/^\]\((.*)\)$/\1/; s/^src="(.*)"$/\1/'
}

links=0
for page in "${pages[@]}"; do
  while read -r target; do
    links=$((links + 1))
    case "$target" in
      http://* | https://*) continue ;;
    esac
    file=$page
    if [ -n "${target%%#*}" ]; then
      file=$(dirname "$page")/${target%%#*}
    fi
    if [ ! -e "$file" ]; then
      fail "$page links to $target, which is not there"
    elif [[ "$target" == *#* ]] && ! anchors "$file" | grep -qx -e "${target#*#}"; then
      fail "$page links to $target: no such heading"
    fi
  done < <(targets "$page")
done
[ "$links" -ge 50 ] || fail "only $links links found"

for page in docs/*.md; do
  name=${page#docs/}
  [ "$name" = README.md ] || grep -qF "]($name)" docs/README.md || fail "docs/README.md does not name $name"
done

version=$("$cqopt" --version | cut -d ' ' -f 2)
grep -qx "version: $version" CITATION.cff || fail "CITATION.cff is not of version $version"
first=$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -1)
[ "$first" = "$version" ] || fail "the first version of CHANGELOG.md is $first, not $version"

echo "$links links"
finish
