# case: oracle=no
# Paths of the repository that pages mention exist: files in backticks, and targets of links.
cd "$CASE/../../.."
for page in README.md CONTRIBUTING.md ARCHITECTURE.md SECURITY.md docs/*.md docs/differences/*.md tests/cases/README.md examples/control-repo/README.md; do
  { grep -oE '`(src|tests|docs|tools|packaging|examples|cmake|share)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`' | grep -v NAME || true; } | sort -u | while read -r path; do
    test -e "$path" || echo "$page names $path"
  done
  { grep -oE '\]\([^)#: ]+' "$page" | cut -c 3- | grep -v '^[0-9]*$' || true; } | sort -u | while read -r path; do
    test -e "$(dirname "$page")/$path" || echo "$page has a link to $path"
  done
done
