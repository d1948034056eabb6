create or replace function sync.is_one_off(kind text, reasons text) returns boolean
  language sql immutable parallel safe
  return coalesce(
    lower(translate(kind, '- ', '__')) in (
      'puntual', 'one_off', 'oneoff', 'manual', 'ad_hoc', 'adhoc', 'forzada', 'forzado', 'forced', 'bajo_demanda', 'on_demand'
    ), false
  ) or coalesce(reasons ~* '(puntual|one[-_ ]?off)', false);

comment on function sync.is_one_off is 'Whether a measurement was started by hand (api.md, "Write routes").';
