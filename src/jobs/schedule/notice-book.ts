// Tells people of incidents and of their end: each cause at most once a day, also over restarts.
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { dayMs } from '../../core/run-date.ts';
import type { Notice } from '../../status/notices.ts';
import type { Findings, Incident } from './incidents.ts';

export interface Told {
  readonly state: 'trouble' | 'over' | 'news';
  readonly notice: Notice;
}

export interface NoticeBookOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  load(): Promise<readonly Notice[]>;
  save(notices: readonly Notice[]): Promise<void>;
  /** True: somebody was told. */
  send(told: readonly Told[]): Promise<boolean>;
}

export interface NoticeBook {
  /** Notes what was found; tells nobody yet. */
  note(findings: Findings): void;
  /** Tells what is due and stores it. Never rejects. */
  tell(): Promise<void>;
  lasting(): readonly Notice[];
}

/** As long as the table has them. */
const storedMs = 30 * dayMs;

/** The book lives in memory, and in the database while that answers. */
export function createNoticeBook(options: NoticeBookOptions): NoticeBook {
  const { clock, logger } = options;
  const notices = new Map<string, Notice>();
  const unsaved = new Set<string>();
  let loaded = false;
  let telling: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  const put = (notice: Notice) => {
    notices.set(notice.cause, notice);
    unsaved.add(notice.cause);
  };

  const begin = (incident: Incident) => {
    const known = notices.get(incident.cause);
    if (isNews(incident)) {
      const now = new Date(clock.now());
      const told = { toldAt: known?.toldAt, toldOverAt: undefined };
      // Seen again, it is stored for longer; once a day is enough.
      if (known?.overAt === undefined || clock.now() - known.overAt.getTime() > dayMs)
        put({ ...incident, since: known?.since ?? now, overAt: now, ...told });
      return;
    }
    const lasts = known !== undefined && known.overAt === undefined;
    const same = known?.message === incident.message && known.detail === incident.detail;
    if (lasts && same && known.kind === incident.kind) return;
    put({
      ...incident,
      since: lasts ? known.since : new Date(clock.now()),
      overAt: undefined,
      toldAt: known?.toldAt,
      toldOverAt: known?.toldOverAt,
    });
    if (!lasts)
      logger.warn({
        event: 'trouble.began',
        cause: incident.cause,
        kind: incident.kind,
        message: incident.message,
      });
  };

  const end = (notice: Notice) => {
    put({ ...notice, overAt: new Date(clock.now()) });
    logger.info({ event: 'trouble.over', cause: notice.cause, kind: notice.kind });
  };

  /** Rows of an earlier process, unless this process has newer ones. */
  const load = async () => {
    if (loaded) return;
    for (const notice of await options.load()) {
      const own = notices.get(notice.cause);
      const { toldAt = notice.toldAt, toldOverAt = notice.toldOverAt } = own ?? {};
      notices.set(notice.cause, { ...(own ?? notice), toldAt, toldOverAt });
    }
    loaded = true;
  };

  const save = async () => {
    const some = [...unsaved].flatMap((cause) => notices.get(cause) ?? []);
    await options.save(some);
    for (const notice of some) if (notices.get(notice.cause) === notice) unsaved.delete(notice.cause);
    for (const { cause, overAt } of notices.values()) {
      const isOld = overAt !== undefined && clock.now() - overAt.getTime() > storedMs;
      if (isOld && !unsaved.has(cause)) notices.delete(cause);
    }
  };

  const tellNow = async () => {
    await load().catch((error: unknown) => logger.debug({ event: 'notices.not_loaded', err: error }));
    const due = [...notices.values()].flatMap((notice) => toldOf(notice, clock.now()));
    if (due.length > 0 && (await options.send(due))) {
      const now = new Date(clock.now());
      for (const { state, notice } of due) {
        const current = notices.get(notice.cause) ?? notice;
        put(state === 'over' ? { ...current, toldOverAt: now } : { ...current, toldAt: now });
      }
    }
    await save().catch((error: unknown) => logger.debug({ event: 'notices.not_saved', err: error }));
  };

  return {
    note({ looked, incidents }) {
      for (const incident of incidents) begin(incident);
      const found = new Set(incidents.map((incident) => incident.cause));
      for (const notice of notices.values()) {
        if (notice.overAt === undefined && looked(notice.cause) && !found.has(notice.cause)) end(notice);
      }
    },
    tell() {
      // One after another, so that nothing is told twice; a waiting call also tells what came since.
      next ??= telling.then(() => {
        next = undefined;
        telling = tellNow();
        return telling;
      });
      return next;
    },
    lasting: () => [...notices.values()].filter((notice) => notice.overAt === undefined),
  };
}

function isNews({ kind }: { readonly kind: string }): boolean {
  return kind === 'drift' || kind === 'notice';
}

/** News are sent once. An incident is sent unless it was within a day; its end, if the incident was sent after the last end. */
function toldOf(notice: Notice, nowMs: number): Told[] {
  const toldMs = notice.toldAt?.getTime();
  if (isNews(notice)) return toldMs === undefined ? [{ state: 'news', notice }] : [];
  if (notice.overAt === undefined) {
    return toldMs !== undefined && nowMs - toldMs < dayMs ? [] : [{ state: 'trouble', notice }];
  }
  const endTold =
    notice.toldOverAt !== undefined && toldMs !== undefined && notice.toldOverAt.getTime() >= toldMs;
  return toldMs === undefined || endTold ? [] : [{ state: 'over', notice }];
}
