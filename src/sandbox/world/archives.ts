// The archives of measurements, engine answers and citations. A measurement has its answers, an answer its citations.
import { decimal, type JsonObject } from '../json-literal.ts';
import { at, Dice } from '../random.ts';
import { answerText } from './answer-text.ts';
import { rankScore, reasonsAgainst } from './figures.ts';
import { type ArchiveOptions, archive, archiveLength, type Entry, entryOf, type Listing } from './listing.ts';
import { questionsPerBrand, questionText } from './questions.ts';
import { clientOf, dateOf, instantOf, type Scope } from './scope.ts';
import { engines, mediaDomains } from './vocabulary.ts';

const answersEach = 2;
const citationsEach = 3;

function measurementArchive(scope: Scope): ArchiveOptions {
  return { name: 'mediciones', perDay: (scope.brands.length / 7) * scope.scale };
}

function answerArchive(scope: Scope): ArchiveOptions {
  const { perDay } = measurementArchive(scope);
  return { name: 'respuestas', perDay: perDay * answersEach, group: answersEach };
}

function measurementId(scope: Scope, number: number): string {
  return new Dice(scope.seed, 'medicion', number).uuid();
}

/** The engine of an answer, which its citations name too. */
function engineOf(scope: Scope, answer: number): string {
  return new Dice(scope.seed, 'motor', answer).pick(engines);
}

function answerId(number: number): string {
  return `R-${String(number + 1).padStart(7, '0')}`;
}

/** `mediciones`. Today's are still running for some; that is the only change an old entry sees. */
export function measurements(scope: Scope): Listing {
  return archive(scope, measurementArchive(scope), (entry) => {
    const { brand, fixed, day } = entry;
    const oneOff = fixed.chance(0.05);
    const running = entry.age === 0 && fixed.chance(0.5);
    const method = day >= scope.since + 45 || oneOff ? 'v2' : 'v1';
    const reasons = oneOff ? ['medicion_puntual'] : reasonsAgainst(scope, brand, day);
    return {
      id: measurementId(scope, entry.number),
      cliente: clientOf(brand),
      empresa: brand.name,
      fecha: dateOf(day),
      inicio: instantOf(entry.epochMs),
      duracionMs: running ? null : fixed.int(41_000, 380_000),
      tipo: oneOff ? 'puntual' : 'programada',
      estado: running ? 'en_curso' : fixed.chance(0.02) ? 'parcial' : 'completa',
      metodo: method,
      puntuacion: running ? null : decimal(rankScore(scope, brand, method, day), 1),
      comparable: !running && reasons.length === 0,
      razones: running ? ['en_curso'] : reasons,
      respuestas: answersEach,
      motores: engines.filter((_, index) => (entry.number + index) % 3 !== 0),
    };
  });
}

/** What `mediciones` says beside its list; `motores` is a second list in the body. */
export function measurementsRest(scope: Scope): JsonObject {
  return {
    resumen: { total: archiveLength(scope, measurementArchive(scope).perDay), desde: dateOf(scope.since) },
    motores: [...engines],
  };
}

/** `respuestas`; the full text only with `texto=1`. */
export function answers(scope: Scope, withText: boolean): Listing {
  return archive(scope, answerArchive(scope), (entry) => {
    const { brand, fixed } = entry;
    const question = questionText(brand, fixed.int(0, questionsPerBrand - 1), 0);
    const position = fixed.chance(0.3) ? null : fixed.int(1, 7);
    const engine = engineOf(scope, entry.number);
    const text = answerText(fixed, brand, question, position !== null);
    return {
      id: answerId(entry.number),
      medicion_id: measurementId(scope, Math.floor(entry.number / answersEach)),
      cliente: clientOf(brand),
      fecha: instantOf(entry.epochMs),
      motor: engine,
      modelo: `${engine}-${fixed.int(3, 5)}.${fixed.int(0, 9)}`,
      pregunta: question,
      extracto: `${text.slice(0, 117)}…`,
      ...(withText ? { respuesta: text } : {}),
      menciona: position !== null,
      posicion: position,
      sentimiento: position === null ? null : fixed.pick(['positivo', 'neutro', 'neutro', 'negativo']),
    };
  });
}

/** `citas`: newest first, like the answers they belong to. */
export function citations(scope: Scope): Listing {
  const answersOptions = answerArchive(scope);
  const perAnswer = citationsEach / answersEach;
  const options = { name: 'citas', perDay: answersOptions.perDay * perAnswer, group: citationsEach };
  return archive(scope, options, (entry) => {
    const answer = entryOf(scope, answersOptions, Math.floor(entry.number / perAnswer));
    return citation(scope, entry, answer);
  });
}

function citation(scope: Scope, entry: Entry, answer: Entry): JsonObject {
  const { brand, fixed } = entry;
  const own = fixed.chance(0.25);
  const domain = own ? brand.domain : at(mediaDomains, fixed.int(0, mediaDomains.length - 1));
  const topic = encodeURIComponent(fixed.pick(brand.sector.topics));
  return {
    id: 500_000 + entry.number,
    respuesta_id: answerId(answer.number),
    medicion_id: measurementId(scope, Math.floor(answer.number / answersEach)),
    cliente: clientOf(brand),
    fecha: instantOf(entry.epochMs),
    motor: engineOf(scope, answer.number),
    url: `https://${domain}/${topic}?ref=${fixed.token(5)}&v=${fixed.int(1, 9)}`,
    dominio: domain,
    titulo:
      `${fixed.pick(['Guía', 'Comparativa', 'Opiniones', 'Los 10 mejores'])}: ${fixed.pick(brand.sector.topics)} ${fixed.chance(0.1) ? '⭐' : ''}`.trim(),
    propia: own,
    posicion: fixed.int(1, 8),
  };
}
