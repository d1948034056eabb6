// What grows: histories of the AI Rank, measurements, and what the engines answered.
import type { Routes, Truth } from '../world.ts';
import { agency, type Customer, customers, engines, questionOf } from './customers.ts';
import { drifting, hex, isLikely, on, padded, pick, some, upTo, whole, yesNo } from './kit.ts';
import { formerRankOn, isFair, rankOn } from './ranks.ts';

/** One-off runs happen between the daily ones. */
const isOneOff = (customer: Customer, day: number): boolean => isLikely(0.06, customer.code, 'one-off', day);

const methodOn = (day: number): 'v1' | 'v2' => (day < -30 ? 'v1' : 'v2');

const scoreOn = (customer: Customer, day: number): number =>
  methodOn(day) === 'v1' ? formerRankOn(customer, day) : rankOn(customer, day);

/** Flat, in short words; newest first. */
function history(day: number): Record<string, unknown>[] {
  return upTo(46 + day).flatMap((back) =>
    customers.map((customer, index) => {
      const when = day - back;
      return {
        fol: `H${padded(5 * (46 + when) + index + 1, 6)}`,
        cta: customer.code,
        fch: on(when).yearFirst,
        met: methodOn(when),
        ptj: scoreOn(customer, when),
        ptj_ant: scoreOn(customer, when - 1),
        comp: isFair(customer, when) && !isOneOff(customer, when) ? 1 : 0,
        tipo: isOneOff(customer, when) ? 'puntual' : 'programada',
        lote: whole(100, 999, 'lote', when),
      };
    }),
  );
}

function csv(rows: readonly Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => String(row[column] ?? '')).join(';'));
  return [columns.join(';'), ...lines].join('\n');
}

function points(customer: Customer, day: number): unknown[] {
  return upTo(70 + day).map((back) => {
    const when = day - back;
    return {
      'fecha-medicion': on(when, -95).utc,
      'ai-rank': scoreOn(customer, when),
      'ai-rank-suavizado': drifting(customer.rank, when, 'smooth', customer.code),
      metodo: methodOn(when),
      'es-comparable': isFair(customer, when),
      cliente: customer.name,
    };
  });
}

const runId = (customer: Customer, day: number): string =>
  `MED-${customer.code.slice(-3)}-${padded(400 + day, 5)}`;

function measurements(day: number): unknown[] {
  return upTo(40 + day).flatMap((back) =>
    customers.map((customer) => {
      const when = day - back;
      const isRunning = back === 0 && isLikely(0.5, customer.code, 'running', day);
      const ms = whole(95_000, 420_000, customer.code, 'ms', when);
      return {
        MedicionId: runId(customer, when),
        Cliente: { Clave: customer.code, Nombre: customer.name },
        Fecha: on(when).dayFirst,
        Inicio: on(when, -95).local,
        Fin: isRunning ? null : on(when, -95 + Math.round(ms / 60_000)).local,
        DuracionMs: isRunning ? null : ms,
        Estatus: isRunning
          ? 'en proceso'
          : pick(['concluida', 'concluida', 'con fallas'], customer.code, when),
        Modalidad: isOneOff(customer, when) ? 'a pedido' : 'programada',
        Metodologia: methodOn(when),
        Puntaje: isRunning ? null : scoreOn(customer, when),
        PuntajePreliminar: drifting(customer.rank, when, 'first', customer.code),
        Comparable: yesNo(isFair(customer, when) && !isOneOff(customer, when)),
        RespuestasDescartadas: whole(0, 9, customer.code, 'dropped', when),
        VersionPipeline: `3.${14 + Math.floor((40 + when) / 20)}.0`,
        Checksum: hex(16, customer.code, when),
      };
    }),
  );
}

const openings = [
  'En general,',
  'Según opiniones recientes,',
  'Depende de tu presupuesto, pero',
  'Hoy por hoy,',
];

