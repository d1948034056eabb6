// The account itself: its clients and its actions.
import { decimal, type JsonObject, type Records } from '../json-literal.ts';
import { hashOf } from '../random.ts';
import { list, type Route } from '../route.ts';
import { rankScore } from './figures.ts';
import { type Slot, states } from './listing.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';

/** `clientes`: the clients stay, so that dashboards by client do too; a few details change. */
function clients(scope: Scope): Records {
  const brands = scope.brands.slice(1);
  return states(
    scope,
    { name: 'clientes', perBrand: 1, brands, permanent: true },
    ({ brand, fixed, state, changed }) => ({
      id: brand.id ?? null,
      nombre: brand.name,
      sector: brand.sector.name,
      tipo: brand.sector.kind,
      ubicacion: { ciudad: brand.place.city, pais: brand.place.country },
      dominio: brand.domain,
      moneda: brand.place.currency,
      estado: fixed.chance(0.9) ? 'activo' : 'en_pausa',
      responsable: state.pick(['Lucía Peña', 'Íñigo Ruiz', 'Zoë Martín', 'Nuño Ares']),
      alta: dateOf(scope.since - fixed.int(20, 400)),
      actualizado: dateOf(changed),
    }),
  );
}

const actionKinds = [
  'contenido',
  'datos_estructurados',
  'resenas',
  'enlaces',
  'producto',
  'tecnica',
] as const;
const actionStates = ['propuesta', 'aprobada', 'en_curso', 'pospuesta', 'hecha', 'descartada'] as const;

/** `acciones`: the actions of the action centre, in the same state. */
function accountActions(scope: Scope): Records {
  return actionSlots(scope, (slot) => ({
    ...actionHead(scope, slot),
    estado: slot.state.pick(actionStates),
    actualizado: dateOf(slot.changed),
  }));
}

/** `actions`: the action centre, with evidence and the expectation frozen when the action was created. */
function actionCentre(scope: Scope): Records {
  return actionSlots(scope, (slot) => {
    const { brand, fixed, state, born, changed } = slot;
    const head = actionHead(scope, slot);
    const status = state.pick(actionStates);
    const before = rankScore(scope, brand, 'v2', born);
    const hoped = 1 + fixed.fraction() * 6;
    const observed = rankScore(scope, brand, 'v2', changed);
    return {
      ...head,
      estado: status,
      pospuestaHasta: status === 'pospuesta' ? dateOf(changed + 21) : null,
      impacto: { nivel: hoped > 5 ? 'alto' : hoped > 3 ? 'medio' : 'bajo', puntos: decimal(hoped, 2) },
      expectativa: {
        metrica: 'puntuacion',
        desde: decimal(before, 1),
        hasta: decimal(Math.min(100, before + hoped), 1),
        congelada: dateOf(born),
      },
      resultado:
        status === 'hecha'
          ? { observado: decimal(observed, 1), lectura: readingOf(observed - before) }
          : null,
      actualizado: dateOf(changed),
    };
  });
}

function readingOf(moved: number): string {
  if (Math.abs(moved) < 1) return 'sin_cambio';
  return moved > 0 ? 'mejora' : 'empeora';
}

function actionSlots(scope: Scope, build: (slot: Slot) => JsonObject): Records {
  return states(scope, { name: 'acciones', perBrand: 5 }, build);
}

/** Gives an action the same id, title and kind in both routes. */
function actionHead(scope: Scope, { brand, slot, life, fixed, born }: Slot): JsonObject {
  const kind = fixed.pick(actionKinds);
  const topic = fixed.pick(brand.sector.topics);
  return {
    id: actionId(scope, brand.index, slot, life),
    cliente: clientOf(brand),
    titulo: `${fixed.pick(['Publicar una guía sobre', 'Mejorar la ficha de', 'Responder dudas de', 'Pedir reseñas de'])} ${topic}`,
    tipo: kind,
    prioridad: fixed.int(1, 5),
    creada: dateOf(born),
  };
}

function actionId(scope: Scope, brand: number, slot: number, life: number): string {
  return `acc_${brand}_${slot}_${hashOf(scope.seed, 'accion', brand, slot, life).toString(36)}`;
}

export const routes: readonly Route[] = [
  list('clientes', 'clientes', clients),
  list('acciones', 'acciones', accountActions),
  list('actions', 'acciones', actionCentre),
];
