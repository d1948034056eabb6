create or replace function sync.priority_level(priority text) returns integer
  language sql immutable parallel safe
  return case
    when priority ~* '^p?[0-9]{1,4}$' then ltrim(lower(priority), 'p')::integer
    else case lower(translate(priority, 'áéíóúÁÉÍÓÚ-_', 'aeiouAEIOU  '))
      when 'critica' then 1 when 'critico' then 1 when 'critical' then 1 when 'urgente' then 1 when 'urgent' then 1
      when 'maxima' then 1 when 'muy alta' then 1 when 'very high' then 1
      when 'alta' then 2 when 'alto' then 2 when 'high' then 2
      when 'media' then 3 when 'medio' then 3 when 'normal' then 3 when 'medium' then 3 when 'moderate' then 3
      when 'baja' then 4 when 'bajo' then 4 when 'low' then 4
      when 'minima' then 5 when 'muy baja' then 5 when 'very low' then 5 when 'lowest' then 5
    end
  end;

comment on function sync.priority_level is 'A priority as a number to sort by, 1 the most urgent; numbers pass as they come, other words are null.';
