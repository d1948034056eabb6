// Products, merchants, revenue, the benchmark, and the bots that visit.

import { grouped, range } from '../kit.ts';
import { at, money, percent } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { agency, engines, type Firm, ofFirms, rankOf, slugOf } from './firms.ts';
import { chance, decimal, hex, isLikely, on, pick, whole, yesNo } from './kit.ts';

const makes = [
  'Classic',
  'Compact',
  'Heritage',
  'Pro',
  'Everyday',
  'Deluxe',
  'Lite',
  'Signature',
  'Studio',
  'Field',
];

const product = (firm: Firm, topic: string, make: string, day: number) => {
  const words = [firm.id, topic, make] as const;
  const price = decimal(18, 1900, 2, ...words, 'price');
  const isMeasured = isLikely(0.7, ...words, 'measured');
  const quoted = grouped(price * (0.9 + chance(...words, 'quoted', day) * 0.2), 2);
  return {
    productId: 900_000 + Math.floor(chance(...words, 'id') * 99_999),
    stockKeepingUnit: `${slugOf(topic).slice(0, 3).toUpperCase()}-${hex(5, ...words, 'sku').toUpperCase()}`,
    name: `${make} ${topic}`,
    productPage: `https://www.${firm.domain}/shop/${slugOf(`${make} ${topic}`)}`,
    listPrice: { value: grouped(price, 2), currency: firm.currency },
    priceQuotedByAi: isMeasured ? { value: quoted, currency: firm.currency } : null,
    isMeasured: yesNo(isMeasured),
    visibility: {
      presencePct: isMeasured ? decimal(2, 75, 1, ...words, 'presence', day) : null,
      winPct: isMeasured ? decimal(0, 40, 1, ...words, 'win', day) : null,
      answersSampled: isMeasured ? whole(30, 90, ...words, 'answers', day) : 0,
    },
    stockLevel: whole(0, 400, ...words, 'stock', day),
    lastUpdatedAt: on(-whole(0, 30, ...words, 'updated')).epochMs,
    version: whole(1, 14, ...words, 'version'),
  };
};

const shops = ['Amazon', 'John Lewis', 'Argos', 'Canadian Tire', 'eBay', 'Etsy', 'Walmart'];

const merchant = (firm: Firm, name: string, day: number) => ({
  clientId: firm.id,
  merchant: { displayName: name, host: `${slugOf(name).replaceAll('-', '')}.com` },
  linkCount: whole(2, 140, firm.id, name, 'links', day),
  proportionOfLinks: decimal(0.01, 0.4, 3, firm.id, name, 'share', day),
  destinationType: pick(['PRODUCT_PAGE', 'CATEGORY_PAGE', 'HOME_PAGE', 'SEARCH_RESULTS'], firm.id, name),
  recommendedToBuy: yesNo(name === firm.name || isLikely(0.3, firm.id, name, 'recommended')),
  brokenLinkCount: whole(0, 5, firm.id, name, 'broken'),
});

const revenue = (firm: Firm, channel: string, day: number) => {
  const orders = whole(4, 260, firm.id, channel, 'orders', day);
  const sign = firm.currency === 'GBP' ? '£' : 'CA$';
  return {
    ClientNumber: firm.id,
    Channel: `${channel}_REFERRAL`,
    AttributedRevenue: {
      Value: `${sign}${grouped(orders * decimal(40, 120, 2, firm.id, channel), 2)}`,
      Currency: firm.currency,
    },
    OrderQuantity: orders,
    SessionQuantity: grouped(orders * whole(14, 30, firm.id, channel, 'sessions')),
    RefundQuantity: whole(0, 6, firm.id, channel, 'refunds'),
    TopProduct: { Name: `${pick(makes, firm.id, channel)} ${pick(firm.topics, firm.id, channel)}` },
    LandingPage: `https://www.${firm.domain}/${slugOf(pick(firm.topics, firm.id, channel, 'landing'))}`,
    Provenance: pick(['ANALYTICS_EXPORT', 'PIXEL', 'MANUAL_UPLOAD'], firm.id, 'provenance'),
    Period: { From: on(day - 28).dayFirst, To: on(day).dayFirst },
  };
};

const benchmark = (firm: Firm, dimension: string, segment: string, day: number) => {
  const brands =
    dimension === 'BUSINESS_TYPE' ? whole(6, 30, firm.id, 'brands') : whole(22, 480, firm.id, dimension);
  const isEnough = brands >= 20;
  return {
    clientNumber: firm.id,
    dimension,
    segment,
    comparableBrandCount: brands,
    sampleStatus: isEnough ? 'SUFFICIENT' : 'INSUFFICIENT_SAMPLE',
    percentile: isEnough ? whole(8, 97, firm.id, dimension, 'percentile', day) : null,
    medianAiRank: isEnough ? decimal(38, 56, 1, firm.id, dimension, 'median', day) : null,
    upperQuartileAiRank: isEnough ? decimal(58, 72, 1, firm.id, dimension, 'quartile', day) : null,
    ownAiRank: rankOf(firm, day),
  };
};

