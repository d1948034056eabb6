-- Which reports were mailed to whom: nobody gets one twice, and who was refused is tried again.
create table sync.report_sent (
  account text not null,
  client_id text not null,
  period_from date not null,
  period_to date not null,
  language text not null,
  address text not null,
  sent_at timestamptz not null default now(),
  primary key (account, client_id, period_from, period_to, language, address)
);
comment on table sync.report_sent is 'Reports that a mail server took, one row an address.';
comment on column sync.report_sent.address is 'In lower case, without a name.';

-- Since when the scheduler knows a job that must not catch up what was due before.
create table sync.job_begin (
  job text primary key,
  began_at timestamptz not null default now()
);
comment on table sync.job_begin is 'Since when the scheduler knows a job that makes reports: what was due before is not made up for.';
