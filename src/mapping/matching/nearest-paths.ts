// Finds the paths of a sample nearest to one that leads nowhere. Pure.
import { editDistance } from '../../config/nearest-name.ts';
import { type PlaceBase, parsePlace, printPlace, profileStep } from '../logical/place.ts';
import type { SampleRecord } from './match.ts';
import { profileRecords } from './profile.ts';
import { stepOf } from './rows.ts';

const most = 3;

/**
 * @param rowsPath path of the rows; undefined if records are the rows
 * @param isRows true if the wanted path is itself such a list
 */
export function nearestPaths(
  sample: readonly SampleRecord[],
  wanted: string,
  { rowsPath, isRows }: { readonly rowsPath: string | undefined; readonly isRows: boolean },
): string[] {
  const base = isRows || rowsPath === undefined ? [] : baseOf(rowsPath);
  const target = printPlace({ ...parsePlace(wanted), readers: [] }).toLowerCase();
  const inRecords = profilesOf(sample.map(({ record }) => record)).flatMap(({ path, arrays }) => {
    const isBelow = base.every((step, index) => path[index] === step);
    const steps = isBelow ? path.slice(base.length) : path;
    return isRows && arrays === 0 ? [] : pathOf(isBelow ? 'row' : 'record', steps);
  });
  const envelopes = isRows ? [] : [...new Set(sample.map(({ envelope }) => envelope))];
  const paths = [...inRecords, ...profilesOf(envelopes).flatMap(({ path }) => pathOf('envelope', path))];
  const near = paths.flatMap((path) => {
    const text = path.toLowerCase();
    const far = Math.min(
      farness(text, target),
      // The same name at another place ranks after a path that is spelt alike.
      1 + farness(lastOf(text), lastOf(target)),
    );
    return Number.isFinite(far) ? [{ path, far }] : [];
  });
  return near
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ path }) => path);
}

const profilesOf = (records: readonly unknown[]) =>
  [...profileRecords(records).values()].filter(({ filled }) => filled > 0);

/** Returns undefined if it leads to several values. */
function pathOf(base: PlaceBase, steps: readonly string[]): string[] {
  if (steps.length === 0 || steps.some((step) => step === '[]' || step === '*')) return [];
  return [printPlace({ base, steps: steps.map(stepOf), readers: [] })];
}

/** Returns the number of edits between them; infinite if they are many for its length. */
function farness(text: string, target: string): number {
  const edits = editDistance(text, target);
  return edits <= Math.max(1, Math.floor(target.length / 3)) ? edits : Number.POSITIVE_INFINITY;
}

function baseOf(rowsPath: string): readonly string[] {
  const steps = parsePlace(rowsPath).steps.map(profileStep);
  return steps.at(-1) === '*' ? steps : [...steps, '[]'];
}

const lastOf = (path: string) => path.replace(/^\^+/, '').split('.').at(-1) ?? path;
