// How well the name of a path fits the name of a field, 0 to 1: the whole path, as words of both languages.
import { type Word, wordsOf } from './name-words.ts';

/** Names of objects that only hold others. */
const wrappers = new Set(
  'attribute data dato detail detalle field info informacion item meta metric metrica node payload property prop record registro result resultado resumen stat summary value valor ficha bloque block figure cifra overview estadistica indicador content contenido body official oficial principal main headline current actual'.split(
    ' ',
  ),
);

/** Words that say little by themselves: below another object they are about that object. */
const vague = new Set(
  'amount code count dates description id kind label level name point score status text timestamp title total url value share rate rank'.split(
    ' ',
  ),
);

const isVague = (word: Word) => word.concepts.some((concept) => vague.has(concept));

/** Words that make another thing of it, where the field is not named so. */
const others = new Set(
  'count discarded descartado descartada rejected rechazado rechazada provisional beta experimental alpha preview piloto raw bruto legacy shadow internal interno interna draft borrador failed fallido fallida pending pendiente previous anterior deprecated obsoleto stored guardado guardada inserted insertado ingested indexed cached suavizado suavizada smoothed google bing chatgpt gemini perplexity claude copilot ajustado ajustada adjusted movil moving rival competidor competitor competencia test debug cache'.split(
    ' ',
  ),
);

export interface WantedName {
  /** As `expectativa.desde`. */
  readonly names: readonly string[];
  /** Words that say nothing here, because the whole source is about them. */
  readonly subject: readonly Word[];
  /** Concepts that the field's type implies: `at` of a date. */
  readonly implied: ReadonlySet<string>;
  /** Names of objects that are fields by themselves. */
  readonly wholes: readonly Word[];
}

/**
 * The best of a field's names.
 * @param keys of the path, the outermost first
 */
export function nameScore(wanted: WantedName, keys: readonly string[]): number {
  const leaf = wordsOf(keys.at(-1) ?? '');
  const around = keys.slice(0, -1).flatMap((key) => wordsOf(key));
  let best = 0;
  for (const [index, name] of wanted.names.entries()) {
    const words = name.split('.').flatMap((step) => wordsOf(step));
    const score = scoreOf(words, leaf, around, wanted) * (1 - Math.min(index, 12) * 0.012);
    if (score > best) best = score;
  }
  return best;
}

function scoreOf(
  words: readonly Word[],
  leaf: readonly Word[],
  around: readonly Word[],
  wanted: WantedName,
): number {
  let weight = 0;
  let found = 0;
  for (const word of words) {
    // A vague word needs the others.
    const own = isVague(word) && words.length > 1 ? 0.6 : 1;
    weight += own;
    found +=
      own *
      Math.max(likeBest(word, leaf), 0.92 * likeBest(word, around), 0.45 * likeBest(word, wanted.subject));
  }
  if (
    words.length === 0 ||
    Math.max(...words.map((word) => Math.max(likeBest(word, leaf), likeBest(word, around)))) === 0
  ) {
    return 0;
  }
  const recall = found / weight;
  const isLeafNamed = words.some((word) => likeBest(word, leaf) > 0);
  const onlyVague = words.every(isVague);
  const spare = leaf.filter((word) => likeBest(word, words) === 0 && !isImplied(word, wanted)).length;
  const strange = around.filter(
    (word) => likeBest(word, words) === 0 && !isImplied(word, wanted) && !wrappers.has(word.text),
  ).length;
  const foreign = around.filter(
    (word) => likeBest(word, words) === 0 && likeBest(word, wanted.wholes) > 0,
  ).length;
  const odd = leaf.filter(
    (word) =>
      likeBest(word, words) === 0 &&
      !isImplied(word, wanted) &&
      word.concepts.some((concept) => others.has(concept)),
  ).length;
  const cost =
    odd +
    1.5 * foreign +
    (onlyVague ? 0.7 : 0.35) * spare +
    (onlyVague ? 0.7 : 0.2) * strange +
    (isLeafNamed ? 0 : leaf.every(isVague) ? 0.05 : 0.5);
  return recall ** 2 / (1 + cost);
}

/** Words that add nothing. */
const fillers = new Set('comercial trade display public publico visible full completo'.split(' '));

/** A window of time: `_30d`, `last_7_days`. */
const period = /^(?:\d+[a-z]?|d|dia|day|week|semana|month|mes|hora|hour)$/;

function isImplied(word: Word, { subject, implied }: WantedName): boolean {
  if (period.test(word.text) || fillers.has(word.text)) return true;
  return word.concepts.some((concept) => implied.has(concept)) || likeBest(word, subject) >= 0.9;
}

function likeBest(word: Word, others: readonly Word[]): number {
  return others.reduce((best, other) => Math.max(best, like(word, other)), 0);
}

function like(a: Word, b: Word): number {
  if (a.text === b.text) return a.certainty * b.certainty;
  if (a.concepts.some((concept) => b.concepts.includes(concept))) return 0.94 * a.certainty * b.certainty;
  return 0;
}
