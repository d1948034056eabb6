// A world for alerts: what the API answers of one client on a run date, in everything that rules read.
import type { Executor } from '../../src/db/database.ts';
import { load } from './config-fixtures.ts';
import { publishRecords } from './publish-records.ts';

export interface AlertDay {
  readonly runDate: string;
  /** AI Rank by date, of method v2. */
  readonly ranks: readonly (readonly [date: string, score: number])[];
  readonly ownPages: readonly string[];
  readonly verdict?: string;
  readonly bot?: string;
  readonly revenue?: readonly (readonly [currency: string, amount: number])[];
  readonly result?: { readonly observado: number; readonly lectura: string };
  readonly news?: readonly (readonly [date: string, competitor: string, type: string])[];
  /** Streams that are not published on this date. */
  readonly without?: readonly string[];
}

export const cliente = '7';

/** Alerts as they are by default, but for a threshold of the AI Rank. */
const yaml = 'alerts: { rules: { rank_fell: 5, rank_rose: 5 } }';
export const fivePoints = load({}, { 'airank.config.yaml': yaml }, { needAccounts: false }).alerts;

export async function publishDay(db: Executor, day: AlertDay): Promise<void> {
  const { runDate, without = [] } = day;
  const publish = async (stream: string, records: readonly unknown[], more: object = {}) => {
    if (!without.includes(stream)) await publishRecords(db, { stream, runDate, records, ...more });
  };
  await publish('clientes', [
    { id: cliente, nombre: 'Casa Siete' },
    { id: '8', nombre: 'Ocho' },
  ]);
  const point = { metodo: 'v2', comparable: true, posicion: 3 };
  const points = day.ranks.map(([fecha, puntuacion]) => ({ ...point, id: fecha, fecha, puntuacion }));
  await publish('airank_history', points, { clientId: cliente });
  const cited = { cliente, titulo: 'Una página', citas: 3 };
  const pages = [`https://otro.example/${runDate}`, ...day.ownPages].map((url) => {
    const dominio = new URL(url).hostname;
    return { ...cited, url, dominio, propia: dominio === 'siete.example' };
  });
  await publish('citations', pages, { key: [['url']] });
  const brand = { marca: 'Casa Siete', cliente };
  const claim = { afirmacion: 'Abre los domingos', veredicto: day.verdict ?? 'correcta', revisada: runDate };
  await publish('perception', [{ ...brand, atributo: 'cercana', menciones: 3, frase: 'Una frase' }], {
    key: [['marca', 'atributo']],
    rest: { afirmaciones: [{ ...brand, ...claim, hecho: 'Según la ficha' }] },
  });
  const bot = { bot: 'GPTBot', dominio: 'siete.example', estado: day.bot ?? 'sano', visitas: 30 };
  await publish('crawl', [{ ...bot, cliente }], { key: [['bot']] });
  const sales = (day.revenue ?? [['EUR', 100]]).map(([moneda, importe]) => ({ moneda, importe, cliente }));
  await publish(
    'revenue',
    sales.map((sale) => ({ ...sale, canal: 'chatgpt' })),
    { key: [['moneda']] },
  );
  const expectativa = { metrica: 'puntos', desde: 1, hasta: 3, congelada: '2026-01-06' };
  const action = { cliente, estado: 'hecha', creada: '2026-01-05', expectativa };
  await publish('actions', [
    { ...action, id: 'a1', titulo: 'Responder dudas', resultado: day.result ?? null },
    { ...action, id: 'a0', titulo: 'Pedir reseñas', resultado: { observado: 2.5, lectura: 'sube' } },
  ]);
  const news = day.news ?? [['2026-01-01', 'Rival', 'nuevo_tema']];
  await publish('competitors', [{ ...brand, nombre: 'Rival', clase: 'primario', menciones_por_100: 12.5 }], {
    key: [['nombre']],
    rest: {
      alertas: news.map(([fecha, competidor, tipo]) => ({
        fecha,
        competidor,
        tipo,
        cliente,
        mensaje: 'Aparece más',
      })),
    },
  });
}
