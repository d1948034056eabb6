// Demand and prompt intelligence. An unknown volume is `not_available`, never assumed.
import { decimal, type JsonValue, type Records } from '../json-literal.ts';
import { hashOf } from '../random.ts';
import { list, type Route } from '../route.ts';
import { walk } from './figures.ts';
import { clusterId, panel, questionId, questionText } from './questions.ts';
import { type Brand, clientOf, dateOf, type Scope } from './scope.ts';

const demandTypes = ['observada', 'relativa', 'estimada', 'proxy'] as const;

function demand(scope: Scope): Records {
  return panel(scope, 'demand', (slot) => {
    const { brand, fixed, state } = slot;
    const known = isKnown(scope, brand, slot.slot);
    return {
      prompt_canonico: questionText(brand, slot.slot).toLowerCase(),
      prompt_id: questionId(slot),
      cliente: clientOf(brand),
      tipo_demanda: known ? fixed.pick(demandTypes) : null,
      demanda: known ? state.int(5, 2400) : 'not_available',
      unidad: known ? 'índice' : null,
      tendencia: known ? state.pick(['sube', 'estable', 'baja']) : 'not_available',
      cluster: clusterId(brand, slot.slot),
      actualizado: dateOf(slot.changed),
    };
  });
}

function isKnown(scope: Scope, brand: Brand, question: number): boolean {
  return hashOf(scope.seed, 'demanda', brand.index, question) % 10 < 7;
}

/** `bgpi`: observed counts are k-anonymous; below the bound the cell is empty. */
function promptIntelligence(scope: Scope): Records {
  return panel(scope, 'bgpi', (slot) => {
    const { brand, fixed, state } = slot;
    const people = state.int(0, 60);
    const interest = 50 + 40 * walk(hashOf(scope.seed, 'interes', brand.index, slot.slot), 30, slot.changed);
    return {
      pregunta_id: questionId(slot),
      pregunta: questionText(brand, slot.slot),
      cliente: clientOf(brand),
      observada: observed(people),
      generada: fixed.chance(0.5),
      interes_busqueda: fixed.chance(0.2) ? null : decimal(interest, 0),
      confianza: state.pick(['alta', 'media', 'baja']),
      actualizado: dateOf(slot.changed),
    };
  });
}

function observed(people: number): JsonValue {
  return people < 10 ? { valor: null, suprimida: true, k: 10 } : { valor: people, suprimida: false, k: 10 };
}

export const routes: readonly Route[] = [
  list('demand', 'prompts', demand),
  list('bgpi', 'prompts', promptIntelligence),
];
