// The agency, its clients, and how they fare.
import { range, round } from '../kit.ts';
import { chance, pick } from './kit.ts';

export interface Firm {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly town: string;
  readonly country: string;
  readonly currency: string;
  readonly sector: string;
  readonly rivals: readonly string[];
  readonly topics: readonly string[];
}

export const agency: Firm = {
  id: 'A-1004',
  name: 'Brightwater Lowe',
  domain: 'brightwaterlowe.com',
  town: 'London',
  country: 'GB',
  currency: 'GBP',
  sector: 'Marketing services',
  rivals: ['Fernhill Digital', 'Northgate Search', 'Clarity & Co'],
  topics: ['search agency', 'content audit', 'AI visibility audit', 'digital PR'],
};

export const firms: readonly Firm[] = [
  {
    id: 'C-40817',
    name: 'Harrow Lane Bedding',
    domain: 'harrowlane.co.uk',
    town: 'London',
    country: 'GB',
    currency: 'GBP',
    sector: 'Home & bedding',
    rivals: ['Dozewell', 'The Linen Yard', 'Sleepcraft', 'Moorland Mattress'],
    topics: ['wool duvet', 'linen sheets', 'pocket sprung mattress', 'feather pillow'],
  },
  {
    id: 'C-40822',
    name: 'Maple & Tide Outfitters',
    domain: 'mapleandtide.ca',
    town: 'Toronto',
    country: 'CA',
    currency: 'CAD',
    sector: 'Outdoor clothing',
    rivals: ['Granite Peak', 'Loon Lake Gear', 'Borealis Supply', 'Trailmark'],
    topics: ['rain jacket', 'merino base layer', 'winter parka', 'hiking trousers'],
  },
  {
    id: 'C-41003',
    name: 'Pennine Cycle Works',
    domain: 'penninecycles.co.uk',
    town: 'Leeds',
    country: 'GB',
    currency: 'GBP',
    sector: 'Bicycles',
    rivals: ['Velocraft', 'Ridgeway Bikes', 'Spoke & Sons', 'Halden'],
    topics: ['gravel bike', 'electric cargo bike', 'steel touring frame', 'commuter bike'],
  },
  {
    id: 'C-41190',
    name: 'Juniper Coffee Tools',
    domain: 'junipercoffee.com',
    town: 'Edinburgh',
    country: 'GB',
    currency: 'GBP',
    sector: 'Kitchen equipment',
    rivals: ['Brewhaus', 'Caldera Espresso', 'Tamp & Pour', 'Ostro'],
    topics: ['hand grinder', 'pour over kettle', 'espresso machine', 'coffee scales'],
  },
  {
    id: 'C-41256',
    name: 'Lakeshore Pet Pantry',
    domain: 'lakeshorepets.ca',
    town: 'Hamilton',
    country: 'CA',
    currency: 'CAD',
    sector: 'Pet food',
    rivals: ['Good Bowl', 'Wagtail Foods', 'Northpaw', 'Kibble Club'],
    topics: ['grain free dog food', 'raw dog food', 'kitten food', 'dental chews'],
  },
];

export const engines: readonly (readonly [code: string, label: string, model: string])[] = [
  ['CHATGPT', 'ChatGPT', 'gpt-5.1'],
  ['GEMINI', 'Gemini', 'gemini-3-pro'],
  ['PERPLEXITY', 'Perplexity', 'sonar-large'],
  ['COPILOT', 'Copilot', 'gpt-5-mini'],
  ['CLAUDE', 'Claude', 'claude-sonnet'],
];

export interface Question {
  readonly id: number;
  readonly text: string;
  readonly topic: string;
  readonly intent: string;
}

const wordings = [
  ['Which TOPIC is best for the money?', 'COMMERCIAL'],
  ['Where can I buy a good TOPIC in TOWN?', 'TRANSACTIONAL'],
  ['How do I choose a TOPIC?', 'INFORMATIONAL'],
  ['Is a dear TOPIC worth it?', 'INFORMATIONAL'],
  ['What TOPIC do experts recommend in 2026?', 'COMMERCIAL'],
  ['Is FIRM any good for a TOPIC?', 'NAVIGATIONAL'],
] as const;

/** 24 questions a firm. */
export function questionsOf(firm: Firm): Question[] {
  const first = 700_000 + Number(firm.id.slice(2)) * 10;
  return firm.topics.flatMap((topic, row) =>
    wordings.map(([wording, intent], column) => ({
      id: first * 10 + row * wordings.length + column,
      text: wording.replace('TOPIC', topic).replace('TOWN', firm.town).replace('FIRM', firm.name),
      topic,
      intent,
    })),
  );
}

/** The official AI Rank on a day, 0 to 100. */
export function rankOf(firm: Firm, day: number, version: 'v1' | 'v2' = 'v2'): number {
  const base = 38 + chance(firm.id, 'base') * 30 + (version === 'v1' ? -6 : 0);
  const drift = (chance(firm.id, 'drift') - 0.4) * 0.12 * day;
  return round(base + drift + (chance(firm.id, version, day) - 0.5) * 4);
}

export const placeOf = (firm: Firm, day: number): number =>
  Math.max(1, Math.round((80 - rankOf(firm, day)) / 3));

const pillarNames = ['presence', 'prominence', 'sentiment', 'accuracy'];

export const pillarsOf = (firm: Firm, day: number): Record<string, number> =>
  Object.fromEntries(
    pillarNames.map((name) => [name, round(rankOf(firm, day) + (chance(firm.id, name, day) - 0.5) * 20)]),
  );

const caveats = [
  ['PANEL_CHANGED', 'The prompt panel changed by more than 10 per cent.'],
  ['ENGINE_OUTAGE', 'One engine did not answer.'],
  ['AD_HOC_RUN', 'Started by hand.'],
] as const;

/** Nothing where the day is comparable. */
export function caveatsOf(firm: Firm, day: number): { code: string; remark: string }[] {
  if (chance(firm.id, 'comparable', day) < 0.8) return [];
  const [code, remark] = pick(caveats, firm.id, 'caveat', day);
  return [{ code, remark }];
}

export const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export const weeks = (count: number, day: number): number[] => [
  ...range(1, count).map((week) => -7 * (count - week + 1)),
  ...range(0, day),
];

/** Records of every client in turn. */
export const ofFirms = <T>(make: (firm: Firm, index: number) => readonly T[]): T[] => firms.flatMap(make);
