// Tells by a user agent which AI bot a request is of, and lists the bots.
import { createHash } from 'node:crypto';

/** A crawler of an AI service. */
export interface Bot {
  readonly name: string;
  readonly operator: string | null;
  /** What it fetches for: to train models, to search, or because a person asked just now. */
  readonly purpose: 'training' | 'search' | 'user' | null;
}

export type FindBot = (userAgent: string | null) => Bot | null;

/**
 * Who crawls for AI services: the entries of crawler-user-agents 1.60.0 (MIT) with the tag ai-crawler, and the
 * names on the list of ai.robots.txt as of 2026-11 that it lacks or calls something else. Names are words of
 * the user agent, in any letter case; a pattern stands where the name alone is a word of other agents too.
 * A test compares this with the package.
 */
interface ListedBot extends Bot {
  /** Source of a regular expression, where it is not the name. */
  readonly pattern?: string;
}

type Row = readonly [name: string, operator: string | null, pattern?: string];

const training: readonly Row[] = [
  ['AI2Bot', 'Ai2'],
  ['AI2Bot-Dolma', 'Ai2'],
  ['anthropic-ai', 'Anthropic'],
  ['Applebot-Extended', 'Apple'],
  ['Brightbot', 'Bright Data'],
  ['Bytespider', 'ByteDance'],
  ['CCBot', 'Common Crawl'],
  ['ChatGLM-Spider', 'Zhipu AI'],
  ['ClaudeBot', 'Anthropic'],
  ['Claude-Web', 'Anthropic'],
  ['cohere-training-data-crawler', 'Cohere'],
  ['Cotoyogi', 'ROIS'],
  ['DeepSeekBot', 'DeepSeek'],
  ['FacebookBot', 'Meta'],
  ['Factset_spyderbot', 'FactSet'],
  ['FriendlyCrawler', null],
  ['GPTBot', 'OpenAI'],
  ['ICC-Crawler', 'NICT'],
  ['ImageMind', null],
  ['imageSpider', 'ByteDance'],
  ['img2dataset', null],
  ['ISSCyberRiskCrawler', 'ISS'],
  ['Kangaroo Bot', 'Kangaroo LLM'],
  ['KunatoCrawler', 'Kunato'],
  ['LAIONDownloader', 'LAION'],
  ['laion-huggingface-processor', 'LAION'],
  ['meta-externalagent', 'Meta'],
  ['Novellum', 'Novellum'],
  ['omgili', 'Webz.io', 'omgili(?:bot)?'],
  ['PanguBot', 'Huawei'],
  ['SBIntuitionsBot', 'SB Intuitions'],
  ['semantic-visions', 'Semantic Visions', 'semantic-visions(?=[-.])'],
  ['Sidetrade indexer bot', 'Sidetrade'],
  ['Spawning-AI', 'Spawning'],
  ['The Knowledge AI', null],
  ['TikTokSpider', 'ByteDance'],
  ['Timpibot', 'Timpi'],
  ['VelenPublicWebCrawler', 'Velen'],
  ['Webzio-Extended', 'Webz.io'],
  ['YandexAdditional', 'Yandex', 'YandexAdditional(?:Bot)?'],
];

const search: readonly Row[] = [
  ['AddSearchBot', 'AddSearch'],
  ['AISearchBot', null],
  ['AIWebIndex', 'Lyrenth'],
  ['Amazonbot', 'Amazon'],
  ['amazon-kendra', 'Amazon'],
  ['Amzn-SearchBot', 'Amazon'],
  ['Andibot', 'Andi'],
  ['Anomura', 'Direqt', 'Anomura/'],
  ['Applebot', 'Apple'],
  ['Aranet-SearchBot', 'Aranet'],
  ['atlassian-bot', 'Atlassian'],
  ['AzureAI-SearchBot', 'Microsoft'],
  ['Bravebot', 'Brave'],
  ['Channel3Bot', 'Channel3'],
  ['Claude-SearchBot', 'Anthropic'],
  ['Cloudflare-AutoRAG', 'Cloudflare'],
  ['ExaBot', 'Exa', 'ExaBot(?!\\.com|.*exabot\\.com)'],
  ['ExaSearchBot', 'Exa'],
  ['Flyriverbot', 'Flyriver'],
  ['Google-CloudVertexBot', 'Google', '(?:Google-)?CloudVertexBot'],
  ['HenkBot', 'Valyu'],
  ['iAskBot', 'iAsk'],
  ['iaskspider', 'iAsk'],
  ['IbouBot', 'Ibou'],
  ['Kagibot', 'Kagi'],
  ['KendraBot', 'Amazon'],
  ['LinerBot', 'Liner'],
  ['LinkupBot', 'Linkup'],
  ['meta-webindexer', 'Meta'],
  ['OAI-SearchBot', 'OpenAI'],
  ['PerplexityBot', 'Perplexity'],
  ['PetalBot', 'Huawei'],
  ['PhindBot', 'Phind'],
  ['QueritBot', 'Querit'],
  ['Querit-SearchBot', 'Querit'],
  ['ShapBot', 'Parallel'],
  ['TavilyBot', 'Tavily'],
  ['TerraCotta', 'Ceramic', 'Terra ?Cotta'],
  ['YouBot', 'You.com'],
  ['ZanistaBot', 'Zanista'],
];

