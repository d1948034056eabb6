-- Grain: one row a write.
-- What was sent to the service, and what became of it?
create or replace view bi.write_log as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.planned_date,
  x.id as write_id,
  x.kind,
  x.status,
  x.status in ('planned', 'sending', 'refused', 'unknown') and x.skipped_at is null as is_open,
  x.source_name,
  x.from_byte,
  x.to_byte,
  x.amount as sent_count,
  x.body_bytes::bigint as byte_count,
  (x.counts ->> 'read')::bigint as read_line_count,
  (x.counts ->> 'unreadable')::bigint as unreadable_line_count,
  (x.counts ->> 'too_old')::bigint as old_line_count,
  (x.counts ->> 'not_bots')::bigint as other_agent_line_count,
  x.attempts as attempt_count,
  x.http_status,
  x.job,
  x.planned_at,
  x.sent_at,
  x.ended_at
from (
  select w.*, ''::text as client_id, (w.planned_at at time zone 'UTC')::date as planned_date, s.name as source_name
  from sync.write as w
  left join sync.write_source as s on s.account = w.account and s.id = w.source_id
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;

comment on view bi.write_log is
  'Grain: one row a write. What was sent to the service, and what became of it?';
comment on column bi.write_log.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.write_log.account is 'Account that it was sent with.';
comment on column bi.write_log.client_id is 'Always empty: what is sent belongs to the account.';
comment on column bi.write_log.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.write_log.planned_date is 'Day on which it was planned, in UTC.';
comment on column bi.write_log.write_id is 'Its number, as airank writes show takes it.';
comment on column bi.write_log.kind is 'logs, questions or measurement.';
comment on column bi.write_log.status is 'planned: waits; sending; accepted or refused, as the service answered; unknown: sent, and nobody knows whether it arrived; empty: nothing in it to send.';
comment on column bi.write_log.is_open is 'Whether something is left to do: it waits, is on its way, was refused, or is unknown, and nobody decided to leave it so.';
comment on column bi.write_log.source_name is 'File name of a log, without its folder; - for standard input; empty for other kinds.';
comment on column bi.write_log.from_byte is 'Where its part of the log begins: number of the byte, from 0, in the decompressed content.';
comment on column bi.write_log.to_byte is 'Where its part of the log ends: number of the byte after it.';
comment on column bi.write_log.sent_count is 'Number of lines, questions or measurements in it.';
comment on column bi.write_log.byte_count is 'Number of bytes of the body.';
comment on column bi.write_log.read_line_count is 'Number of lines of that part of the log; empty for other kinds.';
comment on column bi.write_log.unreadable_line_count is 'Number of lines that could not be read.';
comment on column bi.write_log.old_line_count is 'Number of lines that were left out because they are older than the service takes.';
comment on column bi.write_log.other_agent_line_count is 'Number of lines that were left out because they are not of AI bots.';
comment on column bi.write_log.attempt_count is 'Number of times it was sent.';
comment on column bi.write_log.http_status is 'Status number of the last answer; empty where none came.';
comment on column bi.write_log.job is 'Job that sent it; empty: by hand.';
comment on column bi.write_log.planned_at is 'When it was planned.';
comment on column bi.write_log.sent_at is 'When it was sent last.';
comment on column bi.write_log.ended_at is 'When it was known what became of it.';
