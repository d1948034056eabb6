// A service that takes questions and measurements, and counts how often each came.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type FaultOptions, faultOf } from '../../src/sandbox/faults.ts';
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts';

export interface CountingService {
  readonly port: number;
  /** Requests of which at least the head came. */
  requests(): number;
  /** Requests that have come in part, or are not answered yet. */
  inFlight(): number;
  /** How often a question, or a measurement of a business, came. */
  times(text: string): number;
  /** All that came, each as often as it came. */
  came(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Counts what arrives. A text that fails with 503 was not taken; one that fails with 500, or gets no answer, was. */
export async function startCountingService(seed: number, faults: FaultOptions): Promise<CountingService> {
  const came = new Map<string, number>();
  let requests = 0;
  let inFlight = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = faultOf(seed, faults, requests);
    requests += 1;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const failed = fault.kind === 'error' ? fault.status : 202;
    if (failed !== 503) {
      for (const text of textsIn(Buffer.concat(parts).toString())) came.set(text, (came.get(text) ?? 0) + 1);
    }
    await delay(fault.delayMs);
    if (fault.kind === 'drop') response.destroy();
    else sendJson(response, failed, { id: `answer-${requests}` });
  };
  const server = await startLoopbackServer((request, response) => {
    inFlight += 1;
    answer(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        inFlight -= 1;
      });
  });
  return {
    port: Number(new URL(server.url).port),
    requests: () => requests,
    inFlight: () => inFlight,
    times: (text) => came.get(text) ?? 0,
    came: () => came,
    close: () => server.close(),
  };
}

/** Questions, or the business that is measured. */
function textsIn(body: string): readonly string[] {
  const { preguntas, empresa } = JSON.parse(body) as { preguntas?: readonly string[]; empresa?: string };
  return preguntas ?? [empresa ?? ''];
}
