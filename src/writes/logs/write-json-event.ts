// An event in the API's own names (docs/api.md, "Write routes").
import type { LogEvent } from './log-event.ts';

export interface JsonEvent {
  readonly fecha: string;
  readonly ua?: string;
  readonly ruta: string;
  readonly estado: number;
  readonly ms?: number;
  readonly ip?: string;
}

/** `fecha` is ISO 8601 in the zone of the log. What the log doesn't have is left out. */
export function writeJsonEvent(event: LogEvent): JsonEvent {
  return {
    fecha: isoInZone(event.at, event.zoneMinutes),
    ...(event.userAgent === null ? {} : { ua: event.userAgent }),
    ruta: event.path,
    estado: event.status,
    ...(event.durationMs === null ? {} : { ms: event.durationMs }),
    ...(event.ip === null ? {} : { ip: event.ip }),
  };
}

function isoInZone(at: Date, zoneMinutes: number): string {
  const wall = new Date(at.getTime() + zoneMinutes * 60_000).toISOString();
  if (zoneMinutes === 0) return wall;
  const two = (value: number) => String(value).padStart(2, '0');
  const zone = Math.abs(zoneMinutes);
  return `${wall.slice(0, -1)}${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(zone / 60))}:${two(zone % 60)}`;
}
