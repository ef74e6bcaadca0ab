# Login names that all programs accept.
type Accounts::Name = Pattern[/\A[a-z_][a-z0-9_-]{0,30}\z/]
