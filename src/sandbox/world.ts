// The world of one account at any date, with a cache of the last lists.

import { type JsonObject, type JsonValue, RawNumber, toJson } from './json-literal.ts';
import type { SandboxSettings } from './options.ts';
import { at, Dice, hashOf } from './random.ts';
import type { ListRoute, Route } from './routes.ts';
import type { Listing } from './world/listing.ts';
import { type Brand, dayOf, type Scope } from './world/scope.ts';
import { agencySector, places, sectors } from './world/vocabulary.ts';

/** The account's brands: its own and its clients', with ids that test a caller's encoding. */
const heads = [
  'Nexo',
  'Brisa',
  'Luna',
  'Roble',
  'Cala',
  'Duna',
  'Faro',
  'Íbice',
  'Jara',
  'Ágata',
  'Ondas',
  'Peña',
];
const tails = ['Clínica', 'Bodega', 'Moda', 'Gestión', 'Hotel', 'Academia'];

/** A number, a space, a slash with an ampersand, and two that differ only in letter case. */
const firstIds: readonly (string | number)[] = [41027, 'bodega luna', 'moda&co/es', 'Nexo-SL', 'nexo-sl'];

/** The account's own brand first, then `clients` clients. */
function brandsOf(seed: number, clients: number): readonly Brand[] {
  const own: Brand = {
    index: 0,
    id: undefined,
    name: 'Agencia Vértice',
    sector: agencySector,
    place: at(places, 0),
    domain: 'agencia-vertice.example',
    publicId: publicIdOf(seed, 0),
  };
  return [own, ...Array.from({ length: clients }, (_, index) => clientBrand(seed, index + 1))];
}

function clientBrand(seed: number, index: number): Brand {
  const ordinal = index - 1;
  const kind = ordinal % tails.length;
  const head = at(heads, seed + ordinal * 5 + Math.floor(ordinal / heads.length));
  const round = Math.floor(ordinal / (heads.length * tails.length));
  const name = `${at(tails, kind)} ${head}${round === 0 ? '' : ` ${round + 1}`}`;
  const slug = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-');
  return {
    index,
    id: firstIds[ordinal] ?? laterId(slug, index),
    name,
    sector: at(sectors, kind),
    place: at(places, new Dice(seed, 'place', index).int(0, places.length - 1)),
    domain: `${slug}-${index}.example`,
    publicId: publicIdOf(seed, index),
  };
}

function laterId(slug: string, index: number): string | number {
  switch (index % 7) {
    case 0:
      return 41_000 + index * 27;
    case 1:
      return `${slug.replaceAll('-', ' ')} ${index}`;
    case 2:
      return `${slug}/${index}`;
    default:
      return `${slug}-${index}`;
  }
}

function publicIdOf(seed: number, index: number): string {
  return `pub_${new Dice(seed, 'public', index).token(12)}`;
}

/** A copy without `cliente`, at any depth. */
function withoutClientField(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (name === 'cliente' ? [] : [[name, stripped(value)]])),
  );
}

function stripped(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return value;
  return isList(value) ? value.map(stripped) : withoutClientField(value);
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Lists cached, and the length up to which their records' texts are cached with them. */
const cachedLists = 64;
const cachedTexts = 1000;

type WorldSettings = Pick<SandboxSettings, 'clients' | 'since' | 'asked' | 'scale' | 'clientField'>;

interface CachedList {
  readonly listing: Listing;
  readonly texts: string[];
  rest: string | undefined;
}

export class World {
  readonly seed: number;
  readonly since: number;
  readonly asked: number;
  readonly scale: number;
  readonly brands: readonly Brand[];
  readonly #clientField: boolean;
  readonly #byId: ReadonlyMap<string, Brand>;
  readonly #cached = new Map<string, CachedList>();

  constructor(seed: number, settings: WorldSettings) {
    const { clients, since, asked, scale, clientField } = settings;
    this.seed = hashOf(seed, 'world');
    this.since = dayOf(since);
    this.asked = dayOf(asked);
    this.scale = scale;
    this.#clientField = clientField;
    this.brands = brandsOf(this.seed, clients);
    this.#byId = new Map(this.brands.slice(1).map((brand) => [String(brand.id), brand]));
  }

  /** The brand of a `cliente`; the account's own for ''. Undefined when there is no such client. */
  brand(client: string): Brand | undefined {
    return client === '' ? this.brands[0] : this.#byId.get(client);
  }

  scope(brand: Brand, day: number): Scope {
    const { seed, since, asked, scale, brands } = this;
    return { seed, today: day, since, asked, scale, brand, brands };
  }

  /** An object as the account's own routes show it: with its client, or without. */
  shown(route: Route, object: JsonObject): JsonObject {
    return this.#clientField || route.perClient ? object : withoutClientField(object);
  }

  /** The JSON texts of the records from `offset`, and the list's length. */
  records(
    route: ListRoute,
    scope: Scope,
    withText: boolean,
    offset: number,
    limit: number,
  ): [string[], number] {
    const { listing, texts } = this.#list(route, scope, withText);
    const page: string[] = [];
    const end = Math.min(listing.length, offset + limit);
    for (let index = offset; index < end; index++) {
      const text = texts[index] ?? toJson(this.shown(route, listing.at(index)));
      if (listing.length <= cachedTexts) texts[index] = text;
      page.push(text);
    }
    return [page, listing.length];
  }

  /** The JSON text of the body beside the list, an object; the same on every page. */
  rest(route: ListRoute, scope: Scope): string {
    if (route.rest === undefined) return '{}';
    const cached = this.#list(route, scope, false);
    cached.rest ??= toJson(this.shown(route, route.rest(scope)));
    return cached.rest;
  }

  #list(route: ListRoute, scope: Scope, withText: boolean): CachedList {
    const key = `${route.route}|${withText}|${scope.brand.index}|${scope.today}`;
    const cached = this.#cached.get(key) ?? {
      listing: route.listing(scope, withText),
      texts: [],
      rest: undefined,
    };
    // Re-inserted, so that the map's first key is always the one used longest ago.
    this.#cached.delete(key);
    this.#cached.set(key, cached);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= cachedLists) break;
      this.#cached.delete(oldest);
    }
    return cached;
  }
}
