# case: oracle=no
# Facts in files: the directories in order, and in each the last name first.
mkdir first second
printf 'site=paris\nUPPER=name\nempty=\n=none\npair=a=b\n' > first/a.txt
printf 'site: rome\nrole: [web, {port: 80}]\n' > first/b.yaml
printf '{"site": "oslo", "count": 3, "nothing": null}' > second/c.json
printf '#!/bin/sh\necho "ran=yes"\necho "careful" >&2\n' > second/program
printf '#!/bin/sh\necho "{\\"list\\": [1, 2]}"\n' > second/json.sh
chmod +x second/program second/json.sh
printf 'hidden=1\n' > first/.hidden.txt
printf 'not run\n' > second/plain
printf '{' > second/broken.json
printf -- '- 1\n' > second/list.yaml
show() { bunraku facts show --no-custom-facts --external-dir first --external-dir second "$@" 2>&1; }
show site upper empty pair role count ran list hidden
FACTER_site=env FACTER_lib=/none show site --value-only | tail -n 1
echo 'facts { blocklist = ["a.txt", "kernel", "networking.interfaces", mine], ttls = [{ "program": "1 hour" }] }
fact-groups { mine = [count] }' > facter.conf
show --config-file facter.conf --no-cache site kernel kernelrelease count networking.interfaces 2>/dev/null
show --config-file facter.conf --no-cache networking 2>/dev/null | grep -c hostname
show --config-file facter.conf --no-block --no-cache kernel count 2>/dev/null
echo 'global { show-legacy : true' > broken.conf
show --config-file broken.conf kernel --value-only
