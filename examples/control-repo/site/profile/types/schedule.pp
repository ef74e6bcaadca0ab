# A schedule: every night, or at a time of day such as 03:30.
type Profile::Schedule = Variant[Enum['nightly'], Pattern[/\A([01]\d|2[0-3]):[0-5]\d\z/]]
