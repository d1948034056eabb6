// The panel's questions (prompts, clusters, fanouts), and those outside it (gaps, prompt research).
import { decimal, type JsonObject, type JsonValue, type Records } from '../json-literal.ts';
import { at, Dice, hashOf } from '../random.ts';
import { list, type Route, single } from '../route.ts';
import { type Slot, states } from './listing.ts';
import { type Answer, answersTo, enginesOf, questionCount, roundsOf } from './measured.ts';
import { type Brand, clientOf, dateOf, type Scope } from './scope.ts';
import { engines, intents, mediaDomains, questionForms } from './vocabulary.ts';

/** Builds the panel's questions, which never vanish. `changes` names what changes about them, on its own days. */
export function panel(scope: Scope, changes: string, build: (slot: Slot) => JsonObject): Records {
  const perBrand = (brand: Brand) => questionCount(scope, brand);
  return states(scope, { name: 'panel', changes, perBrand, permanent: true }, build);
}

export function questionId({ brand, slot }: Slot): number {
  return (brand.index + 1) * 10_000 + slot;
}

/** Returns the text of a question by its number; those of the panel come first. */
export function questionText(brand: Brand, number: number): string {
  const form = at(questionForms, number);
  const text = form(topicOf(brand, number), brand.place.city);
  // There are ten forms of each of five topics.
  const variant = Math.floor(number / 50);
  return variant === 0 ? text : `${text} (${variant + 1})`;
}

export function topicOf(brand: Brand, number: number): string {
  return at(brand.sector.topics, number * 2 + Math.floor(number / 10));
}

/** Groups questions whose topics are close. */
export function clusterId(brand: Brand, question: number): string {
  return `${brand.index}-${question % clusterCount}`;
}

const clusterCount = 3;

function intentOf(scope: Scope, brand: Brand, question: number): string {
  return at(intents, hashOf(scope.seed, 'intencion', brand.index, question));
}

/** Returns the share of answers that name the brand; null without answers. */
function presence(answers: readonly Answer[]): JsonValue {
  if (answers.length === 0) return null;
  return decimal(answers.filter(({ position }) => position !== null).length / answers.length, 2);
}

/** `prompts`: results of the last answers to each question. */
function prompts(scope: Scope): Records {
  return panel(scope, 'prompts', (slot) => {
    const { brand, born } = slot;
    const [last] = roundsOf(scope, brand, 1);
    const answers = last === undefined ? [] : answersTo([last], slot.slot);
    const places = answers.flatMap(({ position }) => position ?? []);
    const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
    return {
      id: questionId(slot),
      cliente: clientOf(brand),
      pregunta: questionText(brand, slot.slot),
      idioma: 'es',
      pais: brand.place.country,
      intencion: intentOf(scope, brand, slot.slot),
      activa: true,
      presencia: presence(answers),
      posicionMedia: places.length === 0 ? null : decimal(mean, 1),
      motores: answers.map(({ engine }) => engine),
      alta: dateOf(born),
      actualizado: dateOf(last?.day ?? born),
    };
  });
}

/** `prompt-clusters`: the panel's questions by cluster, with results of their last answers. */
function promptClusters(scope: Scope): Records {
  const perBrand = (brand: Brand) => Math.min(clusterCount, questionCount(scope, brand));
  return states(scope, { name: 'clusters', perBrand, permanent: true }, ({ brand, slot, born }) => {
    const [last] = roundsOf(scope, brand, 1);
    const answers = (last?.answers ?? []).filter(({ question }) => question % clusterCount === slot);
    const missed = answers.filter(({ position, rivals }) => position === null && rivals.length > 0);
    const questions = Array.from({ length: questionCount(scope, brand) }, (_, question) => question);
    return {
      cluster: clusterId(brand, slot),
      cliente: clientOf(brand),
      nombre: topicOf(brand, slot),
      preguntas: questions
        .filter((question) => question % clusterCount === slot)
        .map((question) => ({
          pregunta: questionText(brand, question),
          intencion: intentOf(scope, brand, question),
        })),
      oportunidad: decimal((100 * missed.length) / Math.max(1, answers.length), 1),
      presencia: presence(answers),
      actualizado: dateOf(last?.day ?? born),
    };
  });
}

/** `prompt-gaps`: questions outside the panel that name rivals but not the brand; without an identifier. */
function promptGaps(scope: Scope): Records {
  return states(scope, { name: 'gaps', perBrand: 4 }, ({ brand, slot, life, state, born, changed }) => {
    const rivals = brand.sector.rivals.filter(() => state.chance(0.4));
    const named = engines.filter(() => state.chance(0.4));
    return {
      pregunta: questionText(brand, questionCount(scope, brand) + slot * 7 + (life % 7)),
      cliente: clientOf(brand),
      rivalesPresentes: rivals.length === 0 ? [at(brand.sector.rivals, slot)] : rivals,
      motores: named.length === 0 ? [at(engines, slot)] : named,
      prioridad: state.pick(['alta', 'media', 'baja']),
      oportunidad: decimal(state.fraction() * 100, 0),
      detectado: dateOf(born),
      actualizado: dateOf(changed),
    };
  });
}

/** `fanouts`: a question is covered if its answers cite a page of the brand. */
function fanouts(scope: Scope): Records {
  return panel(scope, 'fanouts', (slot) => {
    const { brand, state } = slot;
    const topic = topicOf(brand, slot.slot);
    const searches = [`${topic} ${brand.place.city}`, `mejor ${topic} opiniones`, `${topic} precio 2026`]
      .slice(0, state.int(1, 3))
      .map((consulta) => ({ consulta, motor: state.pick(enginesOf(brand)), veces: state.int(1, 9) }));
    const cited = answersTo(roundsOf(scope, brand), slot.slot).flatMap(({ pages }) => pages);
    const own = cited.find((page) => page.own);
    return {
      prompt_id: questionId(slot),
      pregunta: questionText(brand, slot.slot),
      cliente: clientOf(brand),
      busquedas: searches,
      terminos: topic.split(' '),
      cobertura: { cubiertas: own === undefined ? 0 : state.int(1, searches.length), url: own?.url ?? null },
      actualizado: dateOf(slot.changed),
    };
  });
}

/** `prompt-research`: a new one every ten days, which runs for its first two days. */
function promptResearch(scope: Scope): JsonObject {
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
        normalizado: questionText(brand, questionCount(scope, brand) + index + (round % 5)).toLowerCase(),
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

export const routes: readonly Route[] = [
  list('prompts', 'preguntas', prompts),
  list('prompt-clusters', 'clusters', promptClusters),
  list('prompt-gaps', 'huecos', promptGaps),
  list('fanouts', 'porPrompt', fanouts),
  single('prompt-research', promptResearch),
];
