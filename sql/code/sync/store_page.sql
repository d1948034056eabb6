-- A page and its cursor in one call. A crash of the server may take the newest pages back: the walk then finds a hole and
-- fetches them again, so their commit need not wait for the disc. A function, because planning the same statement for every page, with its body as
-- a constant, took as long as storing it.
create or replace function sync.store_page(
  p_account text, p_slice bigint, p_run bigint, p_page integer, p_cursor text, p_next_cursor text, p_record_key text, p_list_key text,
  p_records integer, p_requests integer, p_replaced integer, p_has_new_types boolean, p_is_reread boolean, p_body jsonb,
  p_pagination_key text
) returns boolean
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update sync.slice s set
    pages = s.pages + 1, records = s.records + p_records, requests = s.requests + p_requests,
    updated_at = clock_timestamp()
  where s.account = p_account and s.id = p_slice and s.run_id = p_run and s.status = 'walking';
  if not found then
    return false;
  end if;
  insert into sync.page (account, slice_id, page_no, cursor, next_cursor, record_key, records, requests, replaced_values,
    has_new_types, is_reread, list, rest)
  values (
    p_account, p_slice, p_page, p_cursor, p_next_cursor, p_record_key, p_records, p_requests, p_replaced, p_has_new_types, p_is_reread,
    case
      when p_record_key is not null then jsonb_build_array(p_body)
      when p_list_key = '' then p_body
      else coalesce(nullif(p_body -> p_list_key, 'null'), '[]')
    end,
    case
      when p_record_key is null and p_list_key <> ''
      then nullif(p_body - array[p_list_key, p_pagination_key], '{}')
    end
  );
  return true;
end
$$;

comment on function sync.store_page is
  'Stores a page of a walking slice: the elements of its list (null is none; with p_record_key the whole body is one record; '
  'with an empty p_list_key the body is the list) and what is beside it and the pagination. False: the slice is no longer the run''s.';
