-- What each channel took of an incident: told_at and told_over_at alone say that some channel did.

alter table sync.notice add column channels jsonb;
comment on column sync.notice.channels is 'By name of a webhook or mail address: told_at and told_over_at of its own. It stands here before anything is sent to it; one that does not, as all where this is null, begins with those of the row.';
