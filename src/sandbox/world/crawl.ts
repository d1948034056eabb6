// AI bots on the customer's site, and the surfaces seen by each engine.
import { dayMs } from '../../core/run-date.ts';
import { decimal, type JsonObject, type Records, raw } from '../json-literal.ts';
import { at, Dice, hashOf } from '../random.ts';
import { list, type Route, single } from '../route.ts';
import { type Slot, states } from './listing.ts';
import { answersIn, roundsOf } from './measured.ts';
import { questionText } from './questions.ts';
import { clientOf, dateOf, instantIn, type Scope, weekdayOf } from './scope.ts';

const bots = [
  { bot: 'GPTBot', purpose: 'entrenamiento' },
  { bot: 'OAI-SearchBot', purpose: 'busqueda' },
  { bot: 'ClaudeBot', purpose: 'entrenamiento' },
  { bot: 'PerplexityBot', purpose: 'busqueda' },
  { bot: 'Google-Extended', purpose: 'entrenamiento' },
  { bot: 'ChatGPT-User', purpose: 'usuario' },
] as const;

const crawlers = { name: 'rastreo', perBrand: bots.length, permanent: true } as const;

/** Draws a bot's visits to a site in the seven days up to `ends`; `week` is for further draws. */
function weekOf(scope: Scope, { brand, slot, fixed }: Slot, ends: number) {
  const week = new Dice(scope.seed, 'visitas', brand.index, slot, ends);
  const visits = Math.round(fixed.int(0, 700) * (0.7 + week.fraction() * 0.6));
  return { week, visits, failed: week.fraction() * 0.2 };
}

/** `crawl`: brand and bot together identify a record. Visits are those of the seven days that end with its date. */
function crawl(scope: Scope): Records {
  return states(scope, crawlers, (listed) => {
    const { brand, slot, state } = listed;
    const { bot, purpose } = at(bots, slot);
    const ends = weekdayOf(brand, scope.today);
    const { week, visits, failed } = weekOf(scope, listed, ends);
    return {
      bot,
      dominio: brand.domain,
      cliente: clientOf(brand),
      proposito: purpose,
      estado: state.pick(['sano', 'sano', 'sano', 'con_errores', 'bloqueado']),
      visitas7d: visits,
      errores: decimal(failed, 3),
      mediaMs: week.int(80, 1900),
      bytes: raw(`${week.int(10_000, 99_999)}${String(week.next()).padStart(10, '0')}${week.int(100, 999)}`),
      render: state.pick(['html', 'js_requerido']),
      ultimaVisita: instantIn(ends, week.int(0, 1439)),
      actualizado: dateOf(ends),
    };
  });
}

/** Enough for a demo. */
const loggedSites = 6;

/**
 * Writes a day's access log of the sites, as nginx does with escape=json; it has the visits that `crawl` counts week by
 * week.
 */
export function accessLog(scope: Scope): string {
  const options = { ...crawlers, brands: scope.brands.slice(0, loggedSites) };
  const day = new Date(scope.today * dayMs).toISOString().slice(0, 10);
  return states(scope, options, (listed) => {
    const { brand, slot } = listed;
    const ends = weekdayOf(brand, scope.today + 6);
    const { visits, failed } = weekOf(scope, listed, ends);
    const until = (days: number) => Math.floor((visits * days) / 7);
    const before = until(6 - (ends - scope.today));
    const count = until(7 - (ends - scope.today)) - before;
    const line = (place: number) => {
      const time = new Date((86_400 / count) * place * 1_000).toISOString().slice(11, 19);
      // The last visits of a day fail.
      const status = place >= count * (1 - failed) ? 503 : 200;
      const request = { http_host: brand.domain, request_uri: `/pagina-${place % 9}`, status };
      const agent = `Mozilla/5.0 (compatible; ${at(bots, slot).bot}/1.0)`;
      const event = { time_iso8601: `${day}T${time}+00:00`, remote_addr: `192.0.2.${slot + 1}`, ...request };
      return `${JSON.stringify({ ...event, http_user_agent: agent })}\n`;
    };
    return Array.from({ length: count }, (_, place) => line(place)).join('');
  }).join('');
}

/** Returns the part of `crawl` beside its list: the sitemap, and pages that are crawled and cited. */
function crawlRest(scope: Scope): JsonObject {
  const week = Math.floor(scope.today / 7);
  const draw = hashOf(scope.seed, 'sitemap', week);
  const crawled = 90 + (draw % 50);
  const cited = scope.brands.flatMap((brand) => {
    const pages = answersIn(roundsOf(scope, brand)).flatMap((answer) => answer.pages);
    return [...new Set(pages.filter(({ own }) => own).map(({ url }) => url))];
  }).length;
  const unseen = Math.min(cited, draw % 3);
  return {
    sitemap: { urls: crawled + 10 + (draw % 40), rastreadas: crawled, revisado: dateOf(week * 7) },
    rastreoYCita: {
      rastreadasYCitadas: cited - unseen,
      rastreadasSinCita: Math.max(0, crawled - cited + unseen),
      citadasSinRastreo: unseen,
    },
  };
}

const surfaceKinds = ['texto', 'anuncios', 'mapas', 'compras'] as const;
/** Surfaces that an engine's interface does not have. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  claude: ['anuncios', 'mapas', 'compras'],
  chatgpt: ['anuncios'],
  perplexity: ['mapas'],
  copilot: ['mapas', 'compras'],
};

/** `surfaces`: engine by question, as the last measurement saw them: yes, no or not available. */
function surfaces(scope: Scope): JsonObject {
  const { brand } = scope;
  const [last] = roundsOf(scope, brand, 1);
  const seen = (last?.answers ?? []).filter(({ question }) => question < 4);
  return {
    fecha: dateOf(last?.day ?? scope.asked),
    empresa: brand.name,
    superficies: seen.map(({ engine, question, pages }) => {
      const dice = new Dice(
        scope.seed,
        'superficie',
        engine,
        question,
        Math.floor((scope.today + question * 11) / 33),
      );
      return {
        motor: engine,
        pregunta: questionText(brand, question),
        ...Object.fromEntries(surfaceKinds.map((kind) => [kind, surfaceValue(engine, kind, dice)])),
        fuentes: pages.length > 0 ? 'sí' : 'no',
      };
    }),
  };
}

function surfaceValue(engine: string, kind: string, dice: Dice): string {
  if (unseen[engine]?.includes(kind)) return 'no disponible';
  return kind === 'texto' || dice.chance(0.35) ? 'sí' : 'no';
}

export const routes: readonly Route[] = [
  list('crawl', 'salud', crawl, crawlRest),
  single('surfaces', surfaces),
];
