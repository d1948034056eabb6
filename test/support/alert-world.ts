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
  const points = day.ranks.map(([fecha, puntuacion]) => ({
    id: fecha,
    fecha,
    metodo: 'v2',
    puntuacion,
    comparable: true,
    posicion: 3,
  }));
  await publish('airank_history', points, { clientId: cliente });
  const pages = [`https://otro.example/${runDate}`, ...day.ownPages].map((url) => ({
    url,
    dominio: new URL(url).hostname,
    cliente,
    propia: url.includes('siete.example'),
    titulo: 'Una página',
    citas: 3,
  }));
  await publish('citations', pages, { key: [['url']] });
  await publish(
    'perception',
    [{ marca: 'Casa Siete', atributo: 'cercana', cliente, menciones: 3, frase: 'Una frase' }],
    {
      key: [['marca', 'atributo']],
      rest: {
        afirmaciones: [
          {
            marca: 'Casa Siete',
            cliente,
            afirmacion: 'Abre los domingos',
            veredicto: day.verdict ?? 'correcta',
            hecho: 'Según la ficha',
            revisada: runDate,
          },
        ],
      },
    },
  );
  await publish(
    'crawl',
    [{ bot: 'GPTBot', dominio: 'siete.example', cliente, estado: day.bot ?? 'sano', visitas: 30 }],
    { key: [['bot']] },
  );
  await publish(
    'revenue',
    (day.revenue ?? [['EUR', 100]]).map(([moneda, importe]) => ({
      canal: 'chatgpt',
      moneda,
      cliente,
      importe,
    })),
    { key: [['moneda']] },
  );
  await publish('actions', [
    {
      id: 'a1',
      titulo: 'Responder dudas',
      cliente,
      estado: 'hecha',
      creada: '2026-01-05',
      expectativa: { metrica: 'puntos', desde: 1, hasta: 3, congelada: '2026-01-06' },
      resultado: day.result ?? null,
    },
    {
      id: 'a0',
      titulo: 'Pedir reseñas',
      cliente,
      estado: 'hecha',
      creada: '2026-01-04',
      expectativa: { metrica: 'puntos', desde: 1, hasta: 3, congelada: '2026-01-06' },
      resultado: { observado: 2.5, lectura: 'sube' },
    },
  ]);
  await publish(
    'competitors',
    [{ nombre: 'Rival', marca: 'Casa Siete', cliente, clase: 'primario', menciones_por_100: 12.5 }],
    {
      key: [['nombre']],
      rest: {
        alertas: (day.news ?? [['2026-01-01', 'Rival', 'nuevo_tema']]).map(([fecha, competidor, tipo]) => ({
          fecha,
          competidor,
          tipo,
          cliente,
          mensaje: 'Aparece más',
        })),
      },
    },
  );
}
