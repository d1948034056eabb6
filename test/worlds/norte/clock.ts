// The many ways in which ten years of one database write a day.

/** A quarter past nine in Santander on the first run date. */
const start = Date.UTC(2026, 4, 18, 7, 15);

const months = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ');

export interface Moment {
  /** 2026-05-18 */
  readonly day: string;
  /** 18-05-2026 */
  readonly dmy: string;
  /** 18-05-2026 09:15 */
  readonly dmyTime: string;
  /** 2026/05/18 09:15 */
  readonly slashed: string;
  /** 18 may 2026 */
  readonly words: string;
  /** 2026-05-18T09:15:00+02:00 */
  readonly iso: string;
  readonly seconds: number;
}

/** Days since the first run date and, where it matters, minutes since the morning. */
export function on(offset: number, minutes = 0): Moment {
  const epoch = start + offset * 86_400_000 + minutes * 60_000;
  const local = new Date(epoch + 2 * 3_600_000).toISOString();
  const day = local.slice(0, 10);
  const time = local.slice(11, 16);
  const [year = '', month = '', ofMonth = ''] = day.split('-');
  return {
    day,
    dmy: `${ofMonth}-${month}-${year}`,
    dmyTime: `${ofMonth}-${month}-${year} ${time}`,
    slashed: `${year}/${month}/${ofMonth} ${time}`,
    words: `${Number(ofMonth)} ${months[Number(month) - 1]} ${year}`,
    iso: `${local.slice(0, 19)}+02:00`,
    seconds: Math.floor(epoch / 1000),
  };
}