function answers(day: number, isFull: boolean): unknown[] {
  return upTo(300 + 20 * day).map((index) => {
    const when = day - Math.floor(index / 20);
    const number = 20 * (400 + when) + (index % 20);
    const customer = pick(customers, 'answer', number);
    const question = questionOf(customer, number);
    const engine = pick(engines, 'engine', number);
    const isNamed = isLikely(customer.rank / 100, 'named', number);
    const rivals = some(customer.rivals, 0.4, 'rivals', number).map(({ name }) => name);
    const text = `${pick(openings, number)} ${[...(isNamed ? [customer.name] : []), ...rivals].join(', ')} son opciones que la gente menciona. Conviene comparar ${pick(customer.themes, number)} antes de decidir.`;
    return {
      answerId: `ANS-${number}`,
      run: { id: runId(customer, when), sequence: index % 20 },
      accountCode: customer.code,
      answeredAt: on(when, -90 + (index % 20)).epochMs,
      storedAt: on(when, 12).epochMs,
      prompt: { id: question.id, wording: question.text },
      provider: { engine, region: 'us-south' },
      brand: {
        mentioned: isNamed ? 1 : 0,
        tone: isNamed ? pick(['positivo', 'neutral', 'negativo'], 'tone', number) : null,
      },
      competitorsNamed: rivals,
      topCompetitorSlot: whole(1, 3, 'rival slot', number),
      latencyMs: whole(800, 9000, 'latency', number),
      tokensOut: whole(80, 600, 'tokens', number),
      fullText: isFull ? text : `${text.slice(0, 60)}…`,
    };
  });
}

export const archiveAnswers: Routes<Customer> = {
  'airank/history': ({ query, day }) => {
    const rows = history(day);
    return query.get('format') === 'csv' ? csv(rows) : { renglones: rows, total: rows.length };
  },
  'visibility/history': ({ firm: customer, day }) => ({
    puntos: points(customer, day),
    desde: on(-69).day,
    version: 2,
  }),
  mediciones: ({ day }) => ({ Mediciones: measurements(day), Zona: 'America/Mexico_City' }),
  respuestas: ({ query, day }) => ({
    results: answers(day, query.get('texto') === '1'),
    owner: agency.code,
  }),
};

export const archiveTruth: Truth = {
  'rank_history.client': { paths: ['cta'] },
  'rank_history.id': { paths: ['fol'] },
  'rank_history.date': { paths: ['fch'] },
  'rank_history.method': { paths: ['met'] },
  'rank_history.score': { paths: ['ptj'] },
  'rank_history.comparable': { paths: ['comp'] },
  'rank_history.kind': { paths: ['tipo'] },

  'visibility_history.date': { paths: ['fecha-medicion'] },
  'visibility_history.measured_at': { paths: ['fecha-medicion'] },
  'visibility_history.method': { paths: ['metodo'] },
  'visibility_history.score': { paths: ['ai-rank'] },
  'visibility_history.comparable': { paths: ['es-comparable'] },

  'measurements.client': { paths: ['Cliente.Clave'] },
  'measurements.id': { paths: ['MedicionId'] },
  'measurements.date': { paths: ['Fecha | dmy', 'Inicio'] },
  'measurements.measured_at': { paths: ['Inicio'] },
  'measurements.method': { paths: ['Metodologia'] },
  'measurements.score': { paths: ['Puntaje'] },
  'measurements.comparable': { paths: ['Comparable'] },
  'measurements.kind': { paths: ['Modalidad'] },
  'measurements.status': { paths: ['Estatus'] },
  'measurements.duration_ms': { paths: ['DuracionMs'] },

  'answers.client': { paths: ['accountCode'] },
  'answers.id': { paths: ['answerId'] },
  'answers.measurement_id': { paths: ['run.id'] },
  'answers.answered_at': { paths: ['answeredAt'] },
  'answers.date': { paths: ['answeredAt'] },
  'answers.engine': { paths: ['provider.engine'] },
  'answers.question': { paths: ['prompt.wording'] },
  'answers.is_mentioned': { paths: ['brand.mentioned'] },
  'answers.sentiment': { paths: ['brand.tone'] },
  'answers.answer': { paths: ['fullText'] },
};
