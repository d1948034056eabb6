// The sandbox with texts that pages must not take for anything but text: markup, scripts, formulas, other
// writing systems, 5,000 characters, and NULL in every tenth place.
import type { Sandbox } from '../../src/sandbox/server.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';

/** Sets it where a page ran it. */
export const trap = 'airankTrap';

const texts: readonly string[] = [
  `<script>window.${trap}=1</script>`,
  `</script><script>window.${trap}=1</script>`,
  `<img src=x onerror="window.${trap}=1">`,
  `"><svg onload="window.${trap}=1">`,
  `{b|javascript:window.${trap}=1} {c} %s`,
  'שלום עולם \u202Egnp.exe\u202C مرحبا',
  '👩‍👩‍👧‍👦🏳️‍🌈 Zalgo h̸̡̪̯ͨ͊̽̅e̖̭̮͚',
  `=HYPERLINK("http://127.0.0.1/","x")`,
  'x'.repeat(5_000),
  'words and words '.repeat(310),
  '\u0007\u001B[31mred\u2028line',
];

/**
 * Fields with what people typed or with the title of a page; names of fields, dates, identifiers and words of the
 * interface stay.
 */
const freeText =
  /^(nombre|titulo|title|pregunta|prompt|texto|frase|mensaje|marca|hipotesis|afirmacion|hecho|competidor|rival|atributo|lectura|conclusion|motivo|razon)$/i;

function spoiled(value: unknown, key: string, place: { next: number }): unknown {
  if (Array.isArray(value)) return value.map((one) => spoiled(one, key, place));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoiled(one, name, place)]));
  }
  if (typeof value !== 'string' || !freeText.test(key)) return value;
  place.next += 1;
  if (place.next % 10 === 0) return null;
  return `${texts[place.next % texts.length]} ${value}`;
}

/** Stands before the sandbox; rewrites what it answers. */
export async function startHostileServer(sandbox: Sandbox): Promise<LoopbackServer> {
  const place = { next: 0 };
  return await startLoopbackServer((request, response) => {
    const headers = { authorization: request.headers.authorization ?? '' };
    fetch(`${sandbox.url}${request.url}`, { headers })
      .then(async (answer) => {
        const limits = [...answer.headers].filter(([name]) => name.startsWith('x-ratelimit'));
        sendJson(
          response,
          answer.status,
          spoiled(await answer.json(), '', place),
          Object.fromEntries(limits),
        );
      })
      .catch(() => response.destroy());
  });
}
