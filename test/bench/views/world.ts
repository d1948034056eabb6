// Generates the warehouse's contents: every stream that a curated view reads, at the sizes of an agency.
// Payloads are SQL over c (client number), k (record number), d (date the version begins) and r (0 … 1).

export interface WorldStream {
  readonly stream: string;
  /** Asked once for each client; else once for the account, and records say whose they are. */
  readonly perClient: boolean;
  /** Records of a client at one time, as SQL over c; archives: new ones a day. */
  readonly records: string;
  /** Share of records that change on a day; `archive`: they never do, and only grow. */
  readonly change: number | 'archive';
  readonly payload: string;
}

interface WorldEnvelope {
  readonly stream: string;
  /** Share of days on which it changes. */
  readonly change: number;
  /** SQL over d; r is random. */
  readonly payload: string;
}

const cliente = `'cliente', 'c' || c`;
const word = (of: string) =>
  `(array['norte','sur','este','oeste','centro','plaza','puente','faro'])[1 + (${of}) % 8]`;
const score = (spread: number) => `round((40 + ${spread} * r + c % 17)::numeric, 1)`;
const dimensions = `jsonb_build_object('presencia', ${score(9)}, 'posicion', ${score(8)}, 'tono', ${score(7)}, 'fuentes', ${score(6)}, 'cobertura', ${score(5)})`;
const point = `'fecha', d, 'medido', d || 'T04:10:00Z', 'puntuacion', ${score(20)}, 'comparable', r > 0.03, 'tipo', case when r < 0.01 then 'puntual' else 'programada' end, 'posicion', 1 + (r * 9)::int`;
const question = (number: string) =>
  `'¿Cuál es la mejor tienda de ${'`'} || ${word(number)} || ${'`'} cerca de mí, y por qué? (' || ${number} || ')'`.replaceAll(
    '`',
    "'",
  );

function state(stream: string, records: string, change: number, payload: string): WorldStream {
  return { stream, perClient: false, records, change, payload: `jsonb_build_object(${cliente}, ${payload})` };
}

function archive(stream: string, records: string, payload: string): WorldStream {
  return {
    stream,
    perClient: false,
    records,
    change: 'archive',
    payload: `jsonb_build_object(${cliente}, ${payload})`,
  };
}

