// airank plan --explain: why the slices of one stream are walked as they are, or wait.
import { groupBy } from '../../core/group-by.ts';
import { count, plural } from '../../core/plural.ts';
import type { Plan, PlannedWalk } from '../../sync/plan/plan.ts';
import type { HeadVerdict } from '../../sync/plan/slice-cost.ts';
import { wrap } from './wrap.ts';

export interface ExplainSettings {
  readonly quietPages: number;
  readonly fullWalkDays: number;
}

const mostNamed = 5;

export function explainLines(plan: Plan, stream: string, settings: ExplainSettings, width: number): string[] {
  const walks = plan.walks.filter((walk) => walk.scope.stream === stream);
  const [first] = walks;
  if (first === undefined) return [`No slice of ${stream} is in this plan.`];
  const groups = [...groupBy(walks, (walk) => reasonOf(walk, plan, settings))];
  const lines = [
    `${stream}: ${plural(walks.length, 'slice')}, places ${placesOf(plan, walks)} of ${count(plan.walks.length)} in the order`,
    ...wrap(orderText(plan, first), width, '  '),
    ...wrap(budgetText(plan), width, '  '),
  ];
  for (const [reason, group] of groups) {
    const named = group.slice(0, mostNamed).map(({ scope }) => scope.clientId || 'the account itself');
    const more = group.length > mostNamed ? ` and ${count(group.length - mostNamed)} more` : '';
    lines.push(...wrap(`${named.join(', ')}${more}: ${reason}`, width, '  - '));
  }
  return lines;
}

function placesOf(plan: Plan, walks: readonly PlannedWalk[]): string {
  const places = walks.map((walk) => plan.walks.indexOf(walk) + 1);
  const [least, most] = [Math.min(...places), Math.max(...places)];
  return least === most ? String(least) : `${count(least)} to ${count(most)}`;
}

function orderText(plan: Plan, walk: PlannedWalk): string {
  if (walk.stream.priority === 'high') {
    return plan.highFirst
      ? 'High priority: walked first every day, because the others still get their turn.'
      : `High priority, but walking it first every day would starve the others: the stalest goes first, and every slice gets its turn within ${plural(plan.withinDays, 'day')}.`;
  }
  return 'Normal priority: the slice that has waited longest goes first.';
}

function budgetText(plan: Plan): string {
  const all = plural(plan.allFull, 'request');
  return plan.fullFits
    ? `Everything in full takes ${all} and fits, so archives are walked in full.`
    : `Everything in full takes ${all}, of these ${count(plan.archivesFull)} for archives, which may take ${count(plan.archivesMay)} a day (AIRANK_FULL_WALK_PERCENT): eligible archives are walked from the head.`;
}

function reasonOf(walk: PlannedWalk, plan: Plan, settings: ExplainSettings): string {
  if (walk.done) return 'done on this run date.';
  const requests = `${walk.firstWalk ? 'at least ' : ''}${plural(walk.requests, 'request')}`;
  const one = walk.requests === 1;
  const fit = {
    now: `fits today, ${requests}.`,
    waits: `waits, ${requests} ${one ? 'does' : 'do'} not fit into what remains today; it comes first on a later day.`,
    never: `is not begun, ${requests} ${one ? 'is' : 'are'} more than a whole day's.`,
  }[walk.fit ?? 'now'];
  const since = walk.lastRunDate === undefined ? 'never published' : `last published ${walk.lastRunDate}`;
  return `${since}; ${kindText(walk, plan, settings)}; ${fit}`;
}

function kindText(walk: PlannedWalk, plan: Plan, settings: ExplainSettings): string {
  const { trust } = walk;
  if (walk.walk === 'details') return 'one request for each new or changed record';
  if (walk.walk === 'head') {
    return (
      `from the head, because changes were within ${plural(Math.max(walk.leastPages - 1, 0), 'page')} of it: at least ${plural(walk.leastPages, 'page')}, ` +
      `then until ${plural(settings.quietPages, 'page')} without anything new; ` +
      (walk.tailUnseen
        ? `all ${plural(walk.fullPages, 'page')} have no room in a day beside the streams of high priority, so its tail is not seen since ${walk.lastFullDate} (raise AIRANK_PER_DAY if the key allows more, or shorten AIRANK_PRIORITY_STREAMS)`
        : `in full every ${daysText(settings.fullWalkDays)}, last ${walk.lastFullDate}`)
    );
  }
  if (plan.fullFits || trust === undefined) return 'in full';
  const why: Record<HeadVerdict, string> = {
    'no archive': 'it is no archive',
    'full demanded': 'a full walk was asked for',
    'published today': 'the data of this run date is replaced',
    'never walked in full': 'there was no full walk yet',
    'not trusted': `${plural(trust.clean, 'full walk')} in a row had ${trust.clean === 1 ? 'its' : 'their'} changes near the head, ${trust.needed} ${trust.needed === 1 ? 'is' : 'are'} needed${trust.surprises > 0 ? ` since ${trust.surprises} of the last ones had not` : ''}`,
    'full walk due': `the last full walk was ${walk.lastFullDate}, and one is due every ${daysText(settings.fullWalkDays)}`,
    'saves nothing': 'its head is the whole list',
    eligible: 'it could be walked from the head',
  };
  return `in full, because ${why[walk.verdict]}`;
}

function daysText(days: number): string {
  return days === 1 ? 'day' : `${count(days)} days`;
}
