// Dates as a Spanish team writes them.

const dayMs = 86_400_000;
const firstRunDate = Date.UTC(2026, 4, 18);
const months =
  'enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,diciembre'.split(',');

/** @param day 0: the first run date; below 0: before it */
export function at(day: number, hours = 7.2): number {
  return firstRunDate + day * dayMs + Math.round(hours * 3_600) * 1_000;
}

function parts(ms: number): { day: string; month: string; year: number; time: string } {
  const date = new Date(ms);
  const two = (number: number) => String(number).padStart(2, '0');
  return {
    day: two(date.getUTCDate()),
    month: two(date.getUTCMonth() + 1),
    year: date.getUTCFullYear(),
    time: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`,
  };
}

/** 03/04/2026 */
export function slashed(ms: number): string {
  const { day, month, year } = parts(ms);
  return `${day}/${month}/${year}`;
}

/** 03/04/2026 09:30 */
export function slashedTime(ms: number): string {
  return `${slashed(ms)} ${parts(ms).time}`;
}

/** 03-04-2026 */
export function dashed(ms: number): string {
  return slashed(ms).replaceAll('/', '-');
}

/** 3 de abril de 2026 */
export function spoken(ms: number): string {
  const { day, month, year } = parts(ms);
  return `${Number(day)} de ${months[Number(month) - 1]} de ${year}`;
}

/** 3 abr 2026 */
export function shortened(ms: number): string {
  const { day, month, year } = parts(ms);
  return `${Number(day)} ${months[Number(month) - 1]?.slice(0, 3)} ${year}`;
}

/** 2026-04-03 */
export function isoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** 2026-04-03T07:30:00.000Z */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** 2026-04-03T09:30:00+02:00 */
export function madridTime(ms: number): string {
  return `${new Date(ms + 7_200_000).toISOString().slice(0, 19)}+02:00`;
}

/** 2026-04-03 07:30:00 */
export function spacedTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

export function within(low: number, high: number, number: number): number {
  return Math.min(high, Math.max(low, number));
}
