// The world of one account at any date.
import type { JsonObject, Records } from './json-literal.ts';
import type { SandboxSettings } from './options.ts';
import { at, Dice, hashOf } from './random.ts';
import type { ListRoute } from './route.ts';
import { type Brand, dayOf, type Scope } from './world/scope.ts';
import { agencySector, places, sectors } from './world/vocabulary.ts';

/** The account's brands: its own and its clients', with ids that test how callers encode them. */
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

/** Returns the account's own brand, then `clients` clients. */
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

type WorldSettings = Pick<SandboxSettings, 'clients' | 'since' | 'asked' | 'scale'>;

interface HeldList {
  readonly records: Records;
  /** The body beside the list; the same on every page. */
  readonly rest: JsonObject;
}

/** Number of lists to keep, as walks come page by page. */
const mostHeld = 64;

export class World {
  readonly seed: number;
  readonly since: number;
  readonly asked: number;
  readonly scale: number;
  readonly brands: readonly Brand[];
  readonly #byId: ReadonlyMap<string, Brand>;
  readonly #held = new Map<string, HeldList>();

  constructor(seed: number, { clients, since, asked, scale }: WorldSettings) {
    this.seed = hashOf(seed, 'world');
    this.since = dayOf(since);
    this.asked = dayOf(asked);
    this.scale = scale;
    this.brands = brandsOf(this.seed, clients);
    this.#byId = new Map(this.brands.slice(1).map((brand) => [String(brand.id), brand]));
  }

  /** Returns the brand of a `cliente`, the account's own for ''; undefined if there is no such client. */
  brand(client: string): Brand | undefined {
    return client === '' ? this.brands[0] : this.#byId.get(client);
  }

  scope(brand: Brand, day: number): Scope {
    const { seed, since, asked, scale, brands } = this;
    return { seed, today: day, since, asked, scale, brand, brands };
  }

  list(route: ListRoute, scope: Scope, withText: boolean): HeldList {
    const key = `${route.route}|${withText}|${scope.brand.index}|${scope.today}`;
    let list = this.#held.get(key);
    if (list === undefined) {
      if (this.#held.size >= mostHeld) this.#held.clear();
      list = { records: route.listing(scope, withText), rest: route.rest?.(scope) ?? {} };
      this.#held.set(key, list);
    }
    return list;
  }
}
