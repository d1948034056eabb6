// What the writes of all processes must never show. Pure.
import type { Write } from './audit.ts';

/** Pages that were stored twice, and slices that were published twice, although nobody asked for them again. */
export function twice(writes: readonly Write[]): string[] {
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const { relation, op, account, stream, sliceId, pageNo, process, status, statusBefore } of writes) {
    const isPage = relation === 'page' && op === 'INSERT';
    const isPublished = relation === 'slice' && status === 'complete' && statusBefore !== 'complete';
    if (!isPage && !isPublished) continue;
    const what = isPage ? `page ${pageNo} stored` : 'published';
    const name = `${account} ${stream}, slice ${sliceId}: ${what}`;
    if (seen.has(name)) wrong.push(`${name} once more, by ${process}`);
    seen.add(name);
  }
  return wrong;
}

/** Writes of processes to accounts whose run was taken from them, before they began another one there. */
export function afterTakeover(writes: readonly Write[]): string[] {
  const ownerOf = new Map<number, string>();
  /** `process account` of runs that were given up. */
  const lost = new Map<string, number>();
  /** Accounts whose run another process is about to free, which it may also do after a run of its own was taken there. */
  const givenUp = new Set<string>();
  const wrong: string[] = [];
  for (const write of writes) {
    const { relation, op, process, account, runId, status, statusBefore } = write;
    if (relation === 'run' && op === 'INSERT' && runId !== null) {
      ownerOf.set(runId, process);
      lost.delete(`${process} ${account}`);
      continue;
    }
    const owner = runId === null ? undefined : ownerOf.get(runId);
    const isStop = relation === 'run' && status === 'stopped' && statusBefore === 'running';
    const isOfAnother = relation === 'run' && owner !== undefined && owner !== process;
    if (isStop && isOfAnother && runId !== null) {
      givenUp.delete(account);
      lost.set(`${owner} ${account}`, runId);
      continue;
    }
    if (isOfAnother) {
      givenUp.add(account);
      continue;
    }
    if (givenUp.has(account) && status === 'planned' && statusBefore === 'walking') continue;
    const run = lost.get(`${process} ${account}`);
    if (run !== undefined) {
      const what = `${op} of ${relation} ${write.stream ?? ''} ${write.pageNo ?? ''}`.trim();
      wrong.push(`${process} wrote to ${account} after run ${run} was taken from it: ${what}`);
    }
  }
  return wrong;
}

/** Accounts that two processes worked on at once: one began before the other's run had ended. */
export function atOnce(writes: readonly Write[]): string[] {
  const running = new Map<string, { readonly runId: number; readonly process: string }>();
  const wrong: string[] = [];
  for (const { relation, op, process, account, runId, status } of writes) {
    if (relation !== 'run' || runId === null) continue;
    const now = running.get(account);
    if (op === 'INSERT') {
      if (now !== undefined)
        wrong.push(
          `${account}: run ${runId} of ${process} began while run ${now.runId} of ${now.process} worked`,
        );
      running.set(account, { runId, process });
    } else if (status !== 'running' && now?.runId === runId) running.delete(account);
  }
  return wrong;
}

/** Runs that were taken from their process. */
export function takeovers(writes: readonly Write[]): number {
  const ownerOf = new Map<number, string>();
  const taken = new Set<number>();
  for (const { relation, op, process, runId, status } of writes) {
    if (relation !== 'run' || runId === null) continue;
    if (op === 'INSERT') ownerOf.set(runId, process);
    else if (status === 'stopped' && ownerOf.get(runId) !== process) taken.add(runId);
  }
  return taken.size;
}

/** Processes whose writes have no name: what is judged by names would not see them. */
export function unnamed(writes: readonly Write[]): string[] {
  const found = writes.find(({ process }) => process === '?');
  return found === undefined ? [] : [`a write of an unnamed process, ${found.application}`];
}
