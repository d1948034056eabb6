// Results of the panel's questions: each brand's are asked once a week, on its weekday, on four engines. Every route
// about answers reads this, so that all agree. A round follows only from seed, brand and week, and is numbered from
// 1970, so that a record keeps its number wherever the archive begins.
import { dayMs } from '../../core/run-date.ts';
import { at, Dice, hashOf } from '../random.ts';
import { clamp, fallingClient, mentionRate, steadyClient } from './figures.ts';
import { type Brand, type Scope, scaled, weekdayOf } from './scope.ts';
import { engines, mediaDomains } from './vocabulary.ts';

export const enginesAsked = 4;
/** Rounds of a brand in four weeks, the window that routes count over. */
export const windowRounds = 4;
export const windowDays = 7 * windowRounds;
/** A page is replaced after at most this many weeks. */
const longestLifeWeeks = 23;
/** Number of addresses that each of the four engines cites. */
const citedBy = [1, 2, 1, 0];

export interface Page {
  readonly url: string;
  readonly domain: string;
  readonly own: boolean;
  readonly title: string;
}

export interface Answer {
  readonly number: number;
  readonly question: number;
  readonly engine: string;
  readonly epochMs: number;
  /** The brand's rank among those named, from 1; null if it is not named. */
  readonly position: number | null;
  readonly word: number;
  /** Rivals that the answer names, by index in the sector's list of rivals. */
  readonly rivals: readonly number[];
  readonly pages: readonly Page[];
}

export interface Round {
  readonly number: number;
  readonly brand: Brand;
  readonly day: number;
  readonly epochMs: number;
  readonly durationMs: number;
  readonly answers: readonly Answer[];
}

/** Returns the number of a brand's questions in the panel; two clients have many. */
export function questionCount(scope: Scope, brand: Brand): number {
  return scaled(scope, brand.index === steadyClient || brand.index === fallingClient ? 24 : 6);
}

export function enginesOf(brand: Brand): readonly string[] {
  return Array.from({ length: enginesAsked }, (_, index) => at(engines, brand.index + index));
}

/** Returns a brand's rounds up to the day, newest first. */
export function roundsOf(
  scope: Scope,
  brand: Brand,
  most = windowRounds,
  until = scope.today,
): readonly Round[] {
  const { placeOf } = calendarOf(scope);
  const rounds: Round[] = [];
  for (let day = weekdayOf(brand, until); day >= scope.asked && rounds.length < most; day -= 7) {
    rounds.push(roundAt(scope, Math.floor(day / 7), placeOf[brand.index] ?? 0));
  }
  return rounds;
}

/** Returns the rounds in which one of today's pages can have been cited, newest first. */
export function pageRounds(scope: Scope, brand: Brand): readonly Round[] {
  return roundsOf(scope, brand, longestLifeWeeks);
}

export function answersIn(rounds: readonly Round[]): readonly Answer[] {
  return rounds.flatMap(({ answers }) => answers);
}

export function answersTo(rounds: readonly Round[], question: number): readonly Answer[] {
  return rounds.flatMap(({ answers }) =>
    answers.slice(question * enginesAsked, (question + 1) * enginesAsked),
  );
}

/** Returns all rounds up to today, newest first. */
export function allRounds(scope: Scope): readonly Round[] {
  const { order } = calendarOf(scope);
  const rounds: Round[] = [];
  for (let week = Math.floor(scope.today / 7); week >= Math.floor(scope.asked / 7); week--) {
    for (let place = order.length - 1; place >= 0; place--) {
      const day = week * 7 + (at(order, place).index % 7);
      if (day <= scope.today && day >= scope.asked) rounds.push(roundAt(scope, week, place));
    }
  }
  return rounds;
}

interface Calendar {
  /** Brands in the order in which a week asks them, the place of each, and the number of questions asked before. */
  readonly order: readonly Brand[];
  readonly placeOf: readonly number[];
  readonly before: readonly number[];
  readonly questions: number;
  readonly rounds: Map<number, Round>;
}

/** One calendar per world, identified by its list of brands. */
const calendars = new WeakMap<readonly Brand[], Calendar>();
const cachedRounds = 10_000;

function calendarOf(scope: Scope): Calendar {
  const known = calendars.get(scope.brands);
  if (known !== undefined) return known;
  const order = [...scope.brands].sort((a, b) => (a.index % 7) - (b.index % 7) || a.index - b.index);
  const placeOf: number[] = [];
  const before: number[] = [];
  let questions = 0;
  for (const [place, brand] of order.entries()) {
    placeOf[brand.index] = place;
    before.push(questions);
    questions += questionCount(scope, brand);
  }
  const calendar = { order, placeOf, before, questions, rounds: new Map<number, Round>() };
  calendars.set(scope.brands, calendar);
  return calendar;
}

