// What a push of logs is told.
import type { UnknownPolicy } from '../deliver.ts';
import type { WantedFormat } from '../logs/find-format.ts';
import type { ChunkForm } from '../logs/log-chunk.ts';

export interface PushOptions {
  readonly account: string;
  readonly wanted: WantedFormat;
  readonly form: ChunkForm;
  readonly allAgents: boolean;
  readonly anonymizeIp: boolean;
  readonly unknown: UnknownPolicy;
  /** What to do with uploads that were refused for their content before. */
  readonly refused: UnknownPolicy;
  /** The logs were never pushed before, whatever they begin with. */
  readonly isNew: boolean;
  /** The job that pushes; undefined: by hand. */
  readonly job: string | undefined;
  /** Nothing is sent or written. */
  readonly isDry: boolean;
}

/** What flags and jobs say of a push; the rest is as usual. */
export interface SaidOfPush {
  readonly account: string;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly as?: ChunkForm | undefined;
  readonly allAgents?: boolean | undefined;
  readonly anonymizeIp?: boolean | undefined;
  readonly unknown?: UnknownPolicy | undefined;
  readonly refused?: UnknownPolicy | undefined;
  readonly isNew?: boolean | undefined;
  readonly job?: string | undefined;
  readonly isDry?: boolean | undefined;
}

export function pushOptions(said: SaidOfPush): PushOptions {
  const { account, format, pattern, allAgents = false } = said;
  return {
    account,
    wanted: { format, pattern },
    form: said.as ?? 'text',
    allAgents,
    // Whoever asks for the lines of people gets no whole addresses, unless that is said too.
    anonymizeIp: said.anonymizeIp ?? allAgents,
    unknown: said.unknown ?? 'report',
    refused: said.refused ?? 'report',
    isNew: said.isNew ?? false,
    job: said.job,
    isDry: said.isDry ?? false,
  };
}
