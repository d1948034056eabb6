-- Visits of AI bots by the lines that were sent, added up by day. Each range of a log bears its own until it is counted.

create table sync.crawler_visit (
  account text not null,
  host text not null,
  bot text not null,
  day date not null,
  status integer not null,
  visits bigint not null,
  primary key (account, day, bot, host, status)
);
comment on table sync.crawler_visit is 'Visits of AI bots by the lines of logs that the service took. Holds neither paths nor addresses.';
comment on column sync.crawler_visit.host is 'Host that was asked for; empty where the log does not say it.';
comment on column sync.crawler_visit.day is 'Day of the visit, in UTC. Of pruned days that were added up: the first day of their week or month.';
comment on column sync.crawler_visit.status is 'HTTP status of the answer; 0 where the visitor was gone before there was one.';

alter table sync.write add column visits jsonb;
comment on column sync.write.visits is 'Visits in the lines that are sent, until they are counted in sync.crawler_visit; null: counted, or there are none.';
