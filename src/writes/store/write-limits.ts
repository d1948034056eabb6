// What the service allows of each kind of write, as the ledger counts it.
import { type RawBuilder, sql } from 'kysely';
import type { Config, WriteConfig } from '../../config/config.ts';
import { dayRenewal } from '../../store/budget/budget-report.ts';

export type WriteKind = 'logs' | 'questions' | 'measurement';

export const writeKinds: readonly WriteKind[] = ['logs', 'questions', 'measurement'];

/** Uploads an hour, questions and measurements a day. */
export function mostOf(kind: WriteKind, writes: WriteConfig): number {
  switch (kind) {
    case 'logs':
      return writes.uploadsPerHour;
    case 'questions':
      return writes.questionsPerDay;
    case 'measurement':
      return writes.measurementsPerDay;
  }
}

type LimitSettings = Pick<Config, 'writes' | 'dayRenewsAtMinutes' | 'learnDayRenewal'>;

/** The two arguments of `sync.write_opens_at` and `sync.start_write` that say the limit: number, and renewal of its day. */
export function limitOf(account: string, kind: WriteKind, config: LimitSettings): RawBuilder<unknown> {
  const renews = kind === 'logs' ? sql`null::interval` : dayRenewal(account, config);
  return sql`${mostOf(kind, config.writes)}::integer, ${renews}`;
}
