# The range for users; lower numbers are for system accounts, higher ones for containers.
type Accounts::Uid = Integer[1000, 59999]
