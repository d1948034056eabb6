// What is not fine with an account, in sentences that end with what to do. Pure.
import { count, moment, plural } from '../core/text.ts';
import type { AccountStatus, LackingStream } from './account-status.ts';
import type { ScopeState } from './judge-scope.ts';

const mostNamed = 4;

export function problemsOf(account: AccountStatus): string[] {
  const texts = [...deadRuns(account), ...lackingTexts(account)];
  return texts.map((text) => `Account ${account.account}: ${text}`);
}

/** None while another run works on the account: it goes on where the dead one stopped. */
function deadRuns({ runs }: AccountStatus): string[] {
  if (runs.some((run) => run.is_alive)) return [];
  return runs.map(
    ({ run_id: id, job, started_at: begun }) =>
      `run ${id} of ${job}, begun ${moment(begun)}, died on the way. ` +
      'Run: airank sync, which goes on where it stopped',
  );
}

function lackingTexts(account: AccountStatus): string[] {
  const { lacking, published, run_date: date, age_days: age } = account;
  if (date === null) return lacking.length === 0 ? [] : ['never synced. Run: airank sync'];
  const of = (state: ScopeState) => lacking.filter((one) => one.state === state);
  const slices = (some: readonly LackingStream[]) => some.reduce((sum, one) => sum + one.slices, 0);
  const [future, failed, unfinished] = [of('future'), of('failed'), of('unfinished')];
  const [never, stale] = [of('never_synced'), of('stale')];
  const isOld = age !== null && account.stale_after_days < age;
  return [
    ...(future.length === 0
      ? []
      : [
          `${date > (published ?? '') ? `run date ${date}` : `published ${published}`} is in the future, so nothing says ` +
            'how today is, and syncs of earlier dates are refused once it is published',
        ]),
    ...(failed.length === 0
      ? []
      : [`${plural(slices(failed), 'slice')} of ${date} failed. Run: airank sync`]),
    ...(unfinished.length === 0
      ? []
      : [
          `${plural(slices(unfinished), 'slice')} of ${date} ${slices(unfinished) === 1 ? 'is' : 'are'} not finished, ` +
            `and nothing works on ${slices(unfinished) === 1 ? 'it' : 'them'}. Run: airank sync`,
        ]),
    ...(never.length === 0
      ? []
      : [
          `never synced: ${named(never)}. Run: airank sync, or switch off what is not wanted (streams.NAME.enabled: false)`,
        ]),
    ...(stale.length === 0
      ? []
      : isOld
        ? [`nothing newer than ${published} is published, ${plural(age, 'day')} ago. Run: airank sync`]
        : [`stale: ${named(stale)}. airank plan shows whether the budget has room for them`]),
  ];
}

/** `citas, demand (3 of 12 slices), prompts and 20 more`. */
function named(streams: readonly LackingStream[]): string {
  const shown = streams
    .slice(0, mostNamed)
    .map(({ stream, slices, of }) =>
      slices === of ? stream : `${stream} (${count(slices)} of ${plural(of, 'slice')})`,
    );
  const hidden = streams.length - shown.length;
  return `${shown.join(', ')}${hidden === 0 ? '' : ` and ${plural(hidden, 'more stream')}`}`;
}