function roundAt(scope: Scope, week: number, place: number): Round {
  const { order, rounds } = calendarOf(scope);
  const number = week * order.length + place;
  let round = rounds.get(number);
  if (round === undefined) {
    if (rounds.size >= cachedRounds) rounds.clear();
    round = measure(scope, week, place);
    rounds.set(number, round);
  }
  return round;
}

/** Rounds of a day follow each other through its first half. */
function measure(scope: Scope, week: number, place: number): Round {
  const { order, before, questions } = calendarOf(scope);
  const brand = at(order, place);
  const weekday = brand.index % 7;
  const day = week * 7 + weekday;
  const first = order.findIndex(({ index }) => index % 7 === weekday);
  const apartMs = dayMs / 2 / order.filter(({ index }) => index % 7 === weekday).length;
  const count = questionCount(scope, brand) * enginesAsked;
  const stepMs = Math.min(3000, (apartMs * 0.6) / count);
  const late = new Dice(scope.seed, 'inicio', brand.index, week).fraction() * 0.3;
  const epochMs = Math.floor(day * dayMs + (place - first + late) * apartMs);
  const rate = mentionRate(scope, brand, day);
  const named = enginesOf(brand);
  const all = pageSlots(scope, brand, day);
  // The brand's own page is cited only where the brand is named.
  const foreign = all.filter(({ own }) => !own);
  const number = (week * questions + (before[place] ?? 0)) * enginesAsked;
  const answers = Array.from({ length: count }, (_, index): Answer => {
    const question = Math.floor(index / enginesAsked);
    const which = index % enginesAsked;
    const engine = at(named, which);
    const dice = new Dice(scope.seed, 'respuesta', brand.index, week, index);
    const chance = rate + lean(scope, brand, question) * 0.3 + lean(scope, brand, engine) * 0.12;
    const isNamed = dice.chance(clamp(chance, 0.02, 0.98));
    const rivals = rivalsIn(scope, brand, dice);
    const position = isNamed ? dice.int(1, rivals.length + 1) : null;
    const word = dice.int(0, 3);
    const candidates = isNamed ? all : foreign;
    const start = dice.int(0, candidates.length - 1);
    const pages = Array.from({ length: at(citedBy, which) }, (_, place) => at(candidates, start + place));
    const answeredMs = Math.floor(epochMs + (index + 1) * stepMs);
    return { number: number + index, question, engine, epochMs: answeredMs, position, word, rivals, pages };
  });
  return {
    number: week * order.length + place,
    brand,
    day,
    epochMs,
    durationMs: Math.ceil((count + 1) * stepMs) + Math.floor(late * 900),
    answers,
  };
}

/** Returns how much likelier than others a question or engine is to name the brand, -1 … 1. */
function lean(scope: Scope, brand: Brand, what: number | string): number {
  return (hashOf(scope.seed, 'lean', brand.index, what) % 2001) / 1000 - 1;
}

const strengths = [0.38, 0.28, 0.2, 0.12, 0.06, 0.015];

/** Returns the probability that an answer names a rival. */
export function rivalStrength(scope: Scope, brand: Brand, rival: number): number {
  return at(strengths, rival + (hashOf(scope.seed, 'fuerza', brand.index) % 6));
}

/** Returns the rivals that an answer names, in order. */
function rivalsIn(scope: Scope, brand: Brand, dice: Dice): readonly number[] {
  const named = brand.sector.rivals.flatMap((_, rival) =>
    dice.chance(rivalStrength(scope, brand, rival)) ? [rival] : [],
  );
  const first = dice.int(0, named.length);
  return [...named.slice(first), ...named.slice(0, first)];
}

const titles = ['Guía', 'Comparativa', 'Opiniones', 'Los 10 mejores'];

/** Returns the pages that engines know about a brand's topics on a day; each is replaced after one to five months. */
function pageSlots(scope: Scope, brand: Brand, day: number): readonly Page[] {
  return Array.from({ length: Math.max(3, scaled(scope, 10)) }, (_, slot) => {
    const draw = hashOf(scope.seed, 'pagina', brand.index, slot);
    const life = Math.floor((day + (draw % 997)) / (35 + (draw % (longestLifeWeeks * 7 - 35))));
    const topic = at(brand.sector.topics, slot);
    const own = slot % 4 === 0;
    const domain = own ? brand.domain : mediaDomain(brand, slot, life);
    const path = encodeURIComponent(topic.replaceAll(' ', '-'));
    return {
      url: `https://${domain}/${brand.index}/${path}/${slot}-${life}?utm_source=ia&página=1`,
      domain,
      own,
      title: `${at(titles, slot + life)}: ${topic}${life % 5 === 0 ? ' ⭐' : ''} | ${own ? brand.name : domain}`,
    };
  });
}

/** Returns a domain that all brands share, or a small one that comes and goes. */
function mediaDomain(brand: Brand, slot: number, life: number): string {
  if (slot % 4 === 1) return at(mediaDomains, brand.index + slot);
  const [head] = at(mediaDomains, slot).split('.');
  return `${head}-${brand.index}${'abcdefghijkl'.charAt(life % 12)}.example`;
}
