class demo { notify { "dev demo for ${site}": } }
