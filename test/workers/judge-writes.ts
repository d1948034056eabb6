// Finds what the writes of all processes must never show. Pure.
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

/**
 * Writes under a run that is another process's or has ended, and slices that are taken from a run that has not.
 * Whoever finds a process dead may give its runs up, then free their slices and stop them, and nothing else. A row
 * that names no run is of the run of its transaction, else of the newest that its process has of the account.
 */
export function underOtherRuns(writes: readonly Write[]): string[] {
  const ownerOf = new Map<number, string>();
  const newest = new Map<string, number>();
  const givenUp = new Set<number>();
  const ended = new Set<number>();
  const runOf = new Map(
    writes.flatMap(({ xact, runId }) => (runId === null ? [] : [[xact, runId] as const])),
  );
  const wrong: string[] = [];
  for (const write of writes) {
    const { n, relation, op, process, account, runBefore, status, statusBefore } = write;
    const own = `${process} ${account}`;
    const runId = write.runId ?? runBefore ?? runOf.get(write.xact) ?? newest.get(own) ?? 0;
    if (relation === 'run' && op === 'INSERT') {
      ownerOf.set(runId, process);
      newest.set(own, runId);
      continue;
    }
    // A process that lost the database begins the same run again.
    if (relation === 'run' && status === 'running') ended.delete(runId);
    const owner = ownerOf.get(runId);
    const isTaken =
      relation === 'slice' && statusBefore === 'walking' && runBefore !== null && runBefore !== runId;
    const isFreed = relation === 'slice' && statusBefore === 'walking' && write.runId === null;
    const isStopped = relation === 'run' && status === 'stopped';
    const mayFree = givenUp.has(runId) && (isFreed || isStopped);
    if (relation === 'run' && status === 'running' && write.isGivenUp) givenUp.add(runId);
    else if (ended.has(runId) || (owner !== process && !mayFree) || (isTaken && !ended.has(runBefore))) {
      const what = `${op} of ${relation} ${write.stream ?? ''} ${write.pageNo ?? ''}`.trim();
      const taken = isTaken ? `, from run ${runBefore} of ${ownerOf.get(runBefore)}` : '';
      wrong.push(
        `${n}: ${process} wrote to ${account} under run ${runId} of ${owner ?? 'nobody'}: ${what}${taken}`,
      );
    }
    if (relation === 'run' && status !== 'running') ended.add(runId);
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
