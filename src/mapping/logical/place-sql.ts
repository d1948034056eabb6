// A place as SQL: the from-items that reach the rows and the elements of lists, and the jsonb value of a step.
import { escapeLiteral } from 'pg';
import type { Step } from './place.ts';

interface Reached {
  readonly items: readonly string[];
  readonly value: string;
  readonly positions: readonly string[];
  /** Key of the innermost map entry; undefined if the steps pass through no map. */
  readonly key: string | undefined;
}

/** @param prefix start of the aliases, which are numbered from 1 */
export function reach(base: string, steps: readonly Step[], prefix: string): Reached {
  let value = base;
  let key: string | undefined;
  const items: string[] = [];
  const positions: string[] = [];
  for (const step of steps) {
    switch (step.kind) {
      case 'name':
        // `->` only: `#>` would take the key "0" for an array index.
        value = `${value} -> ${escapeLiteral(step.name)}`;
        break;
      case 'index':
        value = `${value} -> ${step.index}`;
        break;
      case 'each':
      case 'entry': {
        const alias = `${prefix}${items.length + 1}`;
        items.push(step.kind === 'each' ? elementsOf(`(${value})`, alias) : entriesOf(`(${value})`, alias));
        positions.push(`${alias}.position`);
        if (step.kind === 'entry') key = `${alias}.key`;
        value = `${alias}.value`;
        break;
      }
      case 'key':
      case 'value':
        break;
    }
  }
  return { items, value, positions, key };
}

/** Returns the steps of a data path, in which `[]` is each element of an array. */
export function stepsOf(path: readonly string[]): readonly Step[] {
  return path.map((name) => (name === '[]' ? { kind: 'each' } : { kind: 'name', name }));
}

/** Returns the steps to the rows, adding the last `[]` that a path may leave out. */
export function rowSteps(steps: readonly Step[]): readonly Step[] {
  const last = steps.at(-1)?.kind;
  return last === 'each' || last === 'entry' ? steps : [...steps, { kind: 'each' }];
}

/** Splits steps at the first array that they pass through. */
export function toFirstArray(
  steps: readonly Step[],
): readonly [before: readonly Step[], from: readonly Step[]] {
  const at = steps.findIndex(({ kind }) => kind === 'each');
  return [steps.slice(0, at), steps.slice(at)];
}

function elementsOf(value: string, alias: string): string {
  return `jsonb_array_elements(case jsonb_typeof${value} when 'array' then ${value} end) with ordinality as ${alias} (value, position)`;
}

function entriesOf(value: string, alias: string): string {
  return `jsonb_each(case jsonb_typeof${value} when 'object' then ${value} end) with ordinality as ${alias} (key, value, position)`;
}
