node default { notify { "dev": } }
