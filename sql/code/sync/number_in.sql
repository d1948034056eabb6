-- Statements one after the other, because each works on what the one before has found: as one expression it took ten
-- times as long. Nothing of schema sync is named, so that readers of a view need no right on it.
-- src/mapping/logical/readers.ts says the same in TypeScript; the currencies are those of src/core/text.ts.
create or replace function sync.number_in(value text, mark text) returns numeric
  language plpgsql immutable parallel safe
  as $$
declare
  plain text;
  digits text;
begin
  -- A plain number with a decimal comma, where that is no group of thousands.
  if mark is distinct from 'point' and value ~ '^-?[0-9]{1,30},([0-9]{1,2}|[0-9]{4,30})$' then
    return translate(value, ',', '.')::numeric;
  elsif octet_length(value) > 80 or value !~ '[0-9]' then
    return null;
  end if;
  plain := translate(value, U&'\2212\00A0\2007\2009\202F\2019', '-    ''');
  if plain ~ '^ *[+-]?[0-9][0-9.,]* *%? *$' or plain ~*
    '^ *[+-]? *(([a-z]{0,3}[$]|s/|:currencies) *)?[+-]?[0-9][0-9., '']* *(%|:currencies)? *$'
  then
    digits := rtrim(substring(plain from '[0-9][0-9., '']*'));
  end if;
  if digits is null then
    -- 3.ª, #3, 3rd
    return substring(plain from '(?i)^ *(?:#|n[º°.])? ?([0-9]{1,9})(?:[.]?[ªº°]|st|nd|rd|th)? *$')::numeric;
  elsif plain ~ '[+-].*[+-]' then
    return null;
  end if;
  if digits ~ '[ '']' then
    if digits !~ '^[1-9][0-9]{0,2}(( [0-9]{3})+|(''[0-9]{3})+)([.,][0-9]+)?$' then
      return null;
    end if;
    digits := translate(digits, ' ''', '');
  elsif mark is null and digits ~ '^[1-9][0-9]{0,2}[.,][0-9]{3}$' then
    -- Both marks would do.
    return null;
  end if;
  if mark is distinct from 'comma' and digits ~ '^([0-9]{1,30}|[1-9][0-9]{0,2}(,[0-9]{3}){1,9})(\.[0-9]{1,30})?$' then
    digits := replace(digits, ',', '');
  elsif mark is distinct from 'point' and digits ~ '^([0-9]{1,30}|[1-9][0-9]{0,2}(\.[0-9]{3}){1,9})(,[0-9]{1,30})?$' then
    digits := translate(digits, ',.', '.');
  else
    return null;
  end if;
  return case when strpos(plain, '-') > 0 then '-' || digits else digits end::numeric;
end
$$;

comment on function sync.number_in is 'A number as people write it: thousands in groups, a currency, a percent sign. Null for a text that could be two numbers, unless mark says whether decimals follow a comma or a point.';
