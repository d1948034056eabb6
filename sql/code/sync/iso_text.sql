-- Statements one after the other, and nothing of schema sync named: as in number_in.
-- src/mapping/logical/readers.ts says the same in TypeScript.
create or replace function sync.iso_text(value text, first text) returns text
  language plpgsql immutable parallel safe
  as $$
declare
  months constant jsonb := '{"jan": "01", "january": "01", "ene": "01", "enero": "01", "feb": "02", "february": "02",
    "febrero": "02", "mar": "03", "march": "03", "marzo": "03", "apr": "04", "april": "04", "abr": "04", "abril": "04",
    "may": "05", "mayo": "05", "jun": "06", "june": "06", "junio": "06", "jul": "07", "july": "07", "julio": "07",
    "aug": "08", "august": "08", "ago": "08", "agosto": "08", "sep": "09", "sept": "09", "september": "09",
    "septiembre": "09", "set": "09", "setiembre": "09", "oct": "10", "october": "10", "octubre": "10", "nov": "11",
    "november": "11", "noviembre": "11", "dec": "12", "december": "12", "dic": "12", "diciembre": "12"}';
  day text;
  clock text;
  hour integer;
  words text[];
begin
  if octet_length(value) not between 8 and 64 then
    return null;
  elsif value ~ '^[1-9][0-9]{9}(\.[0-9]{1,9})?$' then
    return to_char(to_timestamp(value::float8) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  elsif value ~ '^[1-9][0-9]{12}$' then
    return to_char(to_timestamp(value::float8 / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  end if;
  day := lower(translate(value, U&'\00A0\2009\202F', '   ') collate "C");
  if strpos(day, ':') > 0 then
    clock := substring(day from '[0-9]{1,2}:.*$');
    day := left(day, -length(clock));
    clock := rtrim(clock);
    hour := substring(clock from '^[0-9]+');
    if clock !~ '^[0-9]{1,2}:[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,30})?)?( ?[ap][.]? ?m[.]?)?( ?(z|utc|gmt|[+-](0[0-9]|1[0-5])(:?[0-5][0-9])?))?$' then
      return null;
    elsif clock ~ '[ap][.]? ?m' then
      if hour not between 1 and 12 then
        return null;
      end if;
      hour := hour % 12 + case when clock ~ 'p[.]? ?m' then 12 else 0 end;
    end if;
    if hour > 23 then
      return null;
    end if;
    clock := 'T' || lpad(hour::text, 2, '0') || substring(clock from ':[0-9:.,]*[0-9]')
      || coalesce(substring(clock from '[+-].*$'), 'Z');
  end if;
  day := btrim(day, ' ,t');
  if day ~ '^([0-9]{1,4}/[0-9]{1,2}/[0-9]{1,4}|[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,4}|[0-9]{1,4}[.][0-9]{1,2}[.][0-9]{1,4})$' then
    words := string_to_array(translate(day, '/.', '--'), '-');
    if length(words[1]) = 4 and length(words[3]) <= 2 then
      words := array[words[3], words[2], words[1]];
    elsif length(words[1]) > 2 or length(words[3]) < 4 then
      return null;
    elsif first = 'mdy' or first is null and words[2]::integer > 12 then
      words := array[words[2], words[1], words[3]];
    elsif first is null and words[1]::integer <= 12 and words[1]::integer <> words[2]::integer then
      return null;
    end if;
  elsif day ~ '^[0-9]{4}-?w[0-9]{2}$' then
    -- The Monday of the week; the fourth of January is in the first one.
    if left(day, 4) = '0000' or right(day, 2) not between '01' and '53' then
      return null;
    end if;
    return to_char(date_trunc('week', make_date(left(day, 4)::integer, 1, 4)::timestamp) + (right(day, 2)::integer - 1) * interval '7 days', 'YYYY-MM-DD')
      || coalesce(clock, '');
  else
    words := string_to_array(translate(day, ',./-', '    '), ' ');
    words := array_remove(array_remove(array_remove(words, ''), 'de'), 'del');
    if months ? words[1] then
      words := array[words[2], words[1]] || words[3:];
    end if;
    if cardinality(words) <> 3 or words[1] !~ '^[0-9]{1,2}(st|nd|rd|th)?$' or words[3] !~ '^[0-9]{4}$' then
      return null;
    end if;
    words := array[substring(words[1] from '^[0-9]+'), months ->> words[2], words[3]];
  end if;
  return words[3] || '-' || lpad(words[2], 2, '0') || '-' || lpad(words[1], 2, '0') || coalesce(clock, '');
end
$$;

comment on function sync.iso_text is 'A date, or a date and time, as people write it, or since 1970 in seconds or milliseconds, in the form of ISO 8601. The day need not be in the calendar. first says what comes first in 03/04/2026: dmy or mdy.';
