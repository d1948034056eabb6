-- What people write down themselves.
create table sync.note (
  account text not null,
  id bigint generated always as identity,
  client_id text not null default '',
  note_date date not null,
  text text not null,
  noted_at timestamptz not null default now(),
  primary key (account, id)
);
create index note_by_client on sync.note (client_id, note_date);
comment on table sync.note is 'Notes of people on a day of a client; client_id empty: of the account.';

-- Alerts on the figures of clients.
create table sync.alert_begin (
  account text not null,
  rule text not null,
  client_id text not null,
  began_on date not null,
  mapping text not null default '',
  primary key (account, rule, client_id)
);
comment on table sync.alert_begin is 'Since when a rule watches a client. What was so on that date is no news.';
comment on column sync.alert_begin.began_on is 'Date of the data that the rule read first; only what is later is an alert.';
comment on column sync.alert_begin.mapping is 'Where the fields that it needs were found then; it begins anew once they are found elsewhere.';

create table sync.alert (
  account text not null,
  id bigint generated always as identity,
  client_id text not null,
  rule text not null,
  subject text not null,
  alert_date date not null,
  severity text not null constraint alert_severity_known check (severity in ('warning', 'good', 'info')),
  title text not null,
  detail text,
  before_value numeric,
  after_value numeric,
  threshold numeric,
  unit text,
  lasts boolean not null,
  is_silent boolean not null,
  is_muted boolean not null default false,
  raised_at timestamptz not null default now(),
  ended_on date,
  is_recovered boolean not null default false,
  acknowledged_at timestamptz,
  primary key (account, id)
);
-- A claim may be longer than an index holds, so subjects are told apart by their hash.
create unique index alert_once on sync.alert (account, client_id, rule, md5(subject), alert_date);
create unique index alert_lasting on sync.alert (account, client_id, rule, md5(subject)) where lasts and ended_on is null;
create index alert_by_client on sync.alert (client_id, alert_date);
create index alert_by_date on sync.alert (account, alert_date);
comment on table sync.alert is 'What rules found in the figures of clients, each once.';
comment on column sync.alert.subject is 'What of the client it is about: a method, a page, a competitor, a currency. Of one subject one alert lasts at a time.';
comment on column sync.alert.lasts is 'It lasts until the figures recover; false: it happened once and has no end.';
comment on column sync.alert.is_silent is 'It was so when the rule began: nobody is told, and no view shows it.';
comment on column sync.alert.is_muted is 'It was raised while the rule was muted: nobody is told.';
comment on column sync.alert.ended_on is 'Date of the data that showed the end; null: it lasts.';
comment on column sync.alert.is_recovered is 'It ended because the figures were back; false: another alert on the same took its place.';

create table sync.alert_telling (
  account text not null,
  alert_id bigint not null,
  channel text not null,
  told_at timestamptz,
  tries integer not null default 0,
  tried_at timestamptz,
  error text,
  primary key (account, alert_id, channel),
  foreign key (account, alert_id) references sync.alert (account, id) on delete cascade
);
create index alert_telling_open on sync.alert_telling (account, channel) where told_at is null;
comment on table sync.alert_telling is 'Whom an alert is to be told, and whether the channel took it.';
comment on column sync.alert_telling.channel is 'Name of a webhook, or a mail address.';
comment on column sync.alert_telling.told_at is 'When the channel took it; null: not yet.';
comment on column sync.alert_telling.tried_at is 'When it was tried last; null: not yet. A channel that is down is asked less and less often.';

create table sync.alert_digest (
  account text not null,
  digest_date date not null,
  channel text not null,
  told_at timestamptz,
  tries integer not null default 0,
  tried_at timestamptz,
  error text,
  primary key (account, digest_date, channel)
);
comment on table sync.alert_digest is 'Weekly summaries of an account, one row a channel.';
comment on column sync.alert_digest.digest_date is 'The day of the week on which it is due.';
comment on column sync.alert_digest.tried_at is 'When it was tried last; null: not yet.';

create table sync.alert_mute (
  account text not null,
  id bigint generated always as identity,
  rule text not null,
  client_id text,
  until_date date,
  muted_at timestamptz not null default now(),
  primary key (account, id)
);
comment on table sync.alert_mute is 'Rules of which nobody is told for a while.';
comment on column sync.alert_mute.client_id is 'Null: of no client of the account.';
comment on column sync.alert_mute.until_date is 'From this date on people are told again; null: until it is taken back.';
