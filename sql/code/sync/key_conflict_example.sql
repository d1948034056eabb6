-- One record whose key was missing or repeated, in words. Its record key holds its content hash (see publishing).
create or replace function sync.key_conflict_example(p_stream text, p_run_date date) returns text
  language plpgsql stable
  as $$
declare
  first_account constant text := (
    select account from sync.slice
    where stream = p_stream and run_date = p_run_date and key_conflicts > 0 and completed_at is not null
    order by account limit 1
  );
  -- "id", or "id, lang" where two fields are the key.
  key_name constant text := coalesce((
    select nullif(string_agg(sync.path_text(array(select jsonb_array_elements_text(path))), ', ' order by place), '')
    from sync.stream s cross join lateral jsonb_array_elements(s.record_key) with ordinality as k (path, place)
    where s.account = first_account and s.stream = p_stream
  ), 'key');
  example text;
begin
  execute format('
    with scope as (
      select account, client_id from sync.slice
      where account = $4 and stream = $1 and run_date = $2 and key_conflicts > 0 and completed_at is not null
      order by client_id limit 1
    ), settled as (
      select left(r.record_key, strpos(r.record_key, ''~'' || encode(r.hash, ''hex'')) - 1) as key, r.payload
      from scope s join snapshot.%I r on r.account = s.account and r.client_id = s.client_id
      where r.run_date <= $2 and r.until > $2 and strpos(r.record_key, ''~'' || encode(r.hash, ''hex'')) > 0
    ), counted as (
      select key, count(*) as records, min(payload::text) as payload from settled group by key
    )
    select case when key = '''' then $3 || '' missing: '' || left(payload, 80)
      else $3 || '' '' || left(key, 80) || '': '' || records || case records when 1 then '' record'' else '' records'' end end
    from counted order by records desc, key limit 1', p_stream)
  into example using p_stream, p_run_date, key_name, first_account;
  return example;
end
$$;

comment on function sync.key_conflict_example is
  'One record of the stream and run date whose key was missing or repeated, in words.';
