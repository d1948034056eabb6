// Scores how well the name of a path fits a field, 0 to 1, by the whole path as words of both languages.
import type { LogicalType } from '../logical/logical-source.ts';
import type { Expectation } from './expectations.ts';
import { isWord, type Word, wordsOf } from './name-words.ts';

const set = (words: string) => new Set(words.trim().split(/\s+/));

/** Names of objects that only hold others. */
const wrappers = set(
  'attribute data dato detail detalle field info informacion item meta metric metrica node payload property prop record registro result resultado resumen summary value valor ficha bloque block figure cifra overview estadistica indicador content contenido body official oficial principal main headline current actual kpi audit auditoria relation relacion relationship signal context contexto',
);

/** Words that say little alone: below another object they are about that object. */
const vague = set(
  'amount code count dates description id kind label level name point score status text timestamp title total url value share rate rank',
);

const isVague = (word: Word) => word.concepts.some((concept) => vague.has(concept));

export const isVagueName = (key: string): boolean => wordsOf(key).every(isVague);

export const saysLittle = (key: string): boolean =>
  wordsOf(key).every(({ concepts }) =>
    concepts.some((one) => /^(?:amount|count|dates|value|current)$/.test(one)),
  );

export const saysCurrent = (key: string): boolean =>
  wordsOf(key).every(({ concepts }) => concepts.includes('current'));

export const saysEarlier = (key: string): boolean =>
  wordsOf(key).some(({ concepts }) => concepts.includes('previous'));

/** Words that make it something else, unless the field itself has them in its name: a line for each kind of thing. */
const anothers = `
  discarded descartado descartada dropped refunded reembolsado invalid invalido bounced rebote bad mala malo rejected rechazado rechazada failed fallido fallida err
  provisional beta experimental alpha preview piloto draft borrador pending pendiente obj
  raw bruto original suavizado suavizada smoothed ajustado ajustada adjusted movil moving min minimo minimum assisted asistido asistida
  legacy deprecated obsoleto previous anterior hace ago tachado tachada shadow internal interno interna test debug cache
  stored guardado guardada inserted insertado ingested indexed indexado cached acknowledged reconocido queued encolado purga purge retention
  google bing chatgpt gemini perplexity claude copilot rival competidor competitor competencia
  image imagen img foto photo thumbnail logo build release version robotstxt`;
const others = set(`count ${anothers}`);

/**
 * Words that do so by kind of value: `any`, `numberOrFlag`, `own`, `currency`, `forecast` and `expected`
 * anywhere in the path, the others in its last name. `=count` is that word alone; others count by any of their meanings.
 */
