// One request that reads, and what came of it: also where only the head of an answer arrived.
import type { HttpConfig } from '../config/config.ts';
import { classifyAnswer, classifyFailure, type Verdict } from './classify.ts';
import { bodiless, type Exchange, type RawHead } from './exchange.ts';
import type { PageRequest } from './request.ts';

export interface AskDeps {
  readonly exchange: Exchange;
  readonly http: HttpConfig;
  /** Removes secrets from a quoted body. */
  readonly scrub: (text: string) => string;
}

/**
 * A failure on the wire is returned as a verdict, not thrown, so that the gate still sees the headers.
 * @param onHead runs as soon as the headers are in
 */
export async function askOnce(
  { exchange, http, scrub }: AskDeps,
  url: string,
  request: PageRequest,
  signal: AbortSignal,
  onHead: (head: RawHead) => void = () => undefined,
): Promise<Verdict> {
  const { accept, pathId, badRequestFix } = request;
  const judging = {
    accept,
    maxNesting: http.maxNesting,
    scrub,
    ...(pathId !== undefined && { publicId: pathId }),
    ...(badRequestFix !== undefined && { badRequestFix }),
  };
  let head: RawHead | undefined;
  try {
    const answer = await exchange.send(url, request, signal, (arrived) => {
      head = arrived;
      onHead(arrived);
    });
    return classifyAnswer(answer, judging);
  } catch (error) {
    signal.throwIfAborted();
    // The status already says what this is; a broken error body adds nothing.
    if (head !== undefined && head.status >= 300) return classifyAnswer(bodiless(head), judging);
    return classifyFailure(error, head?.status, http);
  }
}
