// What engines answered, which parts of an answer they show, and what a research of questions found.
import { chance, decimal, pick, whole } from '../english/kit.ts';
import { round } from '../kit.ts';
import { at, is, isoTime, seconds, spoken, type Theme, uuid } from './kit.ts';
import { engines, type Owner, owners, questionsOf } from './owners.ts';
import { allQuestions } from './questions.ts';
import { measurementId } from './ranks.ts';

function textOf(owner: Owner, question: string, isMentioned: boolean): string {
  const [first, second] = owner.rivals;
  const own = isMentioned ? `${owner.name} es una opción que los clientes valoran bien. ` : '';
  return `Sobre «${question}» hay varias posibilidades. ${own}También conviene mirar ${first} y ${second}, que tienen buenas opiniones. Compara precios y horarios antes de decidir.`;
}

function answers(day: number, isWhole: boolean): unknown[] {
  return Array.from({ length: 12 + day }, (_, back) => day - back).flatMap((date) =>
    owners.flatMap((owner) =>
      engines.map(({ name, key }, order) => {
        const question = questionsOf(owner)[(((date * 5 + order) % 30) + 30) % 30] ?? '';
        const seed = `${owner.slug}-${key}-${date}`;
        const isMentioned = chance('named', seed) < owner.level / 100;
        const text = textOf(owner, question, isMentioned);
        const given = at(date, 6.2 + order / 10);
        return {
          id_resp: uuid('given', seed),
          id_med: measurementId(owner, date),
          cod_cli: owner.id,
          contestada: seconds(given),
          buscador: name,
          pregunta_hecha: question,
          sale_marca: isMentioned ? 1 : 0,
          pos: isMentioned ? whole(1, 6, 'pos', seed) : null,
          contenido: isWhole ? text : text.slice(0, 60),
          num_palabras: text.split(' ').length,
          tokens: whole(180, 900, 'tokens', seed),
          coste: decimal(0.001, 0.02, 4, 'cost', seed),
          cache: chance('cache', seed) < 0.1,
        };
      }),
    ),
  );
}

function surfaces(day: number): unknown[] {
  return allQuestions
    .filter(({ index }) => index % 6 === 0)
    .map(({ text, seed }) => ({
      grupo: text,
      observaciones: engines.map(({ name, key }) => {
        const shown = (part: string) =>
          chance('hidden', part, key) < 0.2
            ? 'no disponible'
            : chance('shown', part, key, seed, Math.min(day, 2)) < 0.4
              ? 'sí'
              : 'no';
        return {
          asistente: name,
          consulta: text,
          bloques: {
            redactado: chance('text', key, seed) < 0.97 ? 'sí' : 'no',
            enlaces_fuente: shown('sources'),
            anuncios: shown('ads'),
            mapa: shown('maps'),
            compras: shown('shopping'),
            videos: shown('videos'),
          },
          captura: `cap/${seed}-${key}.png`,
        };
      }),
    }));
}

function research(day: number): unknown {
  const running = day === 1;
  return {
    investigacion: {
      ref: uuid('research', running ? 'second' : 'first'),
      situacion: running ? 'en curso' : 'terminada',
      fin: running ? null : spoken(at(-2)),
      consumo: { creditos: 40, llamadas: 212 },
    },
    solicitante: { id: 'u-0071', nombre: 'Marta Vega' },
    resultado: {
      candidatas: allQuestions
        .filter(({ seed }) => chance('research', seed) < 0.4)
        .map(({ text, seed, owner }) => {
          const none = chance('unknown', seed) < 0.3;
          return {
            normalizada: text.replaceAll(/[¿?]/g, '').toLowerCase(),
            original: text,
            proposito: pick(['informativa', 'comparativa', 'de compra'], 'purpose', seed),
            margen_mejora: round(decimal(5, 95, 1, 'gain', seed)),
            demanda: {
              cifra: none ? null : whole(1, 100, 'figure', seed),
              naturaleza: none ? 'estimada' : pick(['relativa', 'proxy'], 'nature', seed),
              estado: none ? 'not_available' : 'disponible',
            },
            idioma: owner.country === 'MX' ? 'es-MX' : 'es-ES',
          };
        }),
      descartadas: 61,
    },
  };
}

export const answerTheme: Theme = {
  routes: {
    respuestas: ({ query, day }) => ({
      datos: answers(day, query.get('texto') === '1'),
      generado: isoTime(at(day, 9)),
    }),
    surfaces: ({ day }) => ({ capturado: isoTime(at(day, 5)), paneles: surfaces(day), motores: 5 }),
    'prompt-research': ({ day }) => research(day),
    ask: ({ query, day }) => ({
      pregunta: query.get('pregunta') ?? '',
      contestacion: 'La visibilidad sube despacio.',
      basado_en: [{ ruta: 'airank', fecha: spoken(at(day)) }],
    }),
  },
  truth: {
    'answers.client': is('cod_cli'),
    'answers.id': is('id_resp'),
    'answers.measurement_id': is('id_med'),
    'answers.answered_at': is('contestada'),
    'answers.date': is('contestada'),
    'answers.engine': is('buscador'),
    'answers.question': is('pregunta_hecha'),
    'answers.is_mentioned': is('sale_marca'),
    'answers.position': is('pos'),
    'answers.answer': is('contenido'),
    'surfaces.(rows)': is('paneles[].observaciones'),
    'surfaces.engine': is('asistente'),
    'surfaces.question': is('consulta'),
    'surfaces.as_of': is('^capturado'),
    'surfaces.text': is('bloques.redactado'),
    'surfaces.sources': is('bloques.enlaces_fuente'),
    'surfaces.ads': is('bloques.anuncios'),
    'surfaces.maps': is('bloques.mapa'),
    'surfaces.shopping': is('bloques.compras'),
    'research.(rows)': is('resultado.candidatas'),
    'research.candidate': is('normalizada'),
    'research.intent': is('proposito'),
    'research.opportunity': is('margen_mejora'),
    'research.demand': is('demanda.cifra'),
    'research.demand_type': is('demanda.naturaleza'),
    'research.demand_status': is('demanda.estado'),
    'research.research_id': is('^investigacion.ref'),
    'research.status': is('^investigacion.situacion'),
    'research.finished': is('^investigacion.fin'),
  },
};
