// Colours between low and high, and the colour of a text on them.
import type { Palette } from './palette.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** @param share from 0 to 1, 0 the low end */
export function scaleColour({ scale }: Palette, share: number): string {
  const place = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const low = rgbOf(scale[Math.floor(place)] ?? '#000000');
  const high = rgbOf(scale[Math.ceil(place)] ?? '#000000');
  const mixed = low.map((from, part) => Math.round(from + ((high[part] ?? from) - from) * (place % 1)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Black or white, whichever can be read on it. */
export function inkOn(colour: string): string {
  const [red, green, blue] = rgbOf(colour);
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

function linear(part: number): number {
  return part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
}

function rgbOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}
