-- When a channel was tried last: one that is down is asked less and less often.
alter table sync.alert_telling add column tried_at timestamptz;
alter table sync.alert_digest add column tried_at timestamptz;
comment on column sync.alert_telling.tried_at is 'When it was tried last; null: not yet.';
comment on column sync.alert_digest.tried_at is 'When it was tried last; null: not yet.';
