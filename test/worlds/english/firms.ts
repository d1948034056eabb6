// The agency, its clients, and what people ask about their trades.
import { pick, whole } from './kit.ts';

export interface Firm {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly domain: string;
  readonly sector: string;
  readonly state: string;
  readonly country: string;
  readonly currency: string;
  /** Month first, though no day tells so. */
  readonly joined: string;
  readonly rivals: readonly string[];
  readonly topics: readonly string[];
}

/** The account itself. */
export const agency: Firm = {
  id: '9007199254740001',
  slug: 'brightwell',
  name: 'Brightwell Agency',
  domain: 'brightwellagency.com',
  sector: 'Marketing services',
  state: 'IL',
  country: 'US',
  currency: 'USD',
  joined: '11/02/2023',
  rivals: ['Northbeam Media', 'Lark & Co', 'Signal Hill'],
  topics: ['SEO retainers', 'Brand strategy', 'AI visibility audits', 'Content marketing'],
};

export const clients: readonly Firm[] = [
  {
    id: '9007199254741993',
    slug: 'harbor-pine',
    name: 'Harbor & Pine Outfitters',
    domain: 'harborandpine.com',
    sector: 'Outdoor retail',
    state: 'OR',
    country: 'US',
    currency: 'USD',
    joined: '03/05/2025',
    rivals: ['TrailForge', 'Summit Supply', 'Cascade Gear'],
    topics: ['Trail running shoes', 'Rain jackets', 'Camp stoves', 'Daypacks'],
  },
  {
    id: '9007199254742207',
    slug: 'bluebonnet',
    name: 'Bluebonnet Dental Group',
    domain: 'bluebonnetdental.com',
    sector: 'Dental care',
    state: 'TX',
    country: 'US',
    currency: 'USD',
    joined: '05/05/2025',
    rivals: ['Lone Star Smiles', 'Capitol Dental', 'BrightBite'],
    topics: ['Clear aligners', 'Dental implants', 'Teeth whitening', 'Emergency dentist'],
  },
  {
    id: '9007199254743011',
    slug: 'kestrel',
    name: 'Kestrel Coffee Roasters',
    domain: 'kestrelcoffee.co',
    sector: 'Food and beverage',
    state: 'CO',
    country: 'US',
    currency: 'USD',
    joined: '06/08/2025',
    rivals: ['Copper Kettle', 'Onda Roasting', 'Daybreak Beans'],
    topics: ['Whole bean coffee', 'Cold brew', 'Espresso blends', 'Coffee subscriptions'],
  },
  {
    id: '9007199254744459',
    slug: 'northlake',
    name: 'Northlake Credit Union',
    domain: 'northlakecu.org',
    sector: 'Banking',
    state: 'WI',
    country: 'US',
    currency: 'USD',
    joined: '07/08/2025',
    rivals: ['Badger Federal', 'Isthmus Bank', 'Union Trust'],
    topics: ['Auto loans', 'High-yield savings', 'First mortgages', 'Student checking'],
  },
  {
    id: '9007199254745083',
    slug: 'maple-row',
    name: 'Maple Row Interiors',
    domain: 'maplerow.ca',
    sector: 'Home furnishings',
    state: 'ON',
    country: 'CA',
    currency: 'CAD',
    joined: '10/03/2025',
    rivals: ['Elm & Oak', 'Casa Nord', 'Furnish House'],
    topics: ['Sectional sofas', 'Dining tables', 'Area rugs', 'Floor lamps'],
  },
  {
    id: '9007199254746121',
    slug: 'tidewater',
    name: 'Tidewater Legal',
    domain: 'tidewaterlegal.com',
    sector: 'Legal services',
    state: 'VA',
    country: 'US',
    currency: 'USD',
    joined: '11/09/2025',
    rivals: ['Chesapeake Law', 'Harris Monroe', 'Anchor Attorneys'],
    topics: ['Estate planning', 'Maritime injury', 'Business formation', 'Landlord disputes'],
  },
];

export const firms: readonly Firm[] = [agency, ...clients];

export const engines = ['ChatGPT', 'Gemini', 'Perplexity', 'Claude', 'Copilot'] as const;

const askings = [
  'best NOUN near me',
  'who is most trusted for NOUN',
  'how much should I pay for NOUN',
  'NOUN for beginners',
  'what to look for in NOUN',
  'NOUN reviews this year',
  'compare NOUN options',
  'alternatives to RIVAL for NOUN',
  'is RIVAL good for NOUN',
  'where do locals go for NOUN',
] as const;

export interface Question {
  readonly id: string;
  readonly firm: Firm;
  readonly topic: string;
  readonly text: string;
}

/** Up to ten questions a topic. */
export function questionsOf(firm: Firm, perTopic: number): Question[] {
  return firm.topics.flatMap((topic, at) =>
    askings.slice(0, perTopic).map((asking, index) => ({
      id: `q-${firm.slug}-${at}${index}`,
      firm,
      topic,
      text: asking
        .replace('NOUN', topic.toLowerCase())
        .replace('RIVAL', pick(firm.rivals, firm.slug, topic, index)),
    })),
  );
}

export const pillars = ['Presence', 'Sentiment', 'Citations', 'Accuracy'] as const;

/** The AI Rank of a day: it drifts, and the older method sees less. */
export function rankScore(firm: Firm, offset: number, method: string): number {
  const seat = whole(38, 74, 'base', firm.slug);
  const wave = 4 * Math.sin(offset / 9 + seat);
  const noise = whole(-8, 8, 'noise', firm.slug, offset) / 10;
  return Number((seat + wave + noise - (method === 'v1' ? 5.3 : 0)).toFixed(1));
}

export const pillarScore = (firm: Firm, offset: number, pillar: string): number =>
  Number((rankScore(firm, offset, 'v2') + whole(-120, 120, pillar, firm.slug) / 10).toFixed(1));

/** The method of a day: the second one came 60 days before the first run date. */
export const methodOf = (offset: number): string => (offset < -60 ? 'v1' : 'v2');
