-- From how much of its data a source was mapped, and whether another look may still change it.
create table sync.looked_at (
  source text primary key,
  records integer not null,
  same_looks integer not null,
  is_settled boolean not null,
  fields text[] not null,
  asked text[] not null,
  looked_at timestamptz not null default clock_timestamp()
);
comment on table sync.looked_at is 'What the mapping of a logical source was learned from.';
comment on column sync.looked_at.records is 'Records that were looked at, of the versions that there were.';
comment on column sync.looked_at.same_looks is 'Looks in a row that changed nothing.';
comment on column sync.looked_at.is_settled is 'What is mapped changes by people only. What is not may still be found, when fields are new in the data.';
comment on column sync.looked_at.fields is 'What was looked for: a release may add fields.';
comment on column sync.looked_at.asked is 'Of the fields that were not found, those for which something was proposed; nothing looks like the others.';
comment on column sync.mapping.origin is 'found: by what its values look like and its name; command: airank map; configuration: airank.config.yaml. Later ones of this list win.';
comment on column sync.mapping.score is 'How sure it is that the field is there, 0 to 1; null: a person said it.';
