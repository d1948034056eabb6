// Experiments and the page optimizer: what was done, before and after. Readings, never causes.
import { decimal, type JsonObject } from '../json-literal.ts';
import { type Listing, states } from './listing.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';

const experimentStates = ['en_ventana', 'leido', 'leido', 'cancelado'] as const;

/** `experiments` */
export function experiments(scope: Scope): Listing {
  return states(
    scope,
    { name: 'experimentos', perBrand: 3 },
    ({ brand, slot, life, fixed, state, born, changed }) => {
      const status = state.pick(experimentStates);
      const before = 30 + fixed.fraction() * 30;
      const moved = state.fraction() * 9 - 3;
      const read = status === 'leido';
      return {
        id: `exp-${brand.index}-${slot}-${life}`,
        cliente: clientOf(brand),
        accion: `Guía sobre ${fixed.pick(brand.sector.topics)}`,
        tipo_accion: fixed.pick(['contenido', 'resenas', 'tecnica']),
        hipotesis: 'Si la página responde a la pregunta completa, aparecerá en más respuestas.',
        ventana: { desde: dateOf(born), hasta: dateOf(born + 28) },
        objetivo: fixed.pick(['presencia', 'citas', 'posicion']),
        metrica: 'puntuacion',
        estado: status,
        antes: decimal(before, 1),
        despues: read ? decimal(before + moved, 1) : null,
        esperado: decimal(1 + fixed.fraction() * 5, 1),
        real: read ? decimal(moved, 1) : null,
        lectura: read ? reading(moved) : null,
        conclusion: read ? 'Coincide en el tiempo; no prueba la causa.' : null,
        actualizado: dateOf(changed),
      };
    },
  );
}

function reading(moved: number): string {
  if (Math.abs(moved) < 1) return 'sin cambio observado';
  return moved > 0 ? 'mejora observada' : 'empeoramiento observado';
}

/** What `experiments` says beside its list. */
export function experimentsRest(_scope: Scope): JsonObject {
  return {
    aprendizaje: [
      { tipo_accion: 'contenido', leidos: 9, mejoran: 5 },
      { tipo_accion: 'resenas', leidos: 4, mejoran: 2 },
      { tipo_accion: 'tecnica', leidos: 6, mejoran: 3 },
    ],
  };
}

const versionStates = ['borrador_creado', 'aprobada', 'exportada', 'revertida'] as const;

/** `optimizer` */
export function optimizer(scope: Scope): Listing {
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

/** What `optimizer` says beside its list: the latest optimization. */
export function optimizerRest(scope: Scope): JsonObject {
  const week = Math.floor(scope.today / 7) * 7;
  return {
    ultima: { url: `https://${scope.brand.domain}/pagina-0`, fecha: dateOf(week), antes: 41, despues: 67 },
  };
}