const bots = [
  ['GPTBot', 'OpenAI', 'TRAINING'],
  ['OAI-SearchBot', 'OpenAI', 'SEARCH_INDEX'],
  ['ChatGPT-User', 'OpenAI', 'USER_FETCH'],
  ['PerplexityBot', 'Perplexity', 'SEARCH_INDEX'],
  ['ClaudeBot', 'Anthropic', 'TRAINING'],
  ['Google-Extended', 'Google', 'TRAINING'],
  ['bingbot', 'Microsoft', 'SEARCH_INDEX'],
  ['CCBot', 'Common Crawl', 'TRAINING'],
] as const;

const crawl = (firm: Firm, [bot, operator, purpose]: (typeof bots)[number], day: number) => ({
  clientRef: firm.id,
  botName: bot,
  operator,
  botPurpose: purpose,
  siteHost: firm.domain,
  healthStatus: pick(['HEALTHY', 'DEGRADED', 'BLOCKED'], firm.id, bot, 'health'),
  visitCount: grouped(whole(12, 6400, firm.id, bot, 'visits', day)),
  failureProportion: `${decimal(0, 18, 1, firm.id, bot, 'errors', day)}%`,
  meanResponseMs: whole(90, 1400, firm.id, bot, 'mean', day),
  slowestResponseMs: whole(1500, 9000, firm.id, bot, 'slowest', day),
  bytesServed: whole(10 ** 5, 10 ** 9, firm.id, bot, 'bytes', day),
  renderMode: pick(['HTML_ONLY', 'FULL_JAVASCRIPT'], firm.id, bot),
  lastVisitAt: on(day, -whole(5, 600, firm.id, bot, 'last', day)).local,
  sitemapListed: true,
});

export const shopRoutes: Routes<Firm> = {
  products: ({ firm, day }) => ({
    productos: firm.topics.flatMap((topic) => makes.map((make) => product(firm, topic, make, day))),
    catalogueSyncedAt: on(day, -300).utc,
    pricedIn: agency.currency,
  }),
  shopping: ({ day }) => ({
    merchants: ofFirms((firm) => [firm.name, ...shops].map((name) => merchant(firm, name, day))),
    purchaseQuestions: { quantity: 38, proportion: 0.31 },
  }),
  revenue: ({ day }) => ({
    porCanal: ofFirms((firm) =>
      [...engines.map(([code]) => code), 'AI_OVERVIEW'].map((one) => revenue(firm, one, day)),
    ),
    funnelStages: ['SESSION', 'BASKET', 'ORDER'],
  }),
  benchmark: ({ day }) => ({
    cortes: ofFirms((firm) => [
      benchmark(firm, 'GLOBAL', 'All brands', day),
      benchmark(firm, 'SECTOR', firm.sector, day),
      benchmark(firm, 'BUSINESS_TYPE', 'Online retailer', day),
      benchmark(firm, 'COUNTRY', firm.country, day),
    ]),
    minimumSample: 20,
  }),
  crawl: ({ day }) => ({
    salud: ofFirms((firm) => bots.map((bot) => crawl(firm, bot, day))),
    sitemaps: range(1, 2).map((part) => ({ path: `/sitemap-${part}.xml`, urlCount: 310 * part })),
  }),
};

export const shopTruth: Truth = {
  'products.id': at('productId'),
  'products.sku': at('stockKeepingUnit'),
  'products.title': at('name'),
  'products.url': at('productPage'),
  'products.price': money('listPrice.value'),
  'products.currency': at('listPrice.currency', 'priceQuotedByAi.currency'),
  'products.ai_price': money('priceQuotedByAi.value'),
  'products.is_measured': at('isMeasured'),
  'products.presence': at('visibility.presencePct | percent'),
  'products.win': at('visibility.winPct | percent'),
  'products.updated': at('lastUpdatedAt'),
  'merchants.client': at('clientId'),
  'merchants.merchant': at('merchant.displayName'),
  'merchants.links': at('linkCount'),
  'merchants.share': at('proportionOfLinks'),
  'merchants.destination': at('destinationType'),
  'merchants.is_recommended': at('recommendedToBuy'),
  'revenue.client': at('ClientNumber'),
  'revenue.channel': at('Channel'),
  'revenue.currency': at('AttributedRevenue.Currency'),
  'revenue.amount': money('AttributedRevenue.Value'),
  'revenue.orders': at('OrderQuantity'),
  'revenue.period_start': at('Period.From | dmy'),
  'revenue.period_end': at('Period.To | dmy'),
  'revenue.sessions': at('SessionQuantity | point'),
  'revenue.product': at('TopProduct.Name', 'TopProduct'),
  'revenue.landing': at('LandingPage'),
  'revenue.provenance': at('Provenance'),
  'benchmark.client': at('clientNumber'),
  'benchmark.cut': at('dimension'),
  'benchmark.value': at('segment'),
  'benchmark.brands': at('comparableBrandCount'),
  'benchmark.status': at('sampleStatus'),
  'benchmark.percentile': at('percentile'),
  'benchmark.median': at('medianAiRank'),
  'crawl.client': at('clientRef'),
  'crawl.bot': at('botName'),
  'crawl.domain': at('siteHost'),
  'crawl.purpose': at('botPurpose'),
  'crawl.status': at('healthStatus'),
  'crawl.visits': at('visitCount | point'),
  'crawl.error': percent('failureProportion'),
  'crawl.mean_ms': at('meanResponseMs'),
  'crawl.bytes': at('bytesServed'),
  'crawl.render': at('renderMode'),
  'crawl.last_visit': at('lastVisitAt'),
};
