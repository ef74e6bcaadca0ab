# A parameter without value must exist, too.
create_resources('notify', { 'n' => { 'nosuch' => undef } })
