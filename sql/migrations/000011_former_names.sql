-- Names that accounts had: whoever still uses one would begin a second history.

create table sync.former_name (
  name text not null,
  renamed_to text not null,
  renamed_at timestamptz not null default now(),
  released_at timestamptz,
  primary key (name, renamed_to)
);
comment on table sync.former_name is 'Names that accounts had before they were renamed. No sync goes by one until it is released.';
comment on column sync.former_name.renamed_to is 'What that account is called now.';
comment on column sync.former_name.released_at is 'Since when another account may have the name; null: none may. Clients that the renamed one forgot stay blocked under it.';
