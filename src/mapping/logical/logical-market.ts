// Competitors, citations, sources, perception, products, revenue, benchmark, crawl.
import { asOf, dateOf, type LogicalSource, logical, period } from './logical-source.ts';

const updated = ['date', 'actualizado actualizada updated updated_at fecha date'] as const;
const amounts = {
  currency: ['text', 'moneda currency divisa currency_code'],
  amount: ['numeric', 'importe ingresos amount revenue total valor'],
  orders: ['bigint', 'pedidos orders compras conversiones'],
  sessions: ['bigint', 'sesiones sessions visitas'],
} as const;
/** First and last day of the period of amounts. */
const span = {
  period,
  period_start: ['date', 'periodo.desde periodo.inicio period.from period.start desde inicio'],
  period_end: ['date', 'periodo.hasta periodo.fin period.to period.end hasta fin'],
} as const;
/** Period of rows in a body: their own, else the body's. */
const bodySpan = {
  period: ['text', `${period[1]} ^${period[1].replaceAll(' ', ' ^')}`],
  period_start: [
    'date',
    '^periodo.desde ^periodo.inicio ^period.from ^period.start periodo.desde period.from desde',
  ],
  period_end: ['date', '^periodo.hasta ^periodo.fin ^period.to ^period.end periodo.hasta period.to hasta'],
} as const;
const url = ['text', 'url enlace link direccion href pagina page'] as const;
const domain = ['text', 'dominio domain host sitio site'] as const;

