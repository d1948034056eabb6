// The panel's questions: prompts, clusters, gaps, fanouts and prompt research. Other themes name the same questions.
import { decimal, type JsonObject } from '../json-literal.ts';
import { at, Dice } from '../random.ts';
import { share } from './figures.ts';
import { type Listing, type Slot, states } from './listing.ts';
import { type Brand, clientOf, dateOf, type Scope } from './scope.ts';
import { engines, intents, mediaDomains, questionForms } from './vocabulary.ts';

/** Questions a brand has in the panel, at most. */
export const questionsPerBrand = 6;

/** The panel's questions of the day; `changes` names what changes about them, on days of its own. */
export function panel(scope: Scope, changes: string, build: (slot: Slot) => JsonObject): Listing {
  return states(scope, { name: 'panel', changes, perBrand: questionsPerBrand }, build);
}

/** The identifier of a panel question. */
export function questionId(slot: Slot): number {
  return (slot.brand.index + 1) * 10_000 + slot.slot * 100 + (slot.life % 100);
}

/** The text of a panel question. */
export function questionText(brand: Brand, slot: number, life: number): string {
  const form = at(questionForms, slot);
  return form(at(brand.sector.topics, slot * 2 + life), brand.place.city);
}

/** `prompts` */
export function prompts(scope: Scope): Listing {
  return panel(scope, 'prompts', (slot) => ({
    id: questionId(slot),
    cliente: clientOf(slot.brand),
    pregunta: questionText(slot.brand, slot.slot, slot.life),
    idioma: 'es',
    pais: slot.brand.place.country,
    intencion: slot.fixed.pick(intents),
    activa: !slot.state.chance(0.08),
    presencia: decimal(slot.state.fraction(), 2),
    posicionMedia: slot.state.chance(0.2) ? null : decimal(1 + slot.state.fraction() * 6, 1),
    motores: engines.filter(() => slot.state.chance(0.7)),
    alta: dateOf(slot.born),
    actualizado: dateOf(slot.changed),
  }));
}

/** `prompt-clusters` */
export function promptClusters(scope: Scope): Listing {
  return states(scope, { name: 'clusters', perBrand: 3 }, ({ brand, slot, life, fixed, state, changed }) => ({
    cluster: `${brand.index}-${slot}-${life}`,
    cliente: clientOf(brand),
    nombre: at(brand.sector.topics, slot + life),
    preguntas: Array.from({ length: fixed.int(2, 5) }, (_, index) => ({
      pregunta: questionText(brand, slot + index * 3, life + index),
      intencion: fixed.pick(intents),
    })),
    oportunidad: decimal(state.fraction() * 100, 1),
    presencia: decimal(state.fraction(), 2),
    actualizado: dateOf(changed),
  }));
}

/** What `prompt-clusters` says beside its list. */
export function promptClustersRest(scope: Scope): JsonObject {
  return {
    resumen: { clusters: promptClusters(scope).length, sinAgrupar: new Dice(scope.seed, 'loose').int(1, 5) },
  };
}

/** `prompt-gaps`: no identifier of their own. */
export function promptGaps(scope: Scope): Listing {
  return states(scope, { name: 'gaps', perBrand: 4 }, ({ brand, slot, life, state, born, changed }) => ({
    pregunta: questionText(brand, questionsPerBrand + slot, life),
    cliente: clientOf(brand),
    rivalesPresentes: brand.sector.rivals.filter(() => state.chance(0.4)),
    motores: engines.filter(() => state.chance(0.4)),
    prioridad: state.pick(['alta', 'media', 'baja']),
    oportunidad: decimal(state.fraction() * 100, 0),
    detectado: dateOf(born),
    actualizado: dateOf(changed),
  }));
}

/** `fanouts` */
export function fanouts(scope: Scope): Listing {
  return panel(scope, 'fanouts', (slot) => {
    const { brand, state } = slot;
    const topic = at(brand.sector.topics, slot.slot * 2 + slot.life);
    return {
      prompt_id: questionId(slot),
      pregunta: questionText(brand, slot.slot, slot.life),
      cliente: clientOf(brand),
      busquedas: [`${topic} ${brand.place.city}`, `mejor ${topic} opiniones`, `${topic} precio 2026`]
        .slice(0, state.int(1, 3))
        .map((consulta) => ({ consulta, motor: state.pick(engines), veces: state.int(1, 9) })),
      terminos: topic.split(' '),
      cobertura: {
        cubiertas: state.int(0, 3),
        url: state.chance(0.6) ? `https://${brand.domain}/${slot.slot}` : null,
      },
      actualizado: dateOf(slot.changed),
    };
  });
}

/** What `fanouts` says beside its list: the terms over all questions. */
export function fanoutsRest(scope: Scope): JsonObject {
  return {
    terminos: scope.brand.sector.topics.map((termino, index) => ({ termino, veces: 4 + index * 3 })),
    coberturaSitio: decimal(share(scope, scope.brand, 'fanout', scope.today), 3),
  };
}

/** `prompt-research`: a new one every ten days; the first two days it is still running. */
export function promptResearch(scope: Scope): JsonObject {
  const round = Math.floor(scope.today / 10);
  const running = scope.today % 10 < 2;
  const dice = new Dice(scope.seed, 'research', round);
  return {
    id: `inv-${round}`,
    estado: running ? 'en_curso' : 'terminada',
    iniciada: dateOf(round * 10),
    terminada: running ? null : dateOf(round * 10 + 2),
    semilla: at(scope.brand.sector.topics, round),
    candidatos: Array.from({ length: running ? 6 : 18 }, (_, index) => {
      const brand = at(scope.brands, index);
      const available = dice.chance(0.6);
      return {
        normalizado: questionText(brand, index, round).toLowerCase(),
        variantes: dice.int(1, 6),
        intencion: dice.pick(intents),
        demanda: available
          ? { tipo: dice.pick(['observada', 'relativa', 'estimada', 'proxy']), valor: dice.int(10, 900) }
          : 'not_available',
        oportunidad: decimal(dice.fraction() * 100, 1),
        fuente: dice.pick(mediaDomains),
      };
    }),
  };
}
