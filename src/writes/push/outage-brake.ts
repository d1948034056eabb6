// Ends a push where the service seems to be down: whatever is sent then ends unknown, and somebody has to decide on each.
import type { Delivered } from '../deliver.ts';

/** Writes of which nobody knows, one after the other. */
export const mostUnknownInARow = 2;

export interface OutageBrake {
  /** Nothing more is to be sent. */
  readonly isOn: boolean;
  /** What became of a write that was sent. */
  saw(kind: Delivered['kind']): void;
}

/** `endedUnknown`: the newest write of before did, so that in an outage each push sends one, and not two. */
export function createOutageBrake(endedUnknown: boolean): OutageBrake {
  let unknownInARow = endedUnknown ? mostUnknownInARow - 1 : 0;
  return {
    get isOn() {
      return unknownInARow >= mostUnknownInARow;
    },
    saw(kind) {
      if (kind === 'unknown') unknownInARow += 1;
      else if (isAnswered(kind)) unknownInARow = 0;
    },
  };
}

function isAnswered(kind: Delivered['kind']): boolean {
  return kind === 'accepted' || kind === 'refused' || kind === 'too_large';
}
