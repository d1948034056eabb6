// The model of an agency's account: how many pages each slice has on a day, and what changed on which page.
import { catalog } from '../../src/streams/catalog.ts';
import type { Stream } from '../../src/streams/stream.ts';
import { isArchive } from '../../src/sync/plan/slice-cost.ts';

const pageSize = 200;
/** Archives are this old when the warehouse begins. */
const daysBefore = 30;
/** One measurement a client and week, 10 answers each, 2 citations an answer. */
const perClientAndDay: Readonly<Record<string, number>> = {
  mediciones: 1 / 7,
  respuestas: 10 / 7,
  citas: 20 / 7,
  experiments: 0.01,
  optimizer: 0.02,
  triggers: 0.05,
};
/** Records a day of the account itself, or of one client where the stream is per client. */
const perDay: Readonly<Record<string, number>> = {
  airank_history: 1 / 7,
  visibility_history: 2 / 7,
  agent_memory: 3,
  agent_runs: 3,
  agent_run_traces: 3,
};
/** An old record changes on one day of 200, anywhere in an archive. */
const deepChangesADay = 1 / 200;

export const streams: readonly Stream[] = catalog.filter(
  (stream) => stream.source.kind === 'walk' || stream.source.kind === 'details',
);

export interface Slot {
  readonly stream: Stream;
  readonly growth: number;
  /** Records at the last publish. */
  seen: number;
  /** Old records that changed since. */
  pending: number[];
}

export interface World {
  slot(stream: Stream, clientId: string): Slot;
  /** Old records change. */
  newDay(day: number): void;
  records(slot: Slot, day: number): number;
  pages(slot: Slot, day: number): number;
  /** Records by page that differ from what was published last. */
  changes(slot: Slot, day: number): Map<number, number>;
  /** A walk of the first `end` pages was published. */
  publish(slot: Slot, day: number, end: number): void;
}

export function createWorld(clients: number, random: () => number): World {
  const slots = new Map<string, Slot>();
  const archives: Slot[] = [];
  const records = (slot: Slot, day: number) => Math.floor(slot.growth * (daysBefore + day));
  const pageOf = (slot: Slot, day: number, record: number) =>
    Math.floor((records(slot, day) - 1 - record) / pageSize) + 1;

  return {
    slot: (stream, clientId) => {
      const key = `${stream.name} ${clientId}`;
      const known = slots.get(key);
      if (known !== undefined) return known;
      const growth = (perDay[stream.name] ?? 0) + (perClientAndDay[stream.name] ?? 0) * clients;
      const slot: Slot = { stream, growth, seen: 0, pending: [] };
      slots.set(key, slot);
      if (isArchive(stream) && growth * 365 > pageSize) archives.push(slot);
      return slot;
    },
    newDay: (day) => {
      for (const slot of archives) {
        if (random() >= deepChangesADay) continue;
        const record = Math.floor(random() * records(slot, day));
        if (record < slot.seen) slot.pending.push(record);
      }
    },
    records,
    pages: (slot, day) => {
      if (slot.stream.source.kind === 'details') return Math.max(records(slot, day) - slot.seen, 0);
      if (isArchive(slot.stream)) return Math.max(Math.ceil(records(slot, day) / pageSize), 1);
      if (slot.stream.name === 'clientes') return Math.max(Math.ceil(clients / pageSize), 1);
      return slot.stream.list.kind === 'none' || slot.stream.perClient ? 1 : 2;
    },
    changes: (slot, day) => {
      const changes = new Map<number, number>();
      // Counts what came since, and one day's growth more, as the batch before was still running when it was published.
      const fresh = Math.min(records(slot, day) - slot.seen + Math.ceil(slot.growth), records(slot, day));
      for (let page = 1, left = fresh; left > 0; page += 1, left -= pageSize)
        changes.set(page, Math.min(left, pageSize));
      for (const record of slot.pending) {
        const page = pageOf(slot, day, record);
        changes.set(page, (changes.get(page) ?? 0) + 1);
      }
      return changes;
    },
    publish: (slot, day, end) => {
      slot.pending = slot.pending.filter((record) => pageOf(slot, day, record) > end);
      slot.seen = records(slot, day);
    },
  };
}
