// The metrics of an unattended process for Prometheus.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { groupBy } from '../../core/group-by.ts';
import type { OpenBatch, WorkerLine } from '../../queue/queue-report.ts';
import type { Freshness } from '../../status/status-report.ts';
import type { BatchSummary } from '../../sync/run/summary.ts';
import type { SyncEvent } from '../../sync/run/sync-options.ts';
import type { OpenWrites, WriteTally, WriteUse } from '../../writes/store/list-writes.ts';
import type { SchedulerState } from './scheduler.ts';

interface SeenWrites {
  readonly tallies: readonly WriteTally[];
  readonly open: readonly OpenWrites[];
  readonly uses: readonly WriteUse[];
}

const ended = ['accepted', 'refused', 'unknown'];

/** @param labelOf the account, or `all` where there are too many for a series each */
function createWriteMetrics(
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
    help: 'Writes that wait, are on their way, or need a decision (refused, unknown).',
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

export interface Metrics {
  readonly registry: Registry;
  onEvent(event: SyncEvent): void;
  onRun(summary: Pick<BatchSummary, 'job' | 'status' | 'started_at' | 'finished_at'>): void;
  onBrokenRun(job: string): void;
  onState(state: SchedulerState): void;
  onDatabase(isUp: boolean): void;
  onFreshness(freshness: readonly Freshness[]): void;
  onBudgets(remainingToday: ReadonlyMap<string, number>): void;
  onQueue(batches: readonly OpenBatch[], workers: readonly WorkerLine[]): void;
  /** Time since the first moment of the schedule that still has no success; 0: there is none. */
  onLag(job: string, lagMs: number): void;
  onLastSuccess(job: string, at: Date): void;
  onWrites(seen: SeenWrites): void;
  onIncidents(byKind: ReadonlyMap<string, number>): void;
  onWebhook(webhook: string, delivered: boolean): void;
}

/** From this many accounts on, one series shows all together: a label each would be too many. */
const mostByAccount = 100;

/** @param accounts returns their present number */
export function createMetrics(accounts: () => number): Metrics {
  const byAccount = () => accounts() < mostByAccount;
  const labelOf = (account: string) => (byAccount() ? account : 'all');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name, help, labelNames, registers });

  const requests = counter(
    'airank_requests_total',
    'Attempts by status of the answer; none: no answer came.',
    ['account', 'status'],
  );
  const records = counter('airank_records_total', 'Records published, by what became of them.', [
    'account',
    'change',
  ]);
  const slices = counter('airank_slices_total', 'Slices by how they ended.', ['account', 'end']);
  const runs = counter('airank_runs_total', 'Runs by job and status.', ['job', 'status']);
  const webhooks = counter('airank_webhooks_total', 'Messages to webhooks.', ['webhook', 'result']);
  const duration = new Histogram({
    name: 'airank_run_duration_seconds',
    help: 'How long runs took.',
    labelNames: ['job'],
    buckets: [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800],
    registers,
  });
  const budget = gauge('airank_budget_remaining_requests', 'Requests of the day that jobs may still spend.', [
    'account',
  ]);
  const published = gauge(
    'airank_stream_published_timestamp_seconds',
    'When the stream was published last; its age is time() minus this.',
    ['account', 'stream'],
  );
  let ages: readonly Freshness[] = [];
  new Gauge({
    name: 'airank_stream_age_seconds',
    help: 'Age of what is published of the stream.',
    labelNames: ['account', 'stream'],
    registers,
    collect() {
      this.reset();
      for (const { account, stream, completedAt } of ages) {
        this.set({ account, stream }, Math.max(Date.now() - completedAt.getTime(), 0) / 1000);
      }
    },
  });
  const lag = gauge(
    'airank_job_lag_seconds',
    'How long the schedule waits for a success: since the first moment without one.',
    ['job'],
  );
  const success = gauge('airank_job_last_success_timestamp_seconds', 'When the job succeeded last.', ['job']);
  const working = gauge('airank_scheduler_working', '1: runs what is due; 0: stands by or cannot.', []);
  const databaseUp = gauge('airank_database_up', '1: the database answered a few seconds ago.', []);
  const queued = gauge(
    'airank_queue_accounts',
    'Accounts of open batches: waiting, running, deferred, failed.',
    ['state'],
  );
  const oldestDue = gauge(
    'airank_queue_oldest_due_seconds',
    'How long the oldest account run that may begin waits.',
    [],
  );
  const workers = gauge('airank_workers', 'Workers by state.', ['state']);
  const incidents = gauge('airank_incidents', 'Incidents that last, by kind.', ['kind']);

  return {
    registry,
    onEvent(event) {
      if (event.kind === 'request') {
        requests.inc({ account: labelOf(event.account), status: String(event.status ?? 'none') });
        if (event.remainingToday !== undefined && byAccount())
          budget.set({ account: event.account }, event.remainingToday);
      }
      if (event.kind !== 'slice') return;
      const { account, end, already, inserted, changed, vanished, unchanged } = event.outcome;
      if (already) return;
      slices.inc({ account: labelOf(account), end });
      for (const [change, count] of Object.entries({ inserted, changed, vanished, unchanged })) {
        if (count > 0) records.inc({ account: labelOf(account), change }, count);
      }
    },
    onRun({ job, status, started_at, finished_at }) {
      runs.inc({ job, status });
      duration.observe({ job }, (Date.parse(finished_at) - Date.parse(started_at)) / 1000);
    },
    onBrokenRun: (job) => runs.inc({ job, status: 'broken' }),
    onState(state) {
      working.set(state === 'working' ? 1 : 0);
    },
    onDatabase: (isUp) => databaseUp.set(isUp ? 1 : 0),
    onFreshness(freshness) {
      ages = byAccount() ? freshness : oldestOfAll(freshness);
      // A stream of which every client left is no longer among them.
      published.reset();
      for (const { account, stream, completedAt } of ages) {
        published.set({ account, stream }, completedAt.getTime() / 1000);
      }
    },
    onBudgets(remainingToday) {
      budget.reset();
      if (byAccount()) for (const [account, left] of remainingToday) budget.set({ account }, left);
      else
        budget.set(
          { account: 'all' },
          [...remainingToday.values()].reduce((sum, left) => sum + left, 0),
        );
    },
    onQueue(batches, lines) {
      for (const state of ['waiting', 'running', 'deferred', 'failed'] as const)
        queued.set(
          { state },
          batches.reduce((sum, batch) => sum + batch[state], 0),
        );
      const due = batches.flatMap(({ oldest_due: at }) => at?.getTime() ?? []);
      oldestDue.set(due.length === 0 ? 0 : Math.max(Date.now() - Math.min(...due), 0) / 1000);
      for (const state of ['working', 'waiting', 'stopping', 'dead'] as const)
        workers.set({ state }, lines.filter((line) => line.kinds.length > 0 && line.state === state).length);
    },
    onLag: (job, lagMs) => lag.set({ job }, lagMs / 1000),
    onLastSuccess: (job, at) => success.set({ job }, at.getTime() / 1000),
    onWrites: createWriteMetrics(registry, labelOf),
    onIncidents(byKind) {
      incidents.reset();
      for (const [kind, count] of byKind) incidents.set({ kind }, count);
    },
    onWebhook: (webhook, delivered) => webhooks.inc({ webhook, result: delivered ? 'delivered' : 'failed' }),
  };
}

/** The oldest of each stream, as one account. */
function oldestOfAll(freshness: readonly Freshness[]): readonly Freshness[] {
  const oldest = new Map<string, Freshness>();
  for (const one of freshness) {
    const known = oldest.get(one.stream);
    if (known === undefined || one.completedAt < known.completedAt)
      oldest.set(one.stream, { ...one, account: 'all' });
  }
  return [...oldest.values()];
}
