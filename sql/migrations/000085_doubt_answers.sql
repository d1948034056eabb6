-- What makes an answer doubtful stands with its slice, until a walk is believed.
alter table sync.slice
  add column doubt text,
  add column doubted_walks integer not null default 0,
  add column lacking text[],
  add column doubt_found bigint not null default 0;
comment on column sync.slice.doubt is 'Why the newest walk is not believed: no_data, strange, other_client, refused, vanished, client_keys, loop or page_limit; null: nothing is in doubt.';
comment on column sync.slice.doubted_walks is 'Walks of this run date that ended in doubt.';
comment on column sync.slice.lacking is 'Keys that are published and that the doubted walk did not find; of many, a sample.';
comment on column sync.slice.doubt_found is 'Records of the doubted walk.';
alter table sync.slice alter column lacking set storage external;

-- A client that left ends without a request.
alter table sync.slice drop constraint slice_walk_known;
alter table sync.slice add constraint slice_walk_known check (walk in ('full', 'head', 'details', 'left'));
comment on column sync.slice.walk is 'full: every page; head: first pages, the tail carried forward; details: one request for each new or changed record; left: the client is no longer listed, nothing is asked.';

-- Where the list of a body is, is found for each account: one that answers with something else does not mislead the others.
create table sync.list (
  account text not null,
  stream text not null,
  list_key text not null,
  pinned_at timestamptz not null default now(),
  primary key (account, stream)
);
comment on table sync.list is 'Where the lists of streams are for which the API reference gives no key, as found in an account''s first answer.';
comment on column sync.list.list_key is 'Key of the list in the body; '''': the body itself is the list.';
insert into sync.list (account, stream, list_key)
select distinct s.account, t.stream, t.list_key
from sync.stream t join sync.slice s using (stream)
where t.list_key is not null;
alter table sync.stream drop column list_key;

-- A page that was asked for again, because pages moved while the list was walked.
alter table sync.page add column is_reread boolean not null default false;
comment on column sync.page.is_reread is 'A page of the head that was read again after the walk; no part of the chain of cursors.';

drop function sync.store_page(bigint, bigint, integer, text, text, text, text, integer, integer, integer, boolean, jsonb);
create function sync.store_page(
  p_slice bigint, p_run bigint, p_page integer, p_cursor text, p_next_cursor text, p_record_key text, p_list_key text,
  p_records integer, p_requests integer, p_replaced integer, p_has_new_types boolean, p_is_reread boolean, p_body jsonb
) returns boolean
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
begin
  update sync.slice s set
    pages = s.pages + 1, records = s.records + p_records, requests = s.requests + p_requests,
    updated_at = clock_timestamp()
  where s.id = p_slice and s.run_id = p_run and s.status = 'walking';
  if not found then
    return false;
  end if;
  insert into sync.page (slice_id, page_no, cursor, next_cursor, record_key, records, requests, replaced_values,
    has_new_types, is_reread, list, rest)
  values (
    p_slice, p_page, p_cursor, p_next_cursor, p_record_key, p_records, p_requests, p_replaced, p_has_new_types, p_is_reread,
    case
      when p_record_key is not null then jsonb_build_array(p_body)
      when p_list_key = '' then p_body
      else coalesce(nullif(p_body -> p_list_key, 'null'), '[]')
    end,
    case
      when p_record_key is null and p_list_key <> ''
      then nullif(p_body - array[p_list_key, 'paginacion'], '{}')
    end
  );
  return true;
end
$$;
comment on function sync.store_page is
  'Stores a page of a walking slice: the elements of its list (null is none; with p_record_key the whole body is one record; '
  'with an empty p_list_key the body is the list) and what is beside it. False: the slice is no longer the run''s.';

-- Details that the server refuses one by one.
create table sync.refused_detail (
  account text not null,
  stream text not null,
  client_id text not null,
  value text not null,
  first_run_date date not null,
  last_run_date date not null,
  run_dates integer not null default 1,
  error text not null,
  primary key (account, stream, client_id, value)
);
comment on table sync.refused_detail is 'Single records that were asked for and not believed: asked again on three run dates, then weekly.';