export const marketSources: readonly LogicalSource[] = [
  logical(
    'competitors',
    'competitors',
    {
      name: ['text', 'nombre competidor empresa company name competitor rival marca brand'],
      brand: ['text', 'marca brand cliente_nombre empresa'],
      class: ['text', 'clase class clasificacion tipo categoria class_name'],
      per_100: [
        'numeric',
        'menciones_por_100 por_100 por100 per_100 mentions_per_100 por_cada_100 tasa_por_100',
      ],
      movement: ['numeric', 'movimiento movement variacion cambio delta change'],
      topics: ['list', 'temas topics'],
      domain,
      share: [
        'rate',
        'cuota_voz share_of_voice sov cuota share cuota_menciones menciones.cuota porcentaje percent',
      ],
      period,
      as_of: asOf,
      is_own: ['boolean', 'propia own is_own propio es_propia'],
      answers: ['bigint', 'respuestas answers total_respuestas num_respuestas n_respuestas answer_count'],
    },
    { typedIndexes: ['(account, slice_client_id, record_key, until)'] },
  ),
  logical(
    'competitor_series',
    'competitors',
    {
      date: ['date', 'fecha date dia semana week'],
      per_100: [
        'numeric',
        'menciones_por_100 por_100 por100 per_100 mentions_per_100 por_cada_100 tasa_por_100 valor value',
      ],
      competitor: ['text', '^nombre ^competidor ^name ^competitor ^rival ^marca ^brand ^empresa'],
      brand: ['text', '^marca ^brand ^empresa ^cliente_nombre'],
    },
    { rows: 'serie series historico history evolucion', rowsNamed: true },
  ),
  logical(
    'competitor_alerts',
    'competitors',
    {
      date: ['date', 'fecha date dia detectada detected raised_at triggered_at creada_en created_at'],
      competitor: ['text', 'competidor rival nombre competitor name marca quien who'],
      kind: ['text', 'tipo type kind alerta'],
      message: ['text', 'mensaje message texto text descripcion'],
    },
    { envelope: true, rows: 'alertas alerts avisos' },
  ),
  logical(
    'citations',
    'citations',
    {
      url,
      domain,
      title: ['text', 'titulo title nombre'],
      citations: ['bigint', 'citas veces citations count total menciones'],
      engines: ['list', 'motores engines'],
      is_own: ['boolean', 'propia own is_own propio es_propia'],
      first_seen: ['date', 'primera primera_vez first first_seen desde'],
      last_seen: ['date', 'ultima ultima_vez last last_seen hasta'],
      period,
    },
    // Uses a hash, as an address may be longer than an index can hold; bi.citation_changes searches by it.
    { typedIndexes: ['(account, client_id, md5(url), until, from_date)', '(from_date)', '(until)'] },
  ),
  logical(
    'citas',
    'citas',
    {
      id: ['text', 'id cita_id id_cita citation_id'],
      answer_id: ['text', 'respuesta_id id_respuesta answer_id respuesta.id answer.id'],
      measurement_id: ['text', 'medicion_id id_medicion measurement_id medicion.id'],
      date: ['date', 'fecha date dia day'],
      cited_at: ['timestamptz', 'fecha date creada momento cited_at timestamp'],
      engine: ['text', 'motor engine'],
      question: ['text', 'pregunta prompt question prompt_canonico'],
      url,
      domain,
      title: ['text', 'titulo title nombre'],
      is_own: ['boolean', 'propia own is_own propio es_propia'],
      position: ['numeric', 'posicion position orden puesto'],
    },
    {
      typedIndexes: [
        `((${dateOf('cited_at')}))`,
        `(account, slice_client_id) where ${dateOf('cited_at')} is null`,
      ],
    },
  ),
  logical('sources', 'sources', {
    domain,
    kind: ['text', 'tipo type kind clase categoria'],
    authority: ['score', 'autoridad authority puntuacion score'],
    citations: ['bigint', 'citas citations veces menciones'],
    rival_citations: ['bigint', 'citas_rivales rival_citations citas_competidores'],
    gap: ['numeric', 'brecha gap hueco diferencia gap_vs_rivals'],
    opportunity_kind: ['text', 'oportunidad.tipo oportunidad opportunity.type opportunity'],
    opportunity_reason: ['text', 'oportunidad.motivo oportunidad.razon opportunity.reason'],
    rivals: ['list', 'rivales rivals competidores'],
    period,
    as_of: asOf,
  }),
  logical('perception', 'perception', {
    brand: ['text', 'marca brand empresa'],
    attribute: ['text', 'atributo attribute nombre'],
    is_own: ['boolean', 'propia own is_own propio es_propia'],
    polarity: ['text', 'polaridad polarity sentimiento sentiment tono'],
    mentions: ['bigint', 'menciones mentions veces count'],
    phrase: ['text', 'frase phrase cita literal texto'],
    confidence: ['rate', 'confianza confidence'],
    period,
    as_of: asOf,
  }),
  logical(
    'claims',
    'perception',
    {
      brand: ['text', 'marca brand empresa'],
      claim: ['text', 'afirmacion claim texto declaracion'],
      verdict: ['text', 'veredicto verdict resultado estado'],
      fact: ['text', 'hecho fact dato referencia'],
      checked: ['date', 'revisada revisado verificada checked fecha'],
    },
    { envelope: true, rows: 'afirmaciones claims declaraciones' },
  ),
  logical('products', 'products', {
    id: ['text', 'id producto_id product_id'],
    sku: ['text', 'sku referencia ref codigo'],
    title: ['text', 'nombre titulo title name producto'],
    url,
    price: ['numeric', 'precio price pvp precio.importe list_price precio_lista'],
    currency: ['text', 'moneda currency divisa precio.moneda'],
    ai_price: ['numeric', 'precio_ia precio_segun_ia ai_price precio_declarado precio_ia.importe'],
    is_measured: ['boolean', 'medido measured es_medido'],
    presence: ['rate', 'presencia presence presence_rate tasa_presencia'],
    win: ['rate', 'tasa_victoria win_rate victorias tasa_exito tasa_recomendacion recommendation_share'],
    updated,
    attributes: ['json', 'atributos attributes caracteristicas especificaciones features specs'],
  }),
  logical('merchants', 'shopping', {
    merchant: ['text', 'merchant comercio nombre name tienda'],
    links: ['bigint', 'enlaces links clics'],
    share: ['rate', 'cuota_enlaces link_share cuota share porcentaje'],
    destination: ['text', 'destino destination'],
    is_recommended: ['boolean', 'recomendado recommended recomendacion'],
    period,
    as_of: asOf,
  }),
  logical('revenue', 'revenue', {
    channel: ['text', 'canal channel motor fuente origen'],
    ...amounts,
    product: ['text', 'producto product producto_top'],
    landing: ['text', 'landing pagina_destino url landing_url landing_top'],
    provenance: ['text', 'procedencia provenance origen_dato fuente_dato'],
    ...span,
    as_of: asOf,
  }),
  logical(
    'revenue_products',
    'revenue',
    { product: ['text', 'producto product nombre name articulo titulo'], ...amounts, ...bodySpan },
    { envelope: true, rows: 'por_producto productos by_product products', rowsNamed: true },
  ),
  logical(
    'revenue_landings',
    'revenue',
    {
      landing: ['text', 'landing pagina_destino landing_url url pagina ruta page path'],
      ...amounts,
      ...bodySpan,
    },
    {
      envelope: true,
      rows: 'por_landing landings by_landing paginas_destino landing_pages por_pagina by_page',
      rowsNamed: true,
    },
  ),
  logical(
    'revenue_funnel',
    'revenue',
    {
      sessions: ['bigint', 'funnel.visitas embudo.visitas funnel.sesiones funnel.visits funnel.sessions'],
      carts: [
        'bigint',
        'funnel.carritos embudo.carritos funnel.cestas funnel.carts funnel.baskets funnel.add_to_cart',
      ],
      orders: ['bigint', 'funnel.pedidos embudo.pedidos funnel.compras funnel.orders funnel.purchases'],
      ...span,
    },
    { envelope: true },
  ),
  logical('benchmark', 'benchmark', {
    cut: ['text', 'corte cut ambito tipo segmento tipo_segmento segment_type'],
    value: ['text', 'valor value nombre valor_segmento segment_value'],
    brands: ['bigint', 'marcas_comparables comparable_brands marcas muestra n comparables sample_size'],
    status: ['text', 'estado status'],
    percentile: ['score', 'percentil percentile'],
    median: ['score', 'mediana median'],
    as_of: asOf,
  }),
  logical('crawl', 'crawl', {
    bot: ['text', 'bot agente ua user_agent nombre'],
    domain,
    purpose: ['text', 'proposito purpose finalidad'],
    status: ['text', 'estado status salud'],
    visits: ['bigint', 'visitas_7d visitas visits accesos hits'],
    error: ['rate', 'tasa_errores error_rate errores errors'],
    mean_ms: ['numeric', 'media_ms mean_ms ms tiempo_medio latencia'],
    bytes: ['numeric', 'bytes tamano'],
    render: ['text', 'render renderizado'],
    last_visit: ['timestamptz', 'ultima_visita last_visit ultimo_acceso last_seen'],
    path: ['text', 'ruta path camino pagina page url uri'],
    period,
    as_of: asOf,
  }),
  logical(
    'site_coverage',
    'crawl',
    {
      urls: [
        'bigint',
        'sitemap.urls mapa.urls sitemap.paginas mapa_sitio.urls sitemap.pages sitemap.url_count',
      ],
      crawled: ['bigint', 'sitemap.rastreadas mapa.rastreadas sitemap.crawled urls_rastreadas crawled_urls'],
      checked: [
        'date',
        'sitemap.revisado sitemap.checked sitemap.leido sitemap.read sitemap.fetched sitemap.retrieved',
      ],
      crawled_cited: [
        'bigint',
        'rastreadas_y_citadas crawled_and_cited rastreo_y_cita.ambas rastreadas_con_cita urls_rastreadas_citadas',
      ],
      crawled_uncited: [
        'bigint',
        'rastreadas_sin_cita rastreadas_no_citadas crawled_not_cited solo_rastreadas crawled_only',
      ],
      cited_uncrawled: [
        'bigint',
        'citadas_sin_rastreo citadas_no_rastreadas cited_not_crawled solo_citadas cited_only',
      ],
    },
    { envelope: true },
  ),
];
