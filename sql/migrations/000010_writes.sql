-- What was sent to the service: logs, questions, measurements. Each is committed as planned, then as sending, then with its
-- outcome, so that nothing is sent twice without being asked to.

create table sync.write_source (
  account text not null,
  id bigint generated always as identity,
  name text not null,
  device text,
  inode text,
  block_bytes integer not null,
  block_hash bytea not null,
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  primary key (account, id)
);
comment on table sync.write_source is 'Logs that were read. Renamed, rotated and compressed copies of one log are one source.';
comment on column sync.write_source.name is 'File name when it was last seen, without its folder; - for standard input.';
comment on column sync.write_source.block_bytes is 'Length of the first block whose hash tells the source, in bytes of the decompressed content.';
comment on column sync.write_source.block_hash is 'SHA-256 of that block.';

create table sync.write (
  account text not null,
  id bigint generated always as identity,
  kind text not null constraint write_kind_known check (kind in ('logs', 'questions', 'measurement')),
  status text not null default 'planned'
    constraint write_status_known check (status in ('planned', 'sending', 'accepted', 'refused', 'unknown', 'empty')),
  source_id bigint,
  from_byte bigint,
  to_byte bigint,
  tail_hash bytea,
  body_hash bytea,
  body_bytes integer,
  amount integer not null default 0,
  takes integer not null default 1,
  filter text,
  counts jsonb,
  subject text,
  job text,
  attempts integer not null default 0,
  http_status integer,
  answer text,
  planned_at timestamptz not null default now(),
  sent_at timestamptz,
  ended_at timestamptz,
  skipped_at timestamptz,
  primary key (account, id),
  foreign key (account, source_id) references sync.write_source (account, id) deferrable initially immediate
);
create unique index write_range on sync.write (account, source_id, from_byte) where source_id is not null;
create index write_open on sync.write (account, kind) where status in ('planned', 'sending', 'unknown', 'refused') and skipped_at is null;
comment on table sync.write is 'Every request that writes to the service, and what became of it. Holds neither lines of logs nor addresses.';
comment on column sync.write.status is 'planned: not sent yet; sending: its outcome is not known yet; accepted, refused: as the service answered; unknown: sent, and nobody knows whether it arrived; empty: nothing in it to send.';
comment on column sync.write.from_byte is 'Range of the source, in bytes of the decompressed content; to_byte is excluded.';
comment on column sync.write.tail_hash is 'SHA-256 of the last 4,096 bytes of the range, or of all where it is shorter: tells a copy from another log with the same beginning.';
comment on column sync.write.body_hash is 'SHA-256 of the body that was sent.';
comment on column sync.write.amount is 'Lines, questions or measurements in it.';
comment on column sync.write.takes is 'Places in the limit of its kind: 1 an upload or measurement, as many as it has questions.';
comment on column sync.write.filter is 'Version of what chose and shaped the lines.';
comment on column sync.write.counts is 'Lines that were read, and why lines were left out.';
comment on column sync.write.subject is 'The business that is measured.';
comment on column sync.write.job is 'The job that sent it; null: by hand.';
comment on column sync.write.attempts is 'Times it was sent; requests that never reached the service are not counted.';
comment on column sync.write.planned_at is 'When it was planned; of a range of a log, when the push began to read: lines that were not too old then are not when it is read again.';
comment on column sync.write.skipped_at is 'When somebody decided to leave it as it is: refused or unknown, and not reported any more.';
comment on column sync.write.answer is 'The beginning of the service''s answer, without secrets.';

create table sync.question (
  account text not null,
  hash bytea not null,
  text text,
  write_id bigint,
  planned_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (account, hash)
);
comment on table sync.question is 'Questions that were given to be sent.';
comment on column sync.question.text is 'Until it is accepted; null: only the hash stays.';
comment on column sync.question.write_id is 'The request that sends or sent it; null: it waits.';
comment on column sync.question.sent_at is 'When it was accepted last.';

create table sync.budget_write (
  account text not null,
  id bigint generated always as identity,
  kind text not null,
  write_id bigint not null,
  attempt integer not null,
  amount integer not null,
  at timestamptz not null,
  primary key (account, id)
);
create index budget_write_at on sync.budget_write (account, kind, at);
comment on table sync.budget_write is 'What writes took of their own limits: uploads an hour, questions and measurements a day. Deleted after two days.';

create table sync.budget_write_closed (
  account text not null,
  kind text not null,
  until timestamptz not null,
  reason text not null,
  noted_at timestamptz not null default now(),
  primary key (account, kind)
);
comment on table sync.budget_write_closed is 'The service refused a kind of write until then.';
