// AI bots on the customer's site, and the surfaces seen per engine.
import { decimal, type JsonObject, raw } from '../json-literal.ts';
import { at, Dice, hashOf } from '../random.ts';
import { type Listing, states } from './listing.ts';
import { questionText } from './questions.ts';
import { clientOf, dateOf, instantIn, type Scope } from './scope.ts';
import { engines } from './vocabulary.ts';

const bots = [
  { bot: 'GPTBot', purpose: 'entrenamiento' },
  { bot: 'OAI-SearchBot', purpose: 'busqueda' },
  { bot: 'ClaudeBot', purpose: 'entrenamiento' },
  { bot: 'PerplexityBot', purpose: 'busqueda' },
  { bot: 'Google-Extended', purpose: 'entrenamiento' },
  { bot: 'ChatGPT-User', purpose: 'usuario' },
] as const;

/** `crawl`: brand and bot together name a record. */
export function crawl(scope: Scope): Listing {
  const options = { name: 'rastreo', perBrand: bots.length, permanent: true };
  return states(scope, options, ({ brand, slot, state, changed }) => {
    const { bot, purpose } = at(bots, slot);
    return {
      bot,
      dominio: brand.domain,
      cliente: clientOf(brand),
      proposito: purpose,
      estado: state.pick(['sano', 'sano', 'sano', 'con_errores', 'bloqueado']),
      visitas7d: state.int(0, 900),
      errores: decimal(state.fraction() * 0.2, 3),
      mediaMs: state.int(80, 1900),
      bytes: raw(
        `${state.int(10_000, 99_999)}${String(state.next()).padStart(10, '0')}${state.int(100, 999)}`,
      ),
      render: state.pick(['html', 'js_requerido']),
      ultimaVisita: instantIn(changed, state.int(0, 1439)),
      actualizado: dateOf(changed),
    };
  });
}

/** What `crawl` says beside its list. */
export function crawlRest(scope: Scope): JsonObject {
  const week = Math.floor(scope.today / 7);
  const draw = hashOf(scope.seed, 'sitemap', week);
  return {
    sitemap: { urls: 140 + (draw % 60), rastreadas: 90 + (draw % 50), revisado: dateOf(week * 7) },
    rastreoYCita: {
      rastreadasYCitadas: draw % 30,
      rastreadasSinCita: 40 + (draw % 30),
      citadasSinRastreo: draw % 6,
    },
    retencionDias: 90,
  };
}

const surfaceKinds = ['texto', 'fuentes', 'anuncios', 'mapas', 'compras'] as const;
/** What an engine's interface does not show. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  claude: ['anuncios', 'mapas', 'compras'],
  chatgpt: ['anuncios'],
  perplexity: ['mapas'],
  copilot: ['mapas', 'compras'],
};

/** `surfaces`: engine by question; three values, yes, no and not available. */
export function surfaces(scope: Scope): JsonObject {
  const { brand, today } = scope;
  const round = Math.floor(today / 3);
  return {
    fecha: dateOf(round * 3),
    empresa: brand.name,
    superficies: engines.flatMap((engine) =>
      [0, 1, 2].map((slot) => {
        const dice = new Dice(scope.seed, 'superficie', engine, slot, Math.floor((today + slot * 11) / 33));
        return {
          motor: engine,
          pregunta: questionText(brand, slot, 0),
          ...Object.fromEntries(surfaceKinds.map((kind) => [kind, surfaceValue(engine, kind, dice)])),
        };
      }),
    ),
  };
}

function surfaceValue(engine: string, kind: string, dice: Dice): string {
  if (unseen[engine]?.includes(kind)) return 'no disponible';
  return dice.chance(kind === 'texto' ? 0.95 : 0.35) ? 'sí' : 'no';
}
