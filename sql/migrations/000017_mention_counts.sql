-- What is counted over answers: how often engines name a client in a week, and whether that changed beyond chance.

create table typed.mention_count (
  account text not null,
  slice_client_id text not null,
  client_id text not null,
  week_date date not null,
  measurement_id text not null,
  engine text,
  answer_count integer not null,
  question_count integer not null,
  known_count integer not null,
  mentioned_count integer not null,
  repeated_count integer not null,
  spread numeric not null
);
create index mention_count_by_group on typed.mention_count (account, slice_client_id, client_id, week_date, measurement_id);
create index mention_count_by_client on typed.mention_count (client_id, week_date);
create index mention_count_by_week on typed.mention_count (week_date);
comment on table typed.mention_count is 'Answers of a client by engine and week, one row a scope. bi.mention_rates adds them up.';
comment on column typed.mention_count.week_date is 'Monday; -infinity: the answers tell no date and are of their measurement.';
comment on column typed.mention_count.measurement_id is 'Of answers that tell no date; empty for others, and where there is none.';
comment on column typed.mention_count.known_count is 'Answers of which is known whether they name the brand.';
comment on column typed.mention_count.repeated_count is 'Known answers to questions that were asked more than once.';
comment on column typed.mention_count.spread is 'The variance of the number of those that name the brand, by what answers to the same question differ: the sum of k (n - k) / (n - 1) over these questions.';

create table typed.mention_change (
  account text not null,
  slice_client_id text not null,
  client_id text not null,
  to_date date not null,
  rate numeric,
  before_rate numeric,
  z numeric,
  greatest_z numeric,
  cell_count integer not null,
  question_count integer not null,
  answer_count integer not null,
  before_answer_count integer not null,
  questions_added integer not null,
  questions_dropped integer not null,
  primary key (account, slice_client_id, client_id)
);
create index mention_change_by_client on typed.mention_change (client_id);
comment on table typed.mention_change is 'The share of answers that name a client, over 28 days up to its newest answer and the 28 before, by question and engine. One row a client and scope.';
comment on column typed.mention_change.to_date is 'Date of the newest answer that counts: known, with question, engine and date.';
comment on column typed.mention_change.z is 'Null: no question was asked of an engine in both periods.';
comment on column typed.mention_change.greatest_z is 'What z would be if all answers of the one period named it and none of the other: what is below the bound can never be clear.';
