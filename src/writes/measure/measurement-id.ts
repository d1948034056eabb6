// By what a measurement is known in the answer that started it, whose shape is not documented, and in its record. Pure.
import { valuesIn } from './record-values.ts';

/** Of the measurement itself: `id`, `medicion_id`, `idMedicion`, `runId`; not `cliente_id`. */
const own = /^_?(id|uuid)$|^id_?(medicion|measurement|run)$|^(medicion|measurement|run)_?(id|uuid)$/i;
const around = /^(medicion|measurement|run|resultado|result|data|datos)$/i;

/** The nearest to the top first. A number that JavaScript cannot hold is none. */
export function measurementIds(value: unknown): readonly string[] {
  const ids = valuesIn(value).filter(
    ({ path, value: id }) =>
      own.test(path.at(-1) ?? '') &&
      path.slice(0, -1).every((name) => around.test(name)) &&
      (typeof id === 'string' ? id.trim() !== '' : Number.isSafeInteger(id)),
  );
  return ids.toSorted((a, b) => a.path.length - b.path.length).map((one) => String(one.value));
}
