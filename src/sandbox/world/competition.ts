// Competitors, perception and benchmark.
import { decimal, type JsonObject, type Records } from '../json-literal.ts';
import { at } from '../random.ts';
import { list, type Route } from '../route.ts';
import { phraseOf, polarityOf, wordOf } from './answer-text.ts';
import { clamp, rankScore } from './figures.ts';
import { states } from './listing.ts';
import {
  type Answer,
  answersIn,
  enginesAsked,
  questionCount,
  type Round,
  rivalStrength,
  roundsOf,
  windowDays,
  windowRounds,
} from './measured.ts';
import { topicOf } from './questions.ts';
import { type Brand, clientOf, dateOf, type Scope } from './scope.ts';

/** Returns a rival's class, by how often answers name it. */
function classOf(scope: Scope, brand: Brand, rival: number): string {
  const strength = rivalStrength(scope, brand, rival);
  return strength > 0.25 ? 'primario' : strength > 0.1 ? 'emergente' : 'descubierto';
}

/** Counts per hundred answers; 0 without answers. */
function per100(rounds: readonly Round[], does: (answer: Answer) => boolean): number {
  const answers = answersIn(rounds);
  return (100 * answers.filter(does).length) / Math.max(1, answers.length);
}

const naming = (rival: number) => (answer: Answer) => answer.rivals.includes(rival);

/**
 * `competitors`: one record per brand and rival named in four weeks of answers; one point of the series per
 * measurement.
 */
function competitors(scope: Scope): Records {
  return scope.brands.flatMap((brand) => {
    const rounds = roundsOf(scope, brand, windowRounds + 1);
    const asked = questionCount(scope, brand) * enginesAsked;
    return brand.sector.rivals.flatMap((nombre, rival) => {
      const named = rounds.map(({ answers }) => answers.filter(naming(rival)));
      const per100 = (of: readonly (readonly Answer[])[]) => (100 * of.flat().length) / (of.length * asked);
      const recent = named.slice(0, windowRounds);
      const topics = recent.flat().map(({ question }) => topicOf(brand, question));
      if (topics.length === 0) return [];
      const now = per100(recent);
      return {
        nombre,
        marca: brand.name,
        cliente: clientOf(brand),
        clase: classOf(scope, brand, rival),
        menciones_por_100: decimal(now, 1),
        ventanaDias: windowDays,
        movimiento: decimal(rounds.length > 1 ? now - per100(named.slice(1)) : 0, 1),
        serie: rounds
          .map(({ day }, index) => ({
            fecha: dateOf(day),
            por100: decimal(per100(named.slice(index, index + 1)), 1),
          }))
          .reverse(),
        temas: [...new Set(topics)],
        actualizado: dateOf(rounds[0]?.day ?? scope.today),
      };
    });
  });
}

/** Returns the part of `competitors` beside its list: rivals newly named more often than the brand. */
function competitorsRest(scope: Scope): JsonObject {
  const { brand } = scope;
  const rounds = roundsOf(scope, brand);
  const own = ({ position }: Answer) => position !== null;
  const ahead = (round: Round, rival: number) => per100([round], naming(rival)) > per100([round], own);
  const [last, before] = rounds;
  const alerts = brand.sector.rivals.flatMap((competidor, rival) => {
    if (last === undefined || before === undefined) return [];
    const topic = last.answers.filter(naming(rival)).map(({ question }) => topicOf(brand, question))[0];
    const overtakes = ahead(last, rival) && !ahead(before, rival);
    const known = before.answers.some(
      (answer) => naming(rival)(answer) && topicOf(brand, answer.question) === topic,
    );
    if (topic === undefined || (known && !overtakes)) return [];
    return {
      fecha: dateOf(last.day),
      competidor,
      tipo: overtakes ? 'adelanta' : 'nuevo_tema',
      mensaje: `Aparece en más respuestas sobre ${topic}`,
    };
  });
  return { marca: { nombre: brand.name, por100: decimal(per100(rounds, own), 1) }, alertas: alerts };
}

