// The AI Rank, its history, clients and measurements. Candidates: Spanish first (api.md, "Not documented").
import { dateOf, type LogicalSource, logical } from './logical-source.ts';

const point = {
  date: ['date', 'fecha date dia day fecha_medicion medido measured_at as_of'],
  measured_at: [
    'timestamptz',
    'medido medido_en medida_en measured_at momento inicio started_at timestamp fecha',
  ],
  method: [
    'text',
    'metodo method version metodo_version method_version version_metodo metodo.version metodo.id',
  ],
  score: [
    'score',
    'puntuacion score airank valor value indice index puntos resultado.puntuacion puntuacion.total score.total puntuacion_total total rank',
  ],
  comparable: [
    'boolean',
    'comparable es_comparable is_comparable comparabilidad comparable.valor comparabilidad.comparable',
  ],
  kind: ['text', 'tipo kind type origen tipo_medicion modalidad'],
  reasons: ['list', 'razones razon reasons reason motivos motivo razones_no_comparable'],
  position: [
    'numeric',
    'posicion position puesto lugar ranking rank posicion_sector position_in_sector posicion_mercado market_position',
  ],
  dimensions: ['json', 'dimensiones dimensions'],
} as const;

/** Name of the account itself; nothing else in the data gives it. */
const brand = [
  'text',
  'empresa marca cliente.nombre cliente_nombre razon_social nombre name company brand business client.name client_name',
] as const;

export const rankSources: readonly LogicalSource[] = [
  logical('clients', 'clientes', {
    id: [
      'text',
      'id cliente_id id_cliente client_id cliente client cliente.id uuid _id identificador codigo clave slug ref referencia key handle',
    ],
    name: [
      'text',
      'nombre name profile.name empresa marca cliente.nombre titulo title company brand display_name razon_social',
    ],
    domain: ['text', 'dominio domain web sitio website url host'],
    status: ['text', 'estado status situacion state'],
    sector: ['text', 'sector industria industry vertical categoria'],
    country: ['text', 'ubicacion.pais pais country location.country ubicacion.country codigo_pais'],
    city: ['text', 'ubicacion.ciudad ciudad city location.city'],
    currency: ['text', 'moneda currency divisa moneda_codigo currency_code'],
    created: ['date', 'alta creado creada fecha_alta created created_at desde'],
  }),
  logical(
    'measurements',
    'mediciones',
    {
      id: ['text', 'id medicion_id id_medicion measurement_id uuid'],
      ...point,
      status: ['text', 'estado status state'],
      answers: ['bigint', 'respuestas answers total_respuestas num_respuestas n_respuestas answer_count'],
      duration_ms: ['numeric', 'duracion_ms duration_ms ms duracion'],
      engines: ['list', 'motores engines modelos models'],
    },
    { typedIndexes: [`((${dateOf('measured_at')}))`, '(account, id)'] },
  ),
  logical('rank_now', 'airank', { id: ['text', 'id medicion_id airank_id'], ...point, name: brand }),
  logical('rank_history', 'airank_history', { id: ['text', 'id medicion_id airank_id'], ...point }),
  logical('visibility_now', 'visibility', {
    ...point,
    v1_score: [
      'score',
      'versiones.v1.puntuacion v1.puntuacion versions.v1.score v1.score versiones.v1 v1 puntuacion_v1 score_v1',
    ],
    v1_date: [
      'date',
      'versiones.v1.fecha v1.fecha versions.v1.date v1.date v1.medido v1.measured_at v1.as_of',
    ],
    v1_comparable: ['boolean', 'versiones.v1.comparable v1.comparable versions.v1.comparable'],
    v2_score: [
      'score',
      'versiones.v2.puntuacion v2.puntuacion versions.v2.score v2.score versiones.v2 v2 puntuacion_v2 score_v2',
    ],
    v2_date: [
      'date',
      'versiones.v2.fecha v2.fecha versions.v2.date v2.date v2.medido v2.measured_at v2.as_of',
    ],
    v2_comparable: ['boolean', 'versiones.v2.comparable v2.comparable versions.v2.comparable'],
    name: brand,
  }),
  logical('visibility_history', 'visibility_history', point),
  logical(
    'predictions',
    'prediccion',
    {
      date: ['date', 'fecha date dia day'],
      score: ['score', 'puntuacion score valor value prediccion prevision esperado'],
      lower: ['score', 'inferior lower minimo min bajo low limite_inferior'],
      upper: ['score', 'superior upper maximo max alto high limite_superior'],
      made: ['date', '^generada ^generado ^generated ^calculada ^creada ^created ^hecha ^fecha ^date'],
      method: ['text', '^metodo ^method ^modelo ^version'],
      horizon_days: ['bigint', '^horizonte_dias ^horizonte ^horizon_days ^dias horizonte_dias horizon_days'],
      confidence: ['rate', '^confianza ^confidence confianza confidence'],
      trend: ['text', '^tendencia ^trend'],
    },
    { rows: 'puntos predicciones prediccion serie puntos_previstos points predictions forecast' },
  ),
  logical('rank2', 'rank2', {
    date: ['date', `${point.date[1]} calculado calculated generado generated_at`],
    measured_at: ['timestamptz', `${point.measured_at[1]} calculado calculated generado generated_at`],
    score: ['score', 'puntuacion score rank2 airank valor value puntos points total'],
    lower: [
      'score',
      'intervalo.inferior interval.lower intervalo.desde interval.from inferior lower minimo min',
    ],
    upper: [
      'score',
      'intervalo.superior interval.upper intervalo.hasta interval.to superior upper maximo max',
    ],
    position: point.position,
    index: ['numeric', 'indice index rank_index indice_mercado market_index'],
  }),
];
