# The tour of the README runs as it is written.
cd "$CASE/../../.."
sed '/^```sh/,/^```$/!d; /^```/d' README.md > "$OLDPWD/tour.sh"
sh -e "$OLDPWD/tour.sh" > /dev/null && wc -l < "$OLDPWD/tour.sh"
