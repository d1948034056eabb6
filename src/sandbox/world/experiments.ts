// Experiments and the page optimizer: what was done, with readings before and after that claim no cause.
import { decimal, type JsonObject, RawNumber, type Records } from '../json-literal.ts';
import { list, type Route } from '../route.ts';
import { rankScore } from './figures.ts';
import { states } from './listing.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';

const windowDays = 28;

/** `experiments`: read when the window is over, by the AI Rank on its first and last day. */
function experiments(scope: Scope): Records {
  return states(
    scope,
    { name: 'experimentos', perBrand: 3 },
    ({ brand, slot, life, fixed, born, changed }) => {
      const ends = born + windowDays;
      const cancelled = fixed.chance(0.2);
      const read = !cancelled && ends <= scope.today;
      const before = rankScore(scope, brand, 'v2', born);
      const after = rankScore(scope, brand, 'v2', ends);
      return {
        id: `exp-${brand.index}-${slot}-${life}`,
        cliente: clientOf(brand),
        accion: `Guía sobre ${fixed.pick(brand.sector.topics)}`,
        tipo_accion: fixed.pick(actionTypes),
        hipotesis: 'Si la página responde a la pregunta completa, aparecerá en más respuestas.',
        ventana: { desde: dateOf(born), hasta: dateOf(ends) },
        objetivo: fixed.pick(['presencia', 'citas', 'posicion']),
        metrica: 'puntuacion',
        estado: cancelled ? 'cancelado' : read ? 'leido' : 'en_ventana',
        antes: decimal(before, 1),
        despues: read ? decimal(after, 1) : null,
        esperado: decimal(1 + fixed.fraction() * 5, 1),
        real: read ? decimal(after - before, 1) : null,
        lectura: read ? reading(after - before) : null,
        conclusion: read ? 'Coincide en el tiempo; no prueba la causa.' : null,
        actualizado: dateOf(read ? Math.max(changed, ends) : changed),
      };
    },
  );
}

function reading(moved: number): string {
  if (Math.abs(moved) < 1) return 'sin cambio observado';
  return moved > 0 ? 'mejora observada' : 'empeoramiento observado';
}

const actionTypes = ['contenido', 'resenas', 'tecnica'] as const;

/** Returns the part of `experiments` beside its list: readings by type of experiment. */
function experimentsRest(scope: Scope): JsonObject {
  const records = experiments(scope);
  return {
    aprendizaje: actionTypes.map((type) => {
      const read = records.filter(({ tipo_accion, estado }) => tipo_accion === type && estado === 'leido');
      const better = read.filter(({ lectura }) => lectura === 'mejora observada');
      const moved = read.reduce(
        (sum, { real }) => sum + (real instanceof RawNumber ? Number(real.text) : 0),
        0,
      );
      return {
        tipo_accion: type,
        leidos: read.length,
        mejoran: better.length,
        cambio_medio: read.length === 0 ? null : decimal(moved / read.length, 2),
      };
    }),
  };
}

const versionStates = ['borrador_creado', 'aprobada', 'exportada', 'revertida'] as const;

function optimizer(scope: Scope): Records {
  return states(
    scope,
    { name: 'versiones', perBrand: 4 },
    ({ brand, slot, life, fixed, state, born, changed }) => ({
      version_id: `v${brand.index}.${slot}.${life}`,
      cliente: clientOf(brand),
      url: `https://${brand.domain}/pagina-${slot}`,
      estado: state.pick(versionStates),
      puntuacionAntes: decimal(fixed.int(20, 60), 1),
      puntuacionDespues: decimal(state.int(45, 95), 1),
      cambios: [
        `Título: «${fixed.pick(brand.sector.topics)}»`,
        'Preguntas frecuentes con datos estructurados',
      ],
      creada: dateOf(born),
      actualizado: dateOf(changed),
    }),
  );
}

export const routes: readonly Route[] = [
  list('experiments', 'experimentos', experiments, experimentsRest),
  list('optimizer', 'versiones', optimizer),
];
