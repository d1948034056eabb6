-- row: a write
-- question: What was sent to the service, and what became of it?
-- group: data
-- time: planned_date
create or replace view ops.write_log as
select
  x.account || '/' || x.client_id as client_key,
  x.account, -- Account that it was sent with.
  x.client_id, -- Always empty: what is sent belongs to the account.
  c.client_name,
  c.client_sector,
  c.client_country,
  x.planned_date, -- Day on which it was planned, in UTC.
  x.id as write_id, -- Its number, as airank push writes lists it.
  x.kind, -- logs, questions or measurement.
  x.status, -- planned: waits; sending; accepted or refused, as the service answered; unknown: sent, and nobody knows whether it arrived; empty: nothing in it to send.
  x.status in ('planned', 'sending', 'refused', 'unknown') and x.skipped_at is null as is_open, -- Whether something is left to do: it waits, is on its way, was refused, or is unknown, and nobody decided to leave it so.
  x.source_name, -- File name of a log, without its folder; - for standard input; empty for other kinds.
  x.from_byte, -- Where its part of the log begins: number of the byte, from 0, in the decompressed content.
  x.to_byte, -- Where its part of the log ends: number of the byte after it.
  x.amount as sent_count, -- Number of lines, questions or measurements in it.
  x.body_bytes::bigint as byte_count, -- Number of bytes of the body.
  (x.counts ->> 'read')::bigint as read_line_count, -- Number of lines of that part of the log; empty for other kinds.
  (x.counts ->> 'unreadable')::bigint as unreadable_line_count, -- Number of lines that could not be read.
  (x.counts ->> 'too_old')::bigint as old_line_count, -- Number of lines that were left out because they are older than the service takes.
  (x.counts ->> 'not_bots')::bigint as other_agent_line_count, -- Number of lines that were left out because they are not of AI bots.
  x.attempts as attempt_count, -- Number of times it was sent.
  x.http_status, -- Status number of the last answer; empty where none came.
  x.job, -- Job that sent it; empty: by hand.
  x.planned_at, -- When it was planned.
  x.sent_at, -- When it was sent last.
  x.ended_at -- When it was known what became of it.
from (
  select w.*, ''::text as client_id, (w.planned_at at time zone 'UTC')::date as planned_date, s.name as source_name
  from sync.write as w
  left join sync.write_source as s on s.account = w.account and s.id = w.source_id
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;
