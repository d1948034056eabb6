// What Prometheus sees of what is sent, as the database has it.
import { Counter, Gauge, type Registry } from 'prom-client';
import { groupBy } from '../../core/group-by.ts';
import type { OpenWrites, WriteTally, WriteUse } from '../../writes/store/list-writes.ts';

export interface SeenWrites {
  readonly tallies: readonly WriteTally[];
  readonly open: readonly OpenWrites[];
  readonly uses: readonly WriteUse[];
}

const ended = ['accepted', 'refused', 'unknown'];

/** @param labelOf the account, or `all` where there are too many for a series each */
export function createWriteMetrics(
  registry: Registry,
  labelOf: (account: string) => string,
): (seen: SeenWrites) => void {
  const registers = [registry];
  const labelNames = ['account', 'kind', 'status'];
  const total = new Counter({
    name: 'airank_writes_total',
    help: 'Uploads, requests with questions and measurements by how they ended.',
    labelNames,
    registers,
  });
  const openWrites = new Gauge({
    name: 'airank_writes_open',
    help: 'Those that wait, are on their way, or need a decision (refused, unknown).',
    labelNames,
    registers,
  });
  const limit = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['account', 'kind'], registers });
  const used = limit(
    'airank_write_limit_used',
    'Uploads in the last 60 minutes; questions and measurements of the day.',
  );
  const most = limit(
    'airank_write_limit',
    'Most uploads in 60 minutes; most questions and measurements a day.',
  );

  return ({ tallies, open, uses }) => {
    total.reset();
    openWrites.reset();
    used.reset();
    most.reset();
    for (const { account, kind, status, writes } of tallies.filter((one) => ended.includes(one.status)))
      total.inc({ account: labelOf(account), kind, status }, writes);
    for (const { account, kind, status, writes } of open)
      openWrites.inc({ account: labelOf(account), kind, status }, writes);
    for (const group of groupBy(uses, (use) => `${labelOf(use.account)} ${use.kind}`).values()) {
      const [first] = group;
      if (first === undefined) continue;
      const labels = { account: labelOf(first.account), kind: first.kind };
      used.set(
        labels,
        group.reduce((sum, use) => sum + use.used, 0),
      );
      most.set(
        labels,
        group.reduce((sum, use) => sum + use.most, 0),
      );
    }
  };
}
