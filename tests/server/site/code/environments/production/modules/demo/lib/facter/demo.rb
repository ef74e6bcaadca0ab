Facter.add(:demo) { setcode { 'demo' } }
