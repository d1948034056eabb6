// Finds the words of the table that fit the outcome of a run.
import { lacking, type Shown, same } from './look.ts';
import type { End } from './wanted-types.ts';

export interface Came {
  readonly exit: number;
  readonly shown: Shown;
  /** Records that were visible before the run. */
  readonly before: readonly string[];
  readonly truth: readonly string[];
  /** The truth at the beginning of the run, where walking changes it. */
  readonly least: readonly string[];
  /** Records that the answer under attack states; undefined: nothing that could be believed. */
  readonly claim: readonly string[] | undefined;
}

export function endsThatFit(came: Came): End[] {
  const { exit, shown, before, truth, least, claim } = came;
  const isComplete = exit === 0 && shown.status === 'complete';
  const isAsBefore = same(shown.records, before);
  const fits: Record<End, boolean> = {
    truth: isComplete && same(shown.records, truth),
    claim: isComplete && claim !== undefined && same(shown.records, claim),
    'claim in need':
      exit === 1 &&
      shown.status === 'failed' &&
      claim !== undefined &&
      same(shown.records, claim) &&
      isInWords(shown.error),
    'no data': exit === 0 && shown.status === 'unavailable' && isAsBefore,
    failed: exit === 1 && shown.status === 'failed' && isAsBefore && isInWords(shown.error),
    deferred: exit === 3 && shown.status === 'deferred' && isAsBefore,
    'at least':
      isComplete && lacking(least, shown.records).length === 0 && lacking(shown.records, truth).length === 0,
    others:
      (exit === 0 || exit === 1) &&
      lacking(truth, shown.records).length <= 1 &&
      lacking(shown.records, [...truth, ...before]).length === 0,
  };
  return (Object.keys(fits) as End[]).filter((end) => fits[end]);
}

/** One line of what came, for whoever reads the report. */
export function describe({ exit, shown, before, truth, claim }: Came): string {
  const labels = [
    same(shown.records, truth) ? 'the truth' : '',
    same(shown.records, before) ? 'as before' : '',
    claim !== undefined && same(shown.records, claim) ? 'the claim' : '',
  ].filter((label) => label !== '');
  const data = labels.length > 0 ? labels.join(' = ') : 'neither truth nor before nor claim';
  const lost = `${lacking(truth, shown.records).length} of the truth missing, ${lacking(shown.records, truth).length} beside it`;
  const error = shown.error === '' ? '' : `; ${shown.error.slice(0, 160)}`;
  return `exit ${exit}, ${shown.status}, ${shown.records.length} records: ${data} (${lost})${error}`;
}

function isInWords(error: string): boolean {
  return error.trim() !== '' && !/\n\s+at /.test(error);
}