const verdicts = ['correcta', 'incorrecta', 'sin_verificar'] as const;

/**
 * `perception`: the words of four weeks of answers for a brand and its most named rivals. Brand and word identify a
 * record.
 */
function perception(scope: Scope): Records {
  return scope.brands.flatMap((brand) => {
    const rounds = roundsOf(scope, brand);
    const answers = answersIn(rounds);
    const record = (marca: string, word: number, propia: boolean, does: (answer: Answer) => boolean) => {
      const mentions = answers.filter(does).length;
      if (mentions === 0) return [];
      return {
        marca,
        atributo: wordOf(brand, word),
        cliente: clientOf(brand),
        propia,
        polaridad: polarityOf(brand, word),
        menciones: mentions,
        ventanaDias: windowDays,
        frase: `«${phraseOf(marca, wordOf(brand, word))}»`,
        confianza: decimal(mentions / (mentions + 4), 3),
        actualizado: dateOf(rounds[0]?.day ?? scope.today),
      };
    };
    const own = [0, 1, 2, 3].flatMap((word) =>
      record(brand.name, word, true, (answer) => answer.position !== null && answer.word === word),
    );
    const primary = brand.sector.rivals.flatMap((name, rival) =>
      classOf(scope, brand, rival) === 'primario' ? record(name, rival, false, naming(rival)) : [],
    );
    return [...own, ...primary];
  });
}

/** Returns the part of `perception` beside its list: claims checked against the customer's facts. */
function perceptionRest(scope: Scope): JsonObject {
  const options = { name: 'afirmaciones', perBrand: 2 };
  const claims = states(scope, options, ({ brand, slot, state, changed }) => ({
    marca: brand.name,
    afirmacion: at([`Abre los domingos en ${brand.place.city}`, `Fundada en ${1980 + brand.index}`], slot),
    veredicto: state.pick(verdicts),
    hecho: state.chance(0.5) ? 'Según la ficha del cliente' : null,
    revisada: dateOf(changed),
  }));
  return { afirmaciones: claims };
}

const fewestBrands = 20;
const cuts = ['global', 'sector', 'tipo', 'pais'] as const;

/** `benchmark`: brand, cut and value together identify a record; Portugal never has enough brands. */
function benchmark(scope: Scope): Records {
  const options = { name: 'cortes', perBrand: cuts.length, permanent: true };
  return states(scope, options, ({ brand, slot, fixed, state, changed }) => {
    const cut = at(cuts, slot);
    const value = cutValue(brand, cut);
    const comparable =
      value === 'PT' || (cut === 'sector' && brand.index === 2) ? fixed.int(4, 19) : state.int(24, 900);
    const enough = comparable >= fewestBrands;
    const median = 38 + state.fraction() * 12;
    const above = rankScore(scope, brand, 'v2', changed) - median;
    return {
      corte: cut,
      valor: value,
      cliente: clientOf(brand),
      marcas_comparables: comparable,
      minimo: fewestBrands,
      estado: enough ? 'ok' : 'muestra_insuficiente',
      percentil: enough ? Math.round(clamp(50 + above * 1.8, 3, 97)) : null,
      mediana: enough ? decimal(median, 1) : null,
      actualizado: dateOf(changed),
    };
  });
}

function cutValue(brand: Brand, cut: (typeof cuts)[number]): string {
  switch (cut) {
    case 'global':
      return '*';
    case 'sector':
      return brand.sector.name;
    case 'tipo':
      return brand.sector.kind;
    case 'pais':
      // The second client is measured in Portugal's index, so that there is always a small sample.
      return brand.index === 2 ? 'PT' : brand.place.country;
  }
}

export const routes: readonly Route[] = [
  list('competitors', 'competidores', competitors, competitorsRest),
  list('perception', 'atributos', perception, perceptionRest),
  list('benchmark', 'cortes', benchmark),
];