export const worldStreams: readonly WorldStream[] = [
  {
    stream: 'airank',
    perClient: true,
    records: '1',
    change: 1,
    payload: `jsonb_build_object('id', 'a' || c || '-' || d, 'metodo', 'v2', ${point}, 'dimensiones', ${dimensions})`,
  },
  {
    stream: 'visibility',
    perClient: true,
    records: '1',
    change: 1,
    payload: `jsonb_build_object('metodo', 'v2', ${point}, 'dimensiones', ${dimensions}, 'versiones', jsonb_build_object('v1', jsonb_build_object('puntuacion', ${score(11)}, 'fecha', d), 'v2', jsonb_build_object('puntuacion', ${score(12)}, 'fecha', d)))`,
  },
  {
    stream: 'visibility_history',
    perClient: true,
    records: '1',
    change: 'archive',
    payload: `jsonb_build_object('metodo', 'v2', ${point})`,
  },
  {
    // api.products_daily is measured with a client of 100 products.
    stream: 'products',
    perClient: true,
    records: 'case when c % 10 = 1 then 100 else 20 end',
    change: 0.025,
    payload: `jsonb_build_object('id', k, 'sku', 'SKU-' || c || '-' || k, 'nombre', 'Producto ' || ${word('k')} || ' ' || k, 'url', 'https://tienda' || c || '.example/p/' || k, 'precio', round((10 + r * 90)::numeric, 2), 'moneda', 'EUR', 'precio_ia', round((10 + r * 95)::numeric, 2), 'medido', true, 'presencia', round(r::numeric, 3), 'tasa_victoria', round((1 - r)::numeric, 3), 'actualizado', d, 'atributos', jsonb_build_object('color', ${word('k + 1')}, 'talla', k % 9))`,
  },
  archive('airank_history', '0.1', `'id', 'h' || c || '-' || d, 'metodo', 'v1', ${point}`),
  {
    stream: 'clientes',
    perClient: false,
    records: '1',
    change: 0.001,
    payload: `jsonb_build_object('id', 'c' || c, 'nombre', 'Cliente ' || c, 'dominio', 'cliente' || c || '.example', 'estado', 'activo', 'sector', ${word('c')}, 'ubicacion', jsonb_build_object('pais', 'ES', 'ciudad', ${word('c + 3')}), 'moneda', 'EUR', 'alta', d)`,
  },
  archive(
    'mediciones',
    '1',
    `'id', 'm' || c || '-' || d, 'metodo', 'v2', ${point}, 'estado', 'completa', 'respuestas', 40 + c % 9, 'duracion_ms', 90000 + (r * 9000)::int, 'motores', jsonb_build_array('uno', 'dos', 'tres')`,
  ),
  archive(
    'respuestas',
    '2',
    `'id', 'r' || c || '-' || d || '-' || k, 'medicion_id', 'm' || c || '-' || d, 'fecha', d || 'T04:1' || k % 10 || ':00Z', 'motor', ${word('k')}, 'modelo', 'modelo-' || k % 4, 'pregunta', ${question('k')}, 'menciona', r > 0.4, 'posicion', 1 + (r * 6)::int, 'sentimiento', 'neutro', 'respuesta', repeat('Entre las opciones que más se citan está la tienda de siempre. ', 4)`,
  ),
  archive(
    'citas',
    '3',
    `'id', 'z' || c || '-' || d || '-' || k, 'respuesta_id', 'r' || c || '-' || d || '-' || (1 + k % 2), 'medicion_id', 'm' || c || '-' || d, 'fecha', d || 'T04:1' || k % 10 || ':00Z', 'motor', ${word('k')}, 'url', 'https://' || ${word('k')} || '.example/' || c || '/' || (r * 20)::int, 'dominio', ${word('k')} || '.example', 'titulo', 'Página ' || k, 'propia', k % 5 = 0, 'posicion', 1 + (r * 6)::int`,
  ),
  {
    stream: 'rank2',
    perClient: true,
    records: '1',
    change: 1,
    payload: `jsonb_build_object('fecha', d, 'puntuacion', ${score(20)}, 'indice', round(r::numeric, 6), 'intervalo', jsonb_build_object('inferior', 40, 'superior', 60), 'posicion', 1 + (r * 9)::int)`,
  },
  state(
    'prediccion',
    '1',
    0.14,
    `'fecha', d, 'metodo', 'lineal', 'horizonte_dias', 14, 'confianza', 0.8, 'tendencia', 'sube', 'puntos', (select jsonb_agg(jsonb_build_object('fecha', d + i, 'puntuacion', ${score(20)}, 'inferior', 40, 'superior', 70) order by i) from generate_series(1, 14) as i)`,
  ),
  state(
    'prompts',
    '20',
    0.005,
    `'id', c * 1000 + k, 'pregunta', ${question('k')}, 'activa', true, 'intencion', ${word('k')}, 'idioma', 'es', 'pais', 'ES', 'presencia', round(r::numeric, 3), 'posicion_media', round((1 + r * 5)::numeric, 1), 'motores', jsonb_build_array('uno', 'dos')`,
  ),
  state(
    'prompt_gaps',
    '5',
    0.02,
    `'pregunta', ${question('k')}, 'oportunidad', ${score(30)}, 'prioridad', 'alta', 'rivales_presentes', jsonb_build_array('Rival A', 'Rival B'), 'motores', jsonb_build_array('uno'), 'detectado', d`,
  ),
  state(
    'prompt_clusters',
    '4',
    0.02,
    `'cluster', c * 10 + k, 'nombre', ${word('k')}, 'oportunidad', ${score(30)}, 'presencia', round(r::numeric, 3), 'preguntas', jsonb_build_array(1, 2, 3, 4, 5)`,
  ),
  state(
    'fanouts',
    '20',
    0.01,
    `'prompt_id', c * 1000 + k, 'pregunta', ${question('k')}, 'busquedas', jsonb_build_array('una', 'dos', 'tres'), 'terminos', jsonb_build_array(${word('k')}, ${word('k + 2')}), 'cobertura', jsonb_build_object('cubiertas', k % 4, 'url', 'https://tienda' || c || '.example/')`,
  ),
  state(
    'sources',
    '15',
    0.03,
    `'dominio', ${word('k')} || k || '.example', 'tipo', 'medio', 'autoridad', ${score(30)}, 'citas', (r * 50)::int, 'citas_rivales', (r * 70)::int, 'brecha', (r * 20)::int - 10, 'oportunidad', case when k % 3 = 0 then jsonb_build_object('tipo', 'mención', 'motivo', 'rivales') end, 'rivales', jsonb_build_array('Rival A')`,
  ),
  state(
    'citations',
    '20',
    0.03,
    `'url', 'https://' || ${word('k')} || '.example/' || c || '/' || k, 'dominio', ${word('k')} || '.example', 'titulo', 'Página ' || k, 'citas', (r * 30)::int, 'motores', jsonb_build_array('uno'), 'propia', k % 5 = 0, 'primera', d, 'ultima', d`,
  ),
  state(
    'competitors',
    '8',
    0.05,
    `'nombre', 'Rival ' || k, 'clase', (array['primario','emergente','descubierto'])[1 + k % 3], 'menciones_por_100', round((r * 60)::numeric, 1), 'movimiento', round((r - 0.5)::numeric, 2), 'temas', jsonb_build_array(${word('k')}, ${word('k + 1')})`,
  ),
  state(
    'perception',
    '10',
    0.02,
    `'marca', case when k % 2 = 0 then 'Cliente ' || c else 'Rival ' || k end, 'atributo', ${word('k')}, 'propia', k % 2 = 0, 'polaridad', 'positiva', 'menciones', (r * 40)::int, 'frase', 'Dicen que es de confianza', 'confianza', round(r::numeric, 2)`,
  ),
  state(
    'shopping',
    '4',
    0.03,
    `'merchant', 'Tienda ' || k, 'enlaces', (r * 30)::int, 'cuota', round(r::numeric, 3), 'destino', 'ficha', 'recomendado', k = 1`,
  ),
  state(
    'crawl',
    '5',
    0.2,
    `'bot', 'Bot' || k, 'dominio', 'cliente' || c || '.example', 'proposito', 'búsqueda', 'estado', 'bien', 'visitas_7d', (r * 900)::int, 'errores', round((r * 0.1)::numeric, 4), 'media_ms', 100 + (r * 300)::int, 'bytes', 12000, 'render', 'html', 'ultima_visita', d || 'T03:00:00Z'`,
  ),
  state(
    'revenue',
    '4',
    0.5,
    `'canal', (array['uno','dos','tres'])[1 + k % 3], 'moneda', case when k = 4 then 'USD' else 'EUR' end, 'importe', round((r * 1000)::numeric, 2), 'pedidos', (r * 20)::int, 'sesiones', (r * 400)::int, 'procedencia', 'analítica'`,
  ),
  state(
    'benchmark',
    '4',
    0.1,
    `'corte', (array['global','sector','tipo','pais'])[k], 'valor', '*', 'marcas_comparables', 5 + (c * k) % 90, 'percentil', (r * 99)::int, 'mediana', ${score(10)}`,
  ),
  state(
    'experiments',
    '2',
    0.03,
    `'id', c * 10 + k, 'accion', 'Mejorar la ficha', 'tipo_accion', 'contenido', 'hipotesis', 'Sube la presencia', 'ventana', jsonb_build_object('desde', d, 'hasta', d + 28), 'objetivo', 'presencia', 'metrica', 'presencia', 'estado', 'en_curso', 'antes', round(r::numeric, 3), 'despues', round((r + 0.1)::numeric, 3), 'esperado', 0.2, 'real', 0.1, 'lectura', 'compatible', 'conclusion', null`,
  ),
  state(
    'demand',
    '20',
    0.01,
    `'prompt_id', c * 1000 + k, 'prompt_canonico', ${question('k')}, 'cluster', ${word('k')}, 'demanda', case when k % 4 = 0 then '"not_available"'::jsonb else to_jsonb((r * 500)::int) end, 'tipo_demanda', (array['observada','relativa','estimada','proxy'])[1 + k % 4], 'unidad', 'índice', 'tendencia', 'estable'`,
  ),
  state(
    'bgpi',
    '20',
    0.01,
    `'prompt_id', c * 1000 + k, 'pregunta', ${question('k')}, 'observada', jsonb_build_object('valor', (r * 90)::int, 'k', (r * 40)::int, 'suprimida', r < 0.2), 'generada', false, 'interes_busqueda', (r * 100)::int, 'confianza', 'media'`,
  ),
  state(
    'surfaces',
    '1',
    0.05,
    `'superficies', (select jsonb_agg(jsonb_build_object('motor', ${word('i')}, 'pregunta', ${question('i')}, 'texto', 'sí', 'fuentes', 'no', 'anuncios', 'no disponible', 'mapas', 'sí', 'compras', 'no') order by i) from generate_series(1, 12) as i)`,
  ),
  state(
    'actions',
    '5',
    0.03,
    `'id', c * 100 + k, 'titulo', 'Acción ' || k, 'tipo', 'contenido', 'estado', (array['propuesta','en_curso','pospuesta','hecha'])[1 + (r * 3.9)::int], 'prioridad', 'alta', 'creada', d, 'impacto', jsonb_build_object('nivel', 'medio', 'puntos', 3), 'expectativa', jsonb_build_object('metrica', 'presencia', 'desde', 1, 'hasta', 5, 'congelada', '2023-01-01'), 'resultado', jsonb_build_object('observado', 2, 'lectura', 'compatible')`,
  ),
  state(
    'acciones',
    '5',
    0.03,
    `'id', c * 100 + k, 'titulo', 'Acción ' || k, 'tipo', 'contenido', 'estado', 'propuesta', 'prioridad', k, 'creada', d`,
  ),
  archive(
    'triggers',
    '0.1',
    `'id', 't' || c || '-' || d, 'fecha', d || 'T05:00:00Z', 'disparador', ${word('c')}, 'datos', jsonb_build_object('antes', 3, 'despues', 5, 'umbral', 4), 'hecho', 'aviso'`,
  ),
  archive(
    'agent_memory',
    '0.1',
    `'id', 'e' || c || '-' || d, 'fecha', d, 'decision', 'ACT', 'palanca', ${word('c')}, 'esperado', jsonb_build_object('direccion', 'sube', 'puntos', 2), 'observado', jsonb_build_object('puntos', 1, 'fecha', d + 7), 'veredicto', 'acierto'`,
  ),
  archive(
    'agent_runs',
    '0.2',
    `'run_id', 'x' || c || '-' || d, 'inicio', d || 'T06:00:00Z', 'fin', d || 'T06:03:00Z', 'estado', 'terminada', 'decision', 'WAIT', 'resumen', 'Nada urgente.'`,
  ),
  state(
    'agent_os',
    '1',
    0.3,
    `'estado', 'ok', 'ultima_decision', jsonb_build_object('decision', 'WAIT', 'fecha', d, 'run_id', 'x' || c), 'porque', jsonb_build_array('sin cambios'), 'porque_no', jsonb_build_array('riesgo')`,
  ),
  state(
    'optimizer',
    '3',
    0.02,
    `'version_id', c * 10 + k, 'url', 'https://tienda' || c || '.example/' || k, 'estado', 'borrador', 'puntuacion_antes', 50, 'puntuacion_despues', 60, 'cambios', jsonb_build_array('título', 'texto'), 'creada', d`,
  ),
  state(
    'prompt_research',
    '1',
    0.02,
    `'id', 'i' || c, 'estado', 'terminada', 'iniciada', d, 'terminada', d, 'candidatos', (select jsonb_agg(jsonb_build_object('normalizado', ${question('i')}, 'intencion', 'compra', 'oportunidad', 50, 'demanda', 12, 'tipo_demanda', 'relativa', 'fuente', 'panel', 'variantes', 3) order by i) from generate_series(1, 10) as i)`,
  ),
];

const element = (fields: string, count: number) =>
  `(select jsonb_agg(jsonb_build_object(${fields}) order by i) from generate_series(1, ${count}) as i)`;

export const worldEnvelopes: readonly WorldEnvelope[] = [
  {
    stream: 'competitors',
    change: 1,
    payload: `jsonb_build_object('alertas', ${element(`'cliente', 'c' || 1 + (i * 7 + (d - date '2000-01-01')) % 100, 'fecha', d - i % 5, 'competidor', 'Rival ' || i % 8, 'tipo', 'sube', 'mensaje', 'Se cita más que antes'`, 40)})`,
  },
  {
    stream: 'perception',
    change: 0.3,
    payload: `jsonb_build_object('afirmaciones', ${element(`'cliente', 'c' || 1 + i % 100, 'marca', 'Rival ' || i % 8, 'afirmacion', 'Abre los domingos ' || i, 'veredicto', case when (i + (d - date '2000-01-01')) % 9 = 0 then 'falsa' else 'cierta' end, 'hecho', 'Según la ficha', 'revisada', d`, 200)})`,
  },
];

/** Streams of the catalog that no curated view reads: only their slices count. */
export const otherStreams = ['airank_public', 'ask', 'agent_run_traces'];
