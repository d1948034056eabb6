create or replace function sync.research_is_running(status text) returns boolean
  language sql immutable parallel safe
  return coalesce(lower(translate(status, ' -', '__')) in (
    'en_curso', 'en_marcha', 'en_proceso', 'procesando', 'iniciada', 'iniciado', 'pendiente', 'en_cola', 'encolada',
    'running', 'in_progress', 'processing', 'started', 'pending', 'queued'
  ), false);

comment on function sync.research_is_running is 'Whether a word says that a prompt research is not finished yet.';
