// Every question of some files goes to one place: sent, or left out with the reason. Pure.
import { judgeQuestion } from './judge-question.ts';
import { findPersonalData, type PersonalData } from './personal-data.ts';
import type { QuestionFile, UnreadPlace } from './question-file.ts';
import { questionHash } from './question-key.ts';

export interface NamedFile extends QuestionFile {
  readonly name: string;
}

export interface FineQuestion {
  readonly hash: Buffer;
  readonly text: string;
}

export interface FilePlace {
  readonly file: string;
  readonly place: number;
}

export interface RefusedPlace extends FilePlace {
  readonly reason: string;
}

export interface PersonalPlace extends FilePlace {
  readonly found: readonly PersonalData[];
}

export interface SortedQuestions {
  readonly fine: readonly FineQuestion[];
  readonly refused: readonly RefusedPlace[];
  /** Held back, or pointed out where they are allowed. */
  readonly personal: readonly PersonalPlace[];
  /** The same as one before it in the files. */
  readonly repeated: number;
}

export function sortQuestions(
  files: readonly NamedFile[],
  { allowPersonalData }: { readonly allowPersonalData: boolean },
): SortedQuestions {
  const fine = new Map<string, FineQuestion>();
  const refused: RefusedPlace[] = [];
  const personal: PersonalPlace[] = [];
  let repeated = 0;
  for (const { name: file, questions, unread } of files) {
    const refusedHere: UnreadPlace[] = [...unread];
    for (const { place, text: raw } of questions) {
      const judged = judgeQuestion(raw);
      if (judged.kind === 'refused') {
        refusedHere.push({ place, reason: judged.reason });
        continue;
      }
      const found = findPersonalData(judged.text);
      if (found.length > 0) personal.push({ file, place, found });
      if (found.length > 0 && !allowPersonalData) continue;
      const hash = questionHash(judged.text);
      const key = hash.toString('hex');
      if (fine.has(key)) repeated += 1;
      else fine.set(key, { hash, text: judged.text });
    }
    refusedHere.sort((a, b) => a.place - b.place);
    refused.push(...refusedHere.map((one) => ({ file, ...one })));
  }
  return { fine: [...fine.values()], refused, personal, repeated };
}
