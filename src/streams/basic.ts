// The seven basic routes, and the public one (api.md, "Basic routes" and api.md, "Public route").
import { define, type StreamSpec } from './define.ts';
import type { Stream } from './stream.ts';

const specs: readonly StreamSpec[] = [
  {
    route: 'airank',
    list: null,
    perClient: true,
    priority: 'high',
    shape: 'state',
    description: 'Latest AI Rank: the main result, how answer engines present the brand',
  },
  {
    route: 'airank/history',
    list: 'detect',
    shape: 'archive',
    keys: ['id', 'medicion_id', ['fecha', 'metodo'], ['fecha', 'version'], 'fecha', 'date'],
    description: 'History of the AI Rank, one point a measurement',
  },
  {
    route: 'clientes',
    list: 'detect',
    shape: 'state',
    exactKeys: true,
    keys: [
      'id',
      'cliente_id',
      'id_cliente',
      'client_id',
      'cliente',
      'client',
      'cliente.id',
      'uuid',
      '_id',
      'identificador',
      'codigo',
      'clave',
      'slug',
      'ref',
      'referencia',
      'key',
      'handle',
      [],
    ],
    description: "The agency account's clients",
  },
  {
    route: 'mediciones',
    list: 'detect',
    shape: 'archive',
    keys: ['id', 'medicion_id', 'id_medicion'],
    description: 'Archive of measurements',
  },
  {
    route: 'respuestas',
    list: 'detect',
    shape: 'archive',
    query: { texto: '1' },
    keys: ['id', 'respuesta_id', 'id_respuesta'],
    description: 'Answers of the engines, with their full text',
  },
  {
    route: 'acciones',
    list: 'acciones',
    shape: 'state',
    keys: ['id', 'accion_id', 'id_accion'],
    description: "The account's actions",
  },
  {
    route: 'citas',
    list: 'detect',
    shape: 'archive',
    keys: ['id', 'cita_id', 'id_cita'],
    description: 'Citations of pages in answers',
  },
  {
    name: 'airank_public',
    route: 'airank',
    list: null,
    shape: 'state',
    source: { kind: 'public' },
    description: 'Public AI Rank results by their configured ids, read without the key',
  },
];

export const basicStreams: readonly Stream[] = specs.map(define);
