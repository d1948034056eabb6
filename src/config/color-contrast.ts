// Whether a colour can be read on white paper, by the formula of WCAG 2.

/** What texts need. */
export const leastContrast = 4.5;

/** `#0a5` and `#00AA55` as `#00aa55`. Undefined: the text is no such colour. */
export function parseHexColor(text: string): string | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`.toLowerCase();
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** From 1 to 21, two digits after the point. @param color as `#00aa55` */
export function contrastOnWhite(color: string): number {
  return Math.round((1.05 / (luminance(color) + 0.05)) * 100) / 100;
}

/** The same colour, darker by as little as makes it readable. */
export function readableColor(color: string): string {
  for (let share = 100; share > 0; share -= 1) {
    const darker = `#${channels(color)
      .map((channel) =>
        Math.floor((channel * share) / 100)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`;
    if (contrastOnWhite(darker) >= leastContrast) return darker;
  }
  return '#000000';
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