const user: readonly Row[] = [
  ['AI2Bot-DeepResearchEval', 'Ai2'],
  ['AmazonBuyForMe', 'Amazon'],
  ['amazon-QBusiness', 'Amazon'],
  ['Amzn-User', 'Amazon'],
  ['bedrockbot', 'Amazon'],
  ['bigsur.ai', 'Big Sur AI', 'bigsur\\.ai'],
  ['ChatGPT Agent', 'OpenAI'],
  ['ChatGPT-User', 'OpenAI'],
  ['Claude-Code', 'Anthropic'],
  ['Claude-User', 'Anthropic'],
  ['cohere-ai', 'Cohere'],
  ['Devin', 'Cognition', 'Devin/\\d'],
  ['DuckAssistBot', 'DuckDuckGo'],
  ['FirecrawlAgent', 'Firecrawl'],
  ['GeistHaus-PageFetcher', 'GeistHaus'],
  ['Gemini-Deep-Research', 'Google'],
  ['GoogleAgent-Mariner', 'Google'],
  ['GoogleAgent-URLContext', 'Google'],
  ['Google-Agent', 'Google'],
  ['Google-Firebase', 'Google'],
  ['Google-Gemini-CLI', 'Google'],
  ['Google-NotebookLM', 'Google', '(?:Google-)?NotebookLM'],
  ['kagi-fetcher', 'Kagi'],
  ['Kimi-User', 'Moonshot AI'],
  ['KlaviyoAIBot', 'Klaviyo'],
  ['linkReader', 'Sider', 'linkReader/'],
  ['Manus-User', 'Manus'],
  ['meta-externalfetcher', 'Meta'],
  ['MistralAI-User', 'Mistral AI'],
  ['NovaAct', 'Amazon'],
  ['opencode', null, 'opencode[-/]'],
  ['Perplexity-User', 'Perplexity', 'Perplexity-?User'],
  ['Poggio-Citations', 'Poggio'],
  ['QualifiedBot', 'Qualified'],
  ['Shap-User', 'Parallel'],
  ['TongyiBot', 'Alibaba'],
  ['Trae', 'ByteDance', 'Trae/\\d'],
  ['TwinAgent', 'Twin'],
  ['UseAI', 'Use AI', 'UseAI/'],
  ['YiyanBot', 'Baidu'],
];

const unknown: readonly Row[] = [
  ['aiHitBot', 'aiHit'],
  ['ApifyBot', 'Apify'],
  ['ApifyWebsiteContentCrawler', 'Apify'],
  ['CragCrawler', 'CragSoftware'],
  ['Crawl4AI', null, 'crawl4ai'],
  ['Crawlspace', 'Crawlspace', 'Crawlspace/'],
  ['Diffbot', 'Diffbot'],
  ['EchoboxBot', 'Echobox'],
  ['ExteContextCrawl', 'Exte'],
  ['GoogleOther', 'Google', 'GoogleOther(?:-Image|-Video)?'],
  ['ImagesiftBot', 'ImageSift'],
  ['Mozilla-Tabstack', 'Mozilla'],
  ['MyCentralAIScraperBot', null],
  ['NagetBot', 'Naget'],
  ['newsai', null, 'newsai/'],
  ['Poseidon Research Crawler', 'Poseidon Research'],
  ['QuillBot', 'QuillBot'],
  ['Reflectionbot', 'Reflection'],
  ['spider.com', 'Spider', 'Spider(?=.*spider\\.com)'],
  ['TaraGroup Intelligent Bot', 'TaraGroup'],
  ['Thinkbot', 'Thinkbot', 'Thinkbot/'],
  ['TSM-turingos', 'TuringOS'],
  ['WARDBot', 'WEBSPARK'],
  ['WRTNBot', 'Wrtn'],
];

export const botList: readonly ListedBot[] = [
  ...listed('training', training),
  ...listed('search', search),
  ...listed('user', user),
  ...listed(null, unknown),
];

function listed(purpose: Bot['purpose'], rows: readonly Row[]): ListedBot[] {
  return rows.map(([name, operator, pattern]) => ({
    name,
    operator,
    purpose,
    ...(pattern === undefined ? {} : { pattern }),
  }));
}

/** So many user agents are remembered; a site sees far fewer in a day. */
const mostRemembered = 20_000;

/** One expression over all bots, asked once for each user agent. */
export function createFindBot(bots: readonly ListedBot[] = botList): FindBot {
  // Longer names first: Applebot is in Applebot-Extended.
  const sorted = bots.toSorted((one, other) => other.name.length - one.name.length);
  const expression = new RegExp(`\\b(?:${sorted.map((bot) => `(${patternOf(bot)})`).join('|')})`, 'i');
  const known = new Map<string, Bot | null>();
  return (userAgent) => {
    if (userAgent === null) return null;
    const seen = known.get(userAgent);
    if (seen !== undefined) return seen;
    const groups = expression.exec(userAgent)?.slice(1) ?? [];
    const bot = sorted[groups.findIndex((group) => group !== undefined)] ?? null;
    if (known.size === mostRemembered) known.clear();
    // A copy: a piece of a line holds the whole block in memory.
    known.set(Buffer.from(userAgent).toString(), bot);
    return bot;
  };
}

/** Changes whenever the list does: the filter that a chunk was made with. */
export function botsVersion(bots: readonly ListedBot[] = botList): string {
  return createHash('sha256').update(JSON.stringify(bots)).digest('hex').slice(0, 16);
}

/** A name is a word: it ends where letters and digits end. */
function patternOf({ name, pattern }: ListedBot): string {
  return pattern ?? `${name.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&')}(?![a-z0-9])`;
}