const signs = {
  any: set(`${anothers}
      expectation prior old viejo antiguo former next siguiente proximo ayer yesterday pasado pasada desired wanted deseado deseada ideal
      suggested sugerido sugerida simulated simulado planned planeado broken roto rota lost perdido perdida blocked bloqueado bloqueada
      omitido omitida skipped returned devuelto devuelta cancelado cancelada cancelled canceled coste costo cost purchase shipping envio
      pendente planejado ziel soll wettbewerber konkurrent vorig vorher geplant ausgelassen offen defekt
      funnel cible objectif concurrent precedent prevu precedente obiettivo`),
  /** Some of a list are not the list. */
  list: set('top'),
  numberOrFlag: set(
    'recommended last before error win sector setor branche peer market mercado leader lider',
  ),
  /** For counts: some of them. */
  count: set('client visitor =new =nuevo =returning =recurrente'),
  /** For records of rivals or sources. */
  own: set('own'),
  lastOfNumber: set(`
    =lower =inferior upper mean median min lowest worst peor best mejor slowest fastest peak pico limit timeout unique margin
    quality std stderr pvalue variance varianza sigma =position =posicion =puesto =threshold =umbral =probability =probabilidad
    =id =uuid =no rate gap desviacion deviation naive =p5 =p10 =p90 =p95 hoechst maximal`),
  moment: set(`
    updated due next frozen change error approved aprobado archived archivado imported importado importada loaded carga cargado
    processed procesado deleted borrado removed eliminado exported exportado scheduled programado assigned asignado discontinued
    limit baja remind priced restock released inserted closed cierre cerrado base baseline compare comparado pub published
    publicado publicada publicacion synced sync sincronizado notified notificado sent enviado classified clasificado trained
    entrenado report informe generated grabacion grabado leido check =hasta =until`),
  /** A change is a field of experiments, expected or observed; elsewhere it is not the figure. */
  change: set('change movement dif diff'),
  currency: set('plan plano symbol simbolo tarifa cuota mrr refund devolucion reembolso margin margen'),
  /** For figures and dates of forecasts: what is so now, or was. */
  forecast: set('current actual before'),
  /** For what was expected. */
  expected: set('=observed =observado =observada'),
  /** For the moment at which something was made, or its first or last time. */
  onceMoment: set('last end check crawled fetched rastreado rastreada descargado descargada'),
  /** For texts. */
  text: set('top =exit =salida id hash confidence mas most'),
  label: set('because =explanation =explicacion =severity =severidad =gravedad'),
  keys: set('=count =total'),
} as const;
const remarks = set(
  'comment comentario remark observacion nota note anotacion annotation apunte kommentar notiz commentaire',
);
const ofOthers = set('competitor source');
/**
 * Names that say how many there are, how far it may be off, whose it is, or with which status: `ranking.de`, `rank_se`,
 * `ourMentions`, `n_404`.
 */
const notTheNumber = /(?:^|[_-])(?:of|de|se)$|^out_?of$|^our(?![a-z])|(?:^|_)[45]\d\d(?:_|$)/i;
export const numbers: ReadonlySet<LogicalType> = new Set(['numeric', 'score', 'rate', 'bigint']);
export const moments: ReadonlySet<LogicalType> = new Set(['date', 'timestamptz']);

export interface WantedName {
  readonly names: readonly string[];
  readonly subject: readonly Word[];
  /** Concepts implied by the field's type, such as `at` by a date. */
  readonly implied: ReadonlySet<string>;
  /** Names of objects that are fields themselves. */
  readonly wholes: readonly Word[];
}

/** Scores the best of a field's names. @param keys keys of the path, outermost first */
export function nameScore(wanted: WantedName, keys: readonly string[]): number {
  const leaf = wordsOf(keys.at(-1) ?? '');
  const around = keys.slice(0, -1).flatMap((key) => wordsOf(key));
  let best = 0;
  for (const [index, words] of inSense(wanted.names).entries()) {
    const score = scoreOf(words, leaf, around, wanted) * (1 - Math.min(index, 8) * 0.025);
    if (score > best) best = score;
  }
  return best;
}

const senses = new Map<string, readonly (readonly Word[])[]>();

/** Limits each word to the senses that another name shares: beside `answers`, `respuestas` are answers and not reactions. */
function inSense(names: readonly string[]): readonly (readonly Word[])[] {
  const known = senses.get(names.join(' '));
  if (known !== undefined) return known;
  const all = names.map((name) => name.split('.').flatMap((step) => wordsOf(step)));
  const found = all.map((words) =>
    words.map((word) => {
      const others = all.flat().filter(({ text }) => text !== word.text);
      const shared = word.concepts.filter((one) => others.some(({ concepts }) => concepts.includes(one)));
      return shared.length === 0 ? word : { ...word, senses: shared };
    }),
  );
  senses.set(names.join(' '), found);
  return found;
}

const wordsIn = (names: readonly string[]) => names.flatMap((name) => wordsOf(name.replaceAll('.', ' ')));

