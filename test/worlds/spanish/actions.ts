// The action centre, the account's actions with their titles, experiments, and versions of pages.
import { chance, decimal, pick, whole } from '../english/kit.ts';
import { comma, round } from '../kit.ts';
import { at, is, isoDate, seconds, slashed, type Theme, unsure, uuid, withComma } from './kit.ts';
import { account, owners } from './owners.ts';

const kinds = ['contenido', 'técnica', 'reseñas', 'enlaces', 'ficha de producto'] as const;
const metrics = ['presencia', 'índice', 'citas propias'] as const;

interface Work {
  readonly seed: string;
  readonly owner: (typeof owners)[number];
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly metric: string;
  readonly opened: number;
}

/** Each day brings one more for each owner. */
function work(day: number): Work[] {
  return owners.flatMap((owner) =>
    Array.from({ length: 20 + day }, (_, index) => {
      const seed = `${owner.slug}-${index}`;
      const kind = pick(kinds, 'kind', seed);
      return {
        seed,
        owner,
        id: uuid('work', seed),
        kind,
        title: `${kind}: ${pick(owner.goods, 'good', seed)} (${index + 1})`,
        metric: pick(metrics, 'metric', seed),
        opened: index < 20 ? at(-whole(3, 120, 'opened', seed), 11) : at(index - 19, 11),
      };
    }),
  );
}

/** What is open moves on: one in ten a day. */
function statusOf(seed: string, day: number): string {
  const states = ['pendiente', 'en curso', 'hecha'];
  const first = whole(0, 2, 'status', seed);
  let steps = 0;
  for (let date = 1; date <= day; date += 1) if (chance('step', date, seed) < 0.1) steps += 1;
  if (chance('later', seed) < 0.12) return steps > 0 ? 'en curso' : 'pospuesta';
  return states[Math.min(2, first + steps)] ?? 'hecha';
}

/** When the status moved last; before the first run date where it has not since. */
function lastStep(seed: string, day: number): number {
  let last = -whole(1, 20, 'last', seed);
  for (let date = 1; date <= day; date += 1) if (chance('step', date, seed) < 0.1) last = date;
  return at(last, 12);
}

function centre(day: number): unknown[] {
  return work(day).map(({ seed, owner, id, kind, metric, opened }) => {
    const status = statusOf(seed, day);
    const from = whole(1, 4, 'from', seed);
    return {
      ref: id,
      destinatario: owner.id === null ? null : { id: owner.id, nombre: owner.name },
      ambito: kind,
      situacion: status,
      abierta: seconds(opened),
      hasta: status === 'pospuesta' ? slashed(at(whole(10, 60, 'until', seed))) : null,
      efecto: {
        nivel: pick(['alto', 'medio', 'bajo'], 'impact', seed),
        horas: whole(1, 30, 'hours', seed),
      },
      prevision: {
        indicador: metric,
        rango: [from, from + whole(1, 4, 'to', seed)],
        fijada: slashed(opened + 86_400_000),
      },
      res_medido: status === 'hecha' ? decimal(-1, 7, 1, 'observed', seed) : null,
      evidencias: [{ ruta: 'prompts', n: whole(1, 9, 'evidence', seed) }],
      asignada_a: pick(['marta', 'iker', 'lucía'], seed),
      ult_cambio: seconds(Math.max(opened, lastStep(seed, day))),
      version: 3,
    };
  });
}

function experiments(day: number): unknown[] {
  return Array.from({ length: 60 }, (_, index) => {
    const seed = `experiment-${index}`;
    const start = -whole(20, 150, 'start', seed);
    const ended = start + 28 <= day;
    const before = decimal(20, 70, 1, 'before', seed);
    const gain = decimal(-2, 8, 1, 'gain', seed);
    return {
      codigo: `exp-2026-${String(index + 1).padStart(3, '0')}`,
      intervencion: `Cambiar ${pick(kinds, 'kind', seed)} en ${pick(['portada', 'blog', 'fichas'], seed)}`,
      hipot: `Si se cambia, sube el indicador «${pick(metrics, 'metric', seed)}»`,
      ventana: [isoDate(at(start)), isoDate(at(start + 28))],
      indicador: pick(metrics, 'metric', seed),
      fase: ended ? 'cerrado' : 'abierto',
      medias: { antes: comma(before, 1), despues: ended ? comma(before + gain, 1) : null },
      cambio_previsto: decimal(1, 6, 1, 'expected', seed),
      cambio_visto: ended ? gain : null,
      valor_p: ended ? decimal(0.01, 0.6, 3, 'p', seed) : null,
      aprendizaje: null,
      control: pick(['ninguno', 'sector'], seed),
    };
  });
}

