// The account's brands: its own and its clients', with ids that test a caller's encoding.
import { at, Dice } from '../random.ts';
import type { Brand } from './scope.ts';
import { agencySector, places, sectors } from './vocabulary.ts';

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

// A number, a space, a slash with an ampersand, and two that differ only in letter case.
const firstIds: readonly (string | number)[] = [41027, 'bodega luna', 'moda&co/es', 'Nexo-SL', 'nexo-sl'];

/** The account's own brand first, then `clients` clients. */
export function brandsOf(seed: number, clients: number): readonly Brand[] {
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
