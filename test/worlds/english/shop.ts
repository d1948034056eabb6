// What is sold: `products`, `shopping`, `revenue`.

import { grouped, range } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { agency, clients, engines, type Firm, firms } from './firms.ts';
import { bigId, decimal, hex, isLikely, on, pick, whole } from './kit.ts';

export const shopRoutes: Routes<Firm> = { products, shopping, revenue };

function products({ day, firm }: Ask<Firm>): unknown {
  // The agency's own answer has the catalogue of a test store: long enough for two pages.
  const count = firm === agency ? 230 : 60;
  return {
    clientRef: firm.id,
    currency: firm.currency,
    productos: range(1, count).map((at) => {
      const seed = ['product', firm.slug, at] as const;
      const list = decimal(12, 1900, 2, 'list', ...seed);
      const quote = isLikely(0.7, 'quoted', ...seed) ? list * decimal(0.85, 1.1, 3, ...seed) : null;
      const isTracked = isLikely(0.6, 'tracked', ...seed);
      const topic = pick(firm.topics, 'topic', ...seed);
      const money = (amount: number) => ({ amount: amount.toFixed(2), currencyCode: firm.currency });
      const touched = -whole(0, 70, 'touched', ...seed);
      return {
        productId: bigId(...seed),
        sku: `${firm.slug.slice(0, 2).toUpperCase()}-${String(at).padStart(4, '0')}`,
        name: `${topic} no. ${at}`,
        listPrice: money(list),
        aiQuotedPrice: quote === null ? null : money(quote),
        tracking: isTracked ? 'active' : 'inactive',
        metrics: isTracked
          ? {
              appearancePct: decimal(2, 88, 1, 'appear', ...seed, day),
              winPct: decimal(0.5, 45, 1, 'win', ...seed),
              answersSampled: whole(40, 160, 'sampled', ...seed),
            }
          : null,
        catalogModified: on(touched, whole(0, 60, ...seed)).utc,
        listingModified: on(touched - whole(0, 9, 'listing', ...seed), whole(0, 60, ...seed)).utc,
        stock: whole(0, 400, 'stock', ...seed),
        rating: decimal(3, 5, 1, 'rating', ...seed),
        imageHash: hex(12, ...seed),
      };
    }),
  };
}

const sellers = ['Amazon', 'REI', 'Walmart', 'Target', 'Etsy', 'Wayfair', 'Best Buy', 'Costco', 'Own store'];

function shopping({ day }: Ask<Firm>): unknown {
  const links = sellers.map((seller) => whole(20, 480, 'links', seller) + day * 2);
  const all = links.reduce((sum, one) => sum + one, 0);
  return {
    merchants: sellers.map((seller, at) => ({
      seller,
      outboundLinks: links[at],
      shareOfLinks: `${(((links[at] ?? 0) / all) * 100).toFixed(1)}%`,
      recommended: at < 4 ? 'yes' : 'no',
      logo: `https://cdn.example.com/${seller.toLowerCase().replaceAll(' ', '-')}.svg`,
    })),
    buyingQuestionShare: 0.31,
    advice: 'Ask two marketplaces for better listings.',
  };
}

const symbols: Readonly<Record<string, string>> = { USD: '$', CAD: 'CA$', GBP: '£' };

function revenue({ day }: Ask<Firm>): unknown {
  return {
    porCanal: clients.flatMap((firm) =>
      engines.flatMap((source) =>
        (firm.slug === 'harbor-pine' ? ['USD', 'GBP'] : [firm.currency]).map((curr) => ({
          source,
          customer: { id: firm.id, name: firm.name },
          curr,
          earned: `${symbols[curr]}${grouped(decimal(900, 48_000, 2, 'earned', firm.slug, source, curr) + day * 61.4, 2)}`,
          avgBasket: `${symbols[curr]}${grouped(decimal(20, 210, 2, 'basket', firm.slug, source, curr), 2)}`,
          checkouts: whole(3, 420, 'checkouts', firm.slug, source, curr) + day,
          margin: decimal(0.1, 0.5, 2, 'margin', firm.slug, source),
        })),
      ),
    ),
    period: { start: on(day - 30).spelled, end: on(day).spelled },
    accountsWithData: firms.length - 1,
  };
}

export const shopTruth: Truth = {
  'products.id': { paths: ['productId'] },
  'products.sku': { paths: ['sku'] },
  'products.title': { paths: ['name'] },
  'products.price': { paths: ['listPrice.amount', 'listPrice.amount | point'] },
  'products.currency': { paths: ['listPrice.currencyCode'] },
  'products.ai_price': { paths: ['aiQuotedPrice.amount', 'aiQuotedPrice.amount | point'] },
  'products.is_measured': { paths: ['tracking'] },
  'products.presence': { paths: ['metrics.appearancePct | percent'] },
  'products.win': { paths: ['metrics.winPct | percent'] },
  // The record in the catalogue, or the page: either is a change of the product.
  'products.updated': { paths: ['catalogModified', 'listingModified'], isDoubtful: true },
  'merchants.merchant': { paths: ['seller'] },
  'merchants.links': { paths: ['outboundLinks'] },
  'merchants.share': { paths: ['shareOfLinks | percent'] },
  'merchants.is_recommended': { paths: ['recommended'] },
  'revenue.client': { paths: ['customer.id'] },
  'revenue.channel': { paths: ['source'] },
  'revenue.currency': { paths: ['curr'] },
  'revenue.amount': { paths: ['earned', 'earned | point'] },
  'revenue.orders': { paths: ['checkouts'] },
  'revenue.period_start': { paths: ['^^period.start'] },
  'revenue.period_end': { paths: ['^^period.end'] },
  'revenue_funnel.period_start': { paths: ['period.start'] },
  'revenue_funnel.period_end': { paths: ['period.end'] },
};
