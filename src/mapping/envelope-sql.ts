// Fields that stand beside the list, once for all of its records. They are read where versions are joined by date and
// not stored in each row, so that no row is written because an envelope changed.
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { LogicalSource } from './logical/logical-source.ts';
import { parsePlace } from './logical/place.ts';
import { readSql } from './logical/read-sql.ts';
import type { Mapped } from './mapped.ts';

/** Names of the fields that the mapping finds beside the list. */
export function envelopeFields(source: LogicalSource, mapping: readonly Mapped[]): readonly string[] {
  return placesOf(source, mapping).map(({ field }) => field);
}

/** The scope of the rows that an envelope stands beside, and the date of which it is, as SQL. */
export interface EnvelopeOf {
  readonly account: string;
  readonly clientId: string;
  /** A condition on the envelope's version r that one at most meets. */
  readonly isValid: string;
}

/** A select of these fields, of no row or one. */
export function selectEnvelope(
  source: LogicalSource,
  mapping: readonly Mapped[],
  { account, clientId, isValid }: EnvelopeOf,
): string {
  const values = placesOf(source, mapping).map(
    ({ field, value }) => `${value} as ${escapeIdentifier(field)}`,
  );
  return `select ${values.join(', ')} from snapshot.envelope as r
where r.account = ${account} and r.client_id = ${clientId} and r.record_key = ${escapeLiteral(source.stream)} and ${isValid}
order by r.until limit 1`;
}

/** The same as a from-item e beside others. */
export function joinEnvelope(
  source: LogicalSource,
  mapping: readonly Mapped[],
  envelope: EnvelopeOf,
): string {
  return `left join lateral (\n${selectEnvelope(source, mapping, envelope)}\n) as e on true`;
}

function placesOf(source: LogicalSource, mapping: readonly Mapped[]) {
  return Object.entries(source.fields).flatMap(([field, { type }]) => {
    const path = mapping.find((one) => one.field === field)?.path ?? undefined;
    const place = path === undefined ? undefined : parsePlace(path);
    return place?.base === 'envelope' ? [{ field, value: readSql(type, place, 'r.payload') }] : [];
  });
}