/** True for another thing, as `precio_objetivo` or `rival.posicion`: a target, a rival's, an earlier one. */
export function isOfAnother(
  wanted: WantedName,
  keys: readonly string[],
  {
    type,
    isIdentifier = false,
    isLabel = false,
    isList = false,
    isOfWhole = false,
    isPlain = false,
    isWhole = false,
    refersTo,
    shape,
  }: Expectation,
): boolean {
  const own = wordsIn(wanted.names);
  const isNamed = (concept: string) => own.some(({ concepts }) => concepts.includes(concept));
  const isNumber = numbers.has(type);
  const isNoGoal = !isNamed('goal') && (isNumber || shape === 'currency' || isNamed('expectation'));
  const isOfOthers = wanted.subject.some(({ concepts }) => concepts.some((concept) => ofOthers.has(concept)));
  const isForecast = wanted.subject.some(({ concepts }) => concepts.includes('prediction'));
  const isOnce = ['created', 'first', 'last', 'detected'].some(isNamed) && !isNamed('updated');
  const says = (key: string, ...sets: readonly (ReadonlySet<string> | false)[]) =>
    wordsOf(key).some((word) => {
      // An abbreviation or inflection proves little, but of rivals.
      const isCut = word.certainty < 1 && !word.concepts.includes('competitor');
      const concepts = isCut ? [word.text] : word.concepts;
      if (concepts.includes('goal')) return isNoGoal;
      // `medio` is a channel, too.
      const isMean = isNumber && concepts.includes('mean');
      if (likeBest(word, own) > 0 || (!isMean && isImplied(word, wanted))) return false;
      return [...concepts, `=${word.text}`].some((concept) =>
        sets.some((one) => one !== false && one.has(concept)),
      );
    });
  const leaf = (keys.at(-1) ?? '').replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2');
  const [counted = leaf] = leaf.split(/_(?:con|with)_/i);
  return (
    (isOfWhole && keys.some((key) => namesPart(wanted, own, key))) ||
    (isPlain && keys.flatMap(wordsOf).some((word) => isUnknown(word) && likeBest(word, own) === 0)) ||
    keys.some((key) =>
      says(
        key,
        signs.any,
        (isNumber || type === 'boolean') && signs.numberOrFlag,
        isNumber && isOfOthers && signs.own,
        isForecast && (isNumber || moments.has(type)) && signs.forecast,
        isNamed('expectation') && signs.expected,
        shape === 'currency' && signs.currency,
      ),
    ) ||
    says(
      keys.at(-1) ?? '',
      isNumber && signs.lastOfNumber,
      type === 'bigint' && signs.count,
      isNumber && (isForecast || !(isNamed('expectation') || isNamed('actual'))) && signs.change,
      type === 'text' && !isIdentifier && !isLabel && refersTo === undefined && signs.text,
      refersTo !== undefined && signs.keys,
      isList && signs.list,
      isLabel && signs.label,
      moments.has(type) && signs.moment,
      moments.has(type) && isOnce && signs.onceMoment,
    ) ||
    (type === 'score' && isTotalOfOthers(keys.at(-1) ?? '', own)) ||
    (isNumber && notTheNumber.test(leaf)) ||
    // How many there are.
    (isWhole && /(?:^|[_-])total$/i.test(leaf)) ||
    (isOfWhole && isNamed('measured') && /modif|_mod$/i.test(leaf)) ||
    (isNumber && counted !== leaf && !isNamedSo(wanted.names, counted)) ||
    (isLabel && namesRecord(wanted, leaf)) ||
    // Who did it, of which kind that is, and whose rival it is.
    (type === 'text' && (isLabel ? /_da$/i : /_(?:by|por|da)$/i).test(leaf)) ||
    /_by_(?:type|name|kind|role)$/i.test(leaf) ||
    (/^(?:competidor|rival|competitor)_(?:de|of)$/i.test(leaf) && isNamed('competitor'))
  );
}

/** True for `totalMarcas`, the number of brands; false for `total_puntos`, the score. */
function isTotalOfOthers(key: string, own: readonly Word[]): boolean {
  const [first, ...others] = wordsOf(key);
  return first?.text === 'total' && others.length > 0 && others.every((word) => likeBest(word, own) === 0);
}

