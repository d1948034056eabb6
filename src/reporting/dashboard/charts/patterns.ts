// Patterns on areas, so that series are told apart without colour.
import type { BarSeriesOption } from 'echarts';
import type { Palette } from './palette.ts';

type Decal = Exclude<NonNullable<NonNullable<BarSeriesOption['itemStyle']>['decal']>, 'none'>;

const patterns: readonly (Decal | undefined)[] = [
  undefined,
  { dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  {
    symbol: 'circle',
    symbolSize: 0.7,
    dashArrayX: [
      [8, 8],
      [0, 8, 8, 0],
    ],
    dashArrayY: [6, 0],
  },
  { dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [4, 3], rotation: 0 },
];

/** For `itemStyle`; the first series has none. */
export function decalOf(place: number, { background }: Palette): { decal?: Decal } {
  const pattern = patterns[place % patterns.length];
  return pattern === undefined ? {} : { decal: { ...pattern, color: `${background}88` } };
}
