// The answer of `ask` for people. Its fields are not documented (docs/api.md, "Intelligence routes"), so the answer is the
// longest text that is not the question, and what it is based on is the list that says so, or the only one.
import { parseExactly } from '../../core/exact-json.ts';
import { isObject } from '../../core/is-object.ts';
import { oneLine } from '../../core/one-line.ts';
import { wrap } from './wrap.ts';

const saysBasis = /^bas|fuente|source|evid|refer|cita|dato/i;

/**
 * @param body JSON as the server sent it
 * @returns all of the body, indented, where it has no sentence
 */
export function answerLines(body: string, question: string, width: number): string[] {
  const value = parseExactly(body);
  const texts = textsIn(value).filter((text) => /\S\s+\S/.test(text) && !isSame(text, question));
  const longest = texts.reduce((best, text) => (text.length > best.length ? text : best), '');
  if (longest === '') return JSON.stringify(value, null, 2).split('\n');
  const answer = longest
    .trim()
    .split(/\r?\n/)
    .flatMap((line) => wrap(oneLine(line), width));
  const basis = basisOf(value);
  if (basis.length === 0) return answer;
  return [...answer, '', 'Based on:', ...basis.flatMap((text) => wrap(oneLine(text), width, '  - '))];
}

/** Those of lists are no sentences about the whole. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isSame(text: string, question: string): boolean {
  const plain = (some: string) => some.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  return plain(text) === plain(question);
}

function basisOf(value: unknown): string[] {
  const lists = listsIn(value);
  const named = lists.find(({ name }) => saysBasis.test(name));
  const chosen = named ?? (lists.length === 1 ? lists[0] : undefined);
  return chosen === undefined ? [] : chosen.list.map(elementText);
}

function listsIn(value: unknown): { readonly name: string; readonly list: readonly unknown[] }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (Array.isArray(inner)) return inner.length === 0 ? [] : [{ name, list: inner as readonly unknown[] }];
    return listsIn(inner);
  });
}

/** `ruta airank, fecha 2026-04-03`. */
function elementText(element: unknown): string {
  if (typeof element === 'string') return element;
  if (typeof element !== 'object' || element === null || Array.isArray(element))
    return JSON.stringify(element);
  return Object.entries(element)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
