// The archives of measurements, engine answers and citations. A measurement has answers, an answer has citations.
import { decimal, type Records } from '../json-literal.ts';
import { at, Dice, hashOf } from '../random.ts';
import { list, type Route } from '../route.ts';
import { answerText, polarityOf } from './answer-text.ts';
import { methodsOn, rankScore, reasonsAgainst } from './figures.ts';
import { type Answer, allRounds, enginesOf, type Round } from './measured.ts';
import { questionText } from './questions.ts';
import { clientOf, dateOf, instantOf, type Scope } from './scope.ts';

const sentiments = { positiva: 'positivo', neutra: 'neutro', negativa: 'negativo' };

function measurementId(scope: Scope, round: number): string {
  return new Dice(scope.seed, 'medicion', round).uuid();
}

function answerId(number: number): string {
  return `R-${String(number + 1).padStart(7, '0')}`;
}

/** `mediciones`: some of today's are still running, the only change that an entry ever sees. */
function measurements(scope: Scope): Records {
  return allRounds(scope).map((round) => {
    const { brand, day } = round;
    const running = day === scope.today && hashOf(scope.seed, 'en curso', round.number) % 2 === 0;
    const method = at(methodsOn(scope, day), 0);
    // In one week out of six, somebody started it by hand.
    const byHand = (Math.floor(day / 7) + brand.index) % 6 === 0;
    const against = byHand ? ['medicion_puntual'] : reasonsAgainst(scope, brand, day);
    const reasons = running ? ['en_curso'] : against;
    return {
      id: measurementId(scope, round.number),
      cliente: clientOf(brand),
      empresa: brand.name,
      fecha: dateOf(day),
      inicio: instantOf(round.epochMs),
      duracionMs: running ? null : round.durationMs,
      tipo: byHand ? 'puntual' : 'programada',
      estado: running ? 'en_curso' : reasons.includes('muestra_incompleta') ? 'parcial' : 'completa',
      metodo: method,
      puntuacion: running ? null : decimal(rankScore(scope, brand, method, day), 1),
      comparable: reasons.length === 0,
      razones: reasons,
      respuestas: round.answers.length,
      motores: enginesOf(brand),
    };
  });
}

/** `respuestas`; the full text only with `texto=1`. */
function answers(scope: Scope, withText: boolean): Records {
  return allRounds(scope).flatMap((round) =>
    round.answers.map((answer) => answerRecord(scope, round, answer, withText)).reverse(),
  );
}

function answerRecord(scope: Scope, { brand, number: of, day }: Round, answer: Answer, withText: boolean) {
  const { engine, position, number } = answer;
  const question = questionText(brand, answer.question);
  const text = answerText(scope, brand, question, answer);
  const version = hashOf(scope.seed, 'modelo', engine, Math.floor(day / 90));
  return {
    id: answerId(number),
    medicion_id: measurementId(scope, of),
    cliente: clientOf(brand),
    fecha: instantOf(answer.epochMs),
    motor: engine,
    modelo: `${engine}-${3 + (version % 3)}.${version % 10}`,
    pregunta: question,
    extracto: `${text.slice(0, 117)}…`,
    ...(withText ? { respuesta: text } : {}),
    menciona: position !== null,
    posicion: position,
    sentimiento: position === null ? null : sentiments[polarityOf(brand, answer.word)],
  };
}

/** `citas`: newest first, like the answers they belong to. */
function citations(scope: Scope): Records {
  return allRounds(scope).flatMap((round) => {
    const cited = round.answers.flatMap((answer) =>
      answer.pages.map((page, place) => ({ answer, page, place })),
    );
    const first = 500_000 + (round.answers[0]?.number ?? 0);
    return cited
      .map(({ answer, page, place }, index) => ({
        id: first + index,
        respuesta_id: answerId(answer.number),
        medicion_id: measurementId(scope, round.number),
        cliente: clientOf(round.brand),
        fecha: instantOf(answer.epochMs),
        motor: answer.engine,
        url: page.url,
        dominio: page.domain,
        titulo: page.title,
        propia: page.own,
        posicion: place + 1,
      }))
      .reverse();
  });
}

export const routes: readonly Route[] = [
  list('mediciones', 'mediciones', measurements),
  list('respuestas', 'respuestas', answers, undefined, { text: true }),
  list('citas', 'citas', citations),
];
