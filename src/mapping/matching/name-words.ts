// Splits names of fields into words, and words into concepts, so that `fec_medicion`, `measuredOn` and `Fecha medición`
// come close.
import { nameWords } from '../../streams/identifier-paths.ts';
import { abbreviations, conceptsOf, phrases } from './words.ts';

/** A word and the concepts it may stand for; an unknown word stands for itself. */
export interface Word {
  readonly text: string;
  readonly concepts: readonly string[];
  /** Concepts that it stands for here; default: all. */
  readonly senses?: readonly string[];
  /** 1 for the word itself, less for an abbreviation or inflection. */
  readonly certainty: number;
}

const articles = new Set(
  'los las en in a y and is es has por para con se by for que su sus its our up off out but pero'.split(' '),
);

const memory = new Map<string, readonly Word[]>();

/** Returns the words of a name, without articles. */
export function wordsOf(name: string): readonly Word[] {
  const known = memory.get(name);
  if (known !== undefined) return known;
  const words = plainWords(name).map(wordOf);
  if (memory.size > 5_000) memory.clear();
  memory.set(name, words);
  return words;
}

function plainWords(name: string): string[] {
  // `per100` is two words, `v1` is one.
  let text = nameWords(name)
    .join(' ')
    .replace(/(\p{L}{3,})(\d+)/gu, '$1 $2');
  for (const [phrase, word] of phrases) text = ` ${text} `.replaceAll(` ${phrase} `, ` ${word} `).trim();
  // `respondida_en` is `answered_at`.
  text = text.replace(/(?<=(?:[ai]d|it|st|ch|rt|lt)[ao]s?) en$/, ' at');
  // `cited_not_crawled` is about what is not crawled.
  const words = text
    .replace(/(?<=^| )(?:(?:no|not|non|sin|without) |un(?=\S{4}))(\S+)/g, (whole, word) =>
      isWord(word) || beginnings(word).length > 0 ? not + word : whole,
    )
    .split(' ')
    .filter((word) => word !== '');
  const telling = words.filter((word) => !articles.has(word));
  return telling.length === 0 ? words : telling;
}

/** Prefix that negates the word after it. */
const not = 'not:';

/** True for a word with a meaning, singular or plural, or its abbreviation; not for any beginning of one. */
export const isWord = (text: string): boolean =>
  abbreviations.has(text) || [text, ...singulars(text)].some((form) => conceptsOf.has(form));

function wordOf(text: string): Word {
  if (text.startsWith(not)) {
    const { concepts, certainty } = wordOf(text.slice(not.length));
    return { text, concepts: concepts.map((one) => `${not}${one}`), certainty };
  }
  const full = abbreviations.get(text) ?? text;
  const begun = beginnings(full);
  for (const form of [full, ...singulars(full)]) {
    const concepts = conceptsOf.get(form);
    // `pres` is no plural of `pre`.
    if (form !== full && form.length < 4 && begun.length > 0) continue;
    if (concepts !== undefined) return { text: form, concepts: [...concepts, form], certainty: 1 };
  }
  // `dims` is a plural of a shortened word.
  const cut = [begun, ...singulars(full).map(beginnings)].find((concepts) => concepts.length > 0);
  if (cut !== undefined)
    return { text: full, concepts: [...cut, full], certainty: full.length < 4 ? 0.85 : 0.93 };
  return { text: full, concepts: [full, ...singulars(full)], certainty: 1 };
}

/** True if a name counts several things and is not a share of them: `errores`, `server_errors`. */
export function namesCount(name: string): boolean {
  const isCounted = (text: string) => {
    const { text: form, concepts } = wordOf(text);
    return form !== text || concepts.includes('error') || concepts.includes('win');
  };
  const saysRate = (word: Word) => word.concepts.some((one) => one === 'rate' || one === 'share');
  return plainWords(name).some(isCounted) && !wordsOf(name).some(saysRate);
}

/** Returns singulars, and participle forms that the word list does not have. */
function singulars(word: string): string[] {
  const forms: string[] = [];
  if (word.length > 3 && word.endsWith('s')) forms.push(word.slice(0, -1));
  if (word.length > 4 && word.endsWith('es')) forms.push(word.slice(0, -2));
  if (word.endsWith('ces')) forms.push(`${word.slice(0, -3)}z`);
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  for (const form of [word, ...forms]) {
    if (form.length > 4 && form.endsWith('a')) forms.push(`${form.slice(0, -1)}o`);
    if (form.length > 4 && /[aei]r$/.test(form))
      forms.push(`${form.slice(0, -2)}${form.endsWith('ar') ? 'ado' : 'ido'}`);
  }
  return forms;
}

/** Drops the vowels behind the first letter. */
const bare = (word: string) => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, '');

/** Words of their own, which shorten no other: `head` is no `headroom`, `wind` no `window`. */
const whole = new Set(
  `again air ape apt are ask ate bat beg bra buck bus can cap car cave cob come cop cove cue dead den dig ear
  fall fan fig find fir fire fun gene hall hand heal home hop hope hue hun join judge just kick kin lab land
  late lead less life like look lot lug mad mark mask mat mate mess mill miss nor our outline pal pat perform
  pill plat pop pot premise prime pun quest raise ram ran rat react rob rub rum rut salt salve sea see sent
  short sin sol spot stand star stud sue suggest surf them tick tie tom too tow treat turn urge vend vent verb
  vigil war warn watch wind wit with wrap`.split(/\s+/),
);

/** Returns the concepts of words that a shortened word begins: `puntuac`, `menc`, `prs` without vowels. */
function beginnings(start: string): string[] {
  if (start.length < 3 || whole.has(start)) return [];
  const isBare = bare(start) === start;
  const found = new Set<string>();
  for (const [word, concepts] of conceptsOf) {
    const isBegun = word.length > start.length && word.startsWith(start);
    // `recomendaciones` and `recomendado` share the part that matters.
    const isAkin = start.length >= 6 && word.length >= 6 && word.slice(0, 6) === start.slice(0, 6);
    if (isBegun || isAkin || (isBare && bare(word).startsWith(start)))
      for (const concept of concepts) found.add(concept);
  }
  return found.size > 6 ? [] : [...found];
}
