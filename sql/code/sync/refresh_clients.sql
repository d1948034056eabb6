-- One process at a time, so that none writes what it read before another's commit. Returns how many rows it changed.
create or replace function sync.refresh_clients(p_account text) returns bigint
  language plpgsql
  -- Publishing switches nested loops off.
  set enable_nestloop = on
  set jit = off
  -- Of one account only that one's rows are to be read.
  set plan_cache_mode = force_custom_plan
  as $$
declare
  changed bigint;
begin
  perform pg_advisory_xact_lock(hashtext('airank'), hashtext('clients'));
  with listed as materialized (
    -- One row a client, even if the list holds it twice.
    select account, client_id, min(name) as listed_name, min(left_on) as left_on, range_intersect_agg(absence) as absence,
      min(sector) as client_sector, min(country) as client_country
    from (
      select account, coalesce(id, record_key) as client_id, name, null::date as left_on, null::datemultirange as absence, sector, country
      from bi_map.clients where coalesce(id, record_key) <> ''
      union all
      -- One that left has its last name.
      select a.account, v.client_id, v.name, v.left_on, v.absence, v.sector, v.country
      from (
        select account, min(run_date) as since from sync.slice where stream = 'clientes' and vanished > 0 group by account
      ) as a
      cross join lateral (
        select coalesce(id, record_key) as client_id, (array_agg(name order by until desc, name))[1] as name,
          (array_agg(sector order by until desc, sector))[1] as sector, (array_agg(country order by until desc, country))[1] as country,
          nullif(max(until), 'infinity') as left_on,
          datemultirange(daterange(min(from_date), null)) - range_agg(daterange(from_date, nullif(until, 'infinity'))) as absence
        from bi_map.clients_version
        -- A version that ended before any client left is no absence.
        where account = a.account and until >= a.since and coalesce(id, record_key) <> ''
        group by coalesce(id, record_key)
        offset 0
      ) as v
      where v.absence <> '{}'
      union all
      -- The account by its own figures; the configuration's name where they have none.
      select n.account, '', coalesce(o.name, n.account), null, null, null, null
      from (select distinct account from sync.newest) as n
      left join (
        select account, (array_agg(name order by place, name))[1] as name
        from (
          select account, name, 1 as place from bi_map.visibility_now_version where slice_client_id = '' and until = 'infinity'
          union all
          select account, name, 2 from bi_map.rank_now_version where slice_client_id = '' and until = 'infinity'
        ) as r
        where name is not null
        group by account
      ) as o using (account)
    ) as c
    where p_account is null or account = p_account
    group by account, client_id
  ), gone as (
    delete from sync.client as c
    where (p_account is null or c.account = p_account)
      and not exists (select from listed as l where l.account = c.account and l.client_id = c.client_id)
    returning 1
  ), written as (
    insert into sync.client as c (account, client_id, listed_name, left_on, absence, client_sector, client_country)
    select account, client_id, listed_name, left_on, absence, client_sector, client_country from listed
    on conflict (account, client_id) do update set listed_name = excluded.listed_name, left_on = excluded.left_on,
      absence = excluded.absence, client_sector = excluded.client_sector, client_country = excluded.client_country
    where (c.listed_name, c.left_on, c.absence, c.client_sector, c.client_country)
      is distinct from (excluded.listed_name, excluded.left_on, excluded.absence, excluded.client_sector, excluded.client_country)
    returning 1
  )
  select (select count(*) from gone) + (select count(*) from written) into changed;
  return changed;
end
$$;

comment on function sync.refresh_clients is
  'Brings sync.client up to date with what it is read from, for one account or, where it is null, for all. Call it in the transaction that changes that.';