function versions(day: number): unknown[] {
  return Array.from({ length: 72 }, (_, index) => {
    const owner = owners[index % owners.length] ?? account;
    const seed = `page-${index}`;
    const before = decimal(30, 70, 1, 'quality', seed);
    // The day and the month are both below 13 throughout.
    const month = whole(1, 5, 'month', seed);
    const made = Date.UTC(2026, month - 1, whole(1, 12, 'made', seed));
    return {
      vers: `${owner.slug}-p${Math.floor(index / 6)}-v${(index % 3) + 1}`,
      pagina: `https://${owner.site}/p/${Math.floor(index / 6)}`,
      etapa: pick(
        ['aprobada', 'borrador creado', 'exportada', 'revertida'],
        seed,
        index % 9 === day ? day : 0,
      ),
      calidad: { antes: before, despues: round(before + decimal(0, 22, 1, 'better', seed)), tope: 100 },
      legibilidad: decimal(40, 90, 1, 'readable', seed),
      hecha: slashed(made),
      palabras: whole(200, 2_400, 'words', seed),
      ensayo: false,
    };
  });
}

export const actions: Theme = {
  routes: {
    actions: ({ day }) => ({ acciones: centre(day), resumen: { abiertas: 60, hechas: 44 } }),
    acciones: ({ day }) => ({
      acciones: work(day).map(({ id, title, kind, opened, owner }) => ({
        id,
        titulo: title,
        grupo: kind,
        creada: slashed(opened),
        cliente: owner.name,
      })),
    }),
    experiments: ({ day }) => ({ experimentos: experiments(day), causal: false }),
    optimizer: ({ day }) => ({
      versiones: versions(day),
      ultima: { pagina: `https://${account.site}/p/0`, hecha: slashed(at(day)) },
    }),
  },
  truth: {
    'actions.client': is('destinatario.id'),
    'actions.id': is('ref'),
    'actions.kind': is('ambito'),
    'actions.status': is('situacion'),
    'actions.created': is('abierta'),
    'actions.postponed_until': is('hasta | dmy'),
    'actions.impact_level': is('efecto.nivel'),
    'actions.expectation_metric': is('prevision.indicador'),
    'actions.expectation_from': is('prevision.rango[0]', 'prevision.rango[] | first'),
    'actions.expectation_to': is('prevision.rango[1]', 'prevision.rango[-1]', 'prevision.rango[] | last'),
    'actions.expectation_frozen': is('prevision.fijada | dmy'),
    'actions.expectation': is('prevision'),
    'actions.result_observed': is('res_medido'),
    'acciones.client': is('cliente'),
    'acciones.id': is('id'),
    'acciones.title': is('titulo'),
    'acciones.kind': is('grupo'),
    'acciones.created': is('creada | dmy'),
    'experiments.id': is('codigo'),
    'experiments.action': is('intervencion'),
    'experiments.hypothesis': is('hipot'),
    'experiments.starts': is('ventana[0]', 'ventana[] | first'),
    'experiments.ends': is('ventana[1]', 'ventana[-1]', 'ventana[] | last'),
    'experiments.metric': is('indicador'),
    'experiments.status': is('fase'),
    'experiments.before': withComma('medias.antes'),
    'experiments.after': withComma('medias.despues'),
    'experiments.expected': is('cambio_previsto'),
    'experiments.actual': is('cambio_visto'),
    'optimizer.id': is('vers'),
    'optimizer.url': is('pagina'),
    'optimizer.status': is('etapa'),
    'optimizer.before': is('calidad.antes'),
    'optimizer.after': is('calidad.despues'),
    'optimizer.created': unsure('hecha | dmy'),
  },
};
