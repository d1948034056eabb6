create or replace function sync.without_text(p_value jsonb, p_exact text, p_loose text, p_number text) returns jsonb
  language plpgsql immutable
  as $$
declare
  found text;
begin
  case jsonb_typeof(p_value)
    when 'object' then
      return (
        select coalesce(jsonb_object_agg(
          sync.without_text(to_jsonb(key), p_exact, p_loose, p_number) #>> '{}', sync.without_text(value, p_exact, p_loose, p_number)
        ), '{}') from jsonb_each(p_value)
      );
    when 'array' then
      return (
        select coalesce(jsonb_agg(sync.without_text(value, p_exact, p_loose, p_number) order by place), '[]')
        from jsonb_array_elements(p_value) with ordinality as e (value, place)
      );
    when 'string' then
      found := p_value #>> '{}';
      if p_exact is not null then found := regexp_replace(found, p_exact, '[forgotten]', 'g'); end if;
      if p_loose is not null then found := regexp_replace(found, p_loose, '[forgotten]', 'gi'); end if;
      return to_jsonb(found);
    when 'number' then
      return case when p_value #>> '{}' = p_number then to_jsonb('[forgotten]'::text) else p_value end;
    else
      return p_value;
  end case;
end
$$;

comment on function sync.without_text is
  'A value in which what the patterns match reads [forgotten]: p_exact by letter case, p_loose without; and a number that is p_number.';
