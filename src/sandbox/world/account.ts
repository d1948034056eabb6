// The account itself: its clients and its actions.
import { decimal, type JsonObject } from '../json-literal.ts';
import { hashOf } from '../random.ts';
import { type Listing, type Slot, states } from './listing.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';

/** `clientes`: they stay, so that dashboards by client do too; a few details change. */
export function clients(scope: Scope): Listing {
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

/** `acciones` */
export function accountActions(scope: Scope): Listing {
  return actionSlots(scope, 'acciones', (slot) => ({
    ...actionHead(scope, slot),
    estado: slot.state.pick(actionStates),
    actualizado: dateOf(slot.changed),
  }));
}

/** `actions`: the action centre, with evidence and the expectation frozen when the action was born. */
export function actionCentre(scope: Scope): Listing {
  return actionSlots(scope, 'actions', (slot) => {
    const { fixed, state } = slot;
    const head = actionHead(scope, slot);
    const status = state.pick(actionStates);
    const expected = {
      metrica: 'puntuacion',
      desde: decimal(30 + fixed.fraction() * 30, 1),
      hasta: decimal(61 + fixed.fraction() * 20, 1),
    };
    const done = status === 'hecha';
    return {
      ...head,
      estado: status,
      pospuestaHasta: status === 'pospuesta' ? dateOf(slot.changed + 21) : null,
      evidencia: Array.from({ length: fixed.int(1, 3) }, (_, index) => ({
        tipo: fixed.pick(['respuesta', 'cita', 'rastreo']),
        ref: `R-${String(fixed.int(1, 90)).padStart(7, '0')}`,
        orden: index + 1,
      })),
      impacto: { nivel: fixed.pick(['alto', 'medio', 'bajo']), puntos: decimal(fixed.fraction() * 6, 2) },
      expectativa: { ...expected, congelada: dateOf(slot.born) },
      resultado: done
        ? {
            observado: decimal(40 + state.fraction() * 40, 1),
            lectura: state.pick(['mejora', 'sin_cambio', 'empeora']),
          }
        : null,
      actualizado: dateOf(slot.changed),
    };
  });
}

/** What `actions` says beside its list. */
export function actionCentreRest(scope: Scope): JsonObject {
  return { resumen: { abiertas: actionSlots(scope, 'actions', (slot) => actionHead(scope, slot)).length } };
}

function actionSlots(scope: Scope, changes: string, build: (slot: Slot) => JsonObject): Listing {
  return states(scope, { name: 'acciones', changes, perBrand: 5 }, build);
}

/** The same action in both routes: same id, title and kind. */
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