/** True for a part: `authority.refreshedOn` is when it was read, `ultimo_rastreo` a moment of the crawl. */
function namesPart(wanted: WantedName, own: readonly Word[], key: string): boolean {
  const words = wordsOf(key);
  const isLast = words.some(({ concepts }) => concepts.includes('last'));
  const says = ({ text, concepts }: Word) =>
    /^obs/.test(text) || concepts.includes('last') || concepts.includes('dates');
  if (isLast && words.every(says)) return true;
  return words.some((word) => {
    // When it was seen is not when it was measured.
    const isOwn = likeBest(word, own) > 0 && !/^(?:seen|vist[oa])$/.test(word.text);
    if (isOwn || word.concepts.includes('last') || wrappers.has(word.text)) return false;
    return !isImplied(word, wanted) || (isLast && likeBest(word, wanted.subject) > 0);
  });
}

/** True for the identifier of the record itself: `alert_id` of an alert. */
function namesRecord({ subject }: WantedName, leaf: string): boolean {
  const [, of] = /^(.+)_(?:uu)?id$/i.exec(leaf) ?? [];
  return of !== undefined && wordsOf(of).every((word) => likeBest(word, subject) > 0);
}

/** True if the last name only says that somebody made a remark. */
export function isRemark({ names }: WantedName, keys: readonly string[]): boolean {
  const leaf = wordsOf(keys.at(-1) ?? '');
  const own = wordsIn(names);
  const says = ({ text, concepts }: Word) => remarks.has(text) || concepts.some((one) => remarks.has(one));
  return leaf.some(says) && !leaf.some((word) => !says(word) && likeBest(word, own) > 0);
}

/** A vague word needs the others; that a moment is one goes without saying. */
const weightOfVague = ({ concepts }: Word, { implied }: WantedName): number =>
  implied.has('dates') && concepts.includes('dates') ? 0.25 : 0.6;

function scoreOf(
  words: readonly Word[],
  leaf: readonly Word[],
  around: readonly Word[],
  wanted: WantedName,
): number {
  let weight = 0;
  let found = 0;
  for (const word of words) {
    const own = words.length > 1 && isVague(word) ? weightOfVague(word, wanted) : 1;
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
    (word) => !wrappers.has(word.text) && likeBest(word, words) === 0 && likeBest(word, wanted.wholes) > 0,
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

const isUnknown = (word: Word) =>
  word.text.length > 2 &&
  word.certainty === 1 &&
  !isWord(word.text) &&
  !wrappers.has(word.text) &&
  !fillers.has(word.text);

const fillers = set(
  'at comercial trade trading display public publico visible full completo official oficial principal main regular normal unitario catalogo catalogue catalog eur usd',
);

/** A window of time: `_30d`, `last_7_days`. */
const period = /^(?:\d+[a-z]?|d|dia|day|week|semana|month|mes|hora|hour)$/;

function isImplied(word: Word, { subject, implied }: WantedName): boolean {
  if (period.test(word.text) || fillers.has(word.text)) return true;
  return word.concepts.some((concept) => implied.has(concept)) || likeBest(word, subject) >= 0.9;
}

function likeBest(word: Word, others: readonly Word[]): number {
  return others.reduce((best, other) => Math.max(best, like(word, other)), 0);
}

export const isNamedSo = (names: readonly string[], key: string): boolean =>
  wordsOf(key).some((word) => likeBest(word, wordsIn(names)) > 0);

function like(a: Word, b: Word): number {
  if (a.text === b.text) return a.certainty * b.certainty;
  const shared = a.concepts.filter((concept) => b.concepts.includes(concept));
  if (shared.length === 0) return 0;
  const isMeant = [a, b].every(({ senses = shared }) => senses.some((sense) => shared.includes(sense)));
  return (isMeant ? 0.94 : 0.8) * a.certainty * b.certainty;
}
