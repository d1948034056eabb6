// How well a world's fields were found, against what is true of it.
import type { World } from './table.ts';

/** Path that one logical field is mapped to, and what is proposed instead, the likeliest first. */
export interface MappedField {
  /** As `rank_now.score`. */
  readonly field: string;
  readonly path: string | null;
  readonly proposals: readonly { readonly path: string }[];
}

type Verdict =
  | 'right'
  /** Not mapped, and the first proposal is right. */
  | 'proposed'
  /** Not mapped, and asked without the right answer first. */
  | 'asked'
  | 'missed'
  /** Mapped to what may well be right, although nobody can tell. */
  | 'guessed'
  /** Mapped to something else. */
  | 'wrong';

export interface Judgement {
  readonly field: string;
  readonly verdict: Verdict;
  /** Paths that were mapped or proposed, and below those that are true. */
  readonly got: readonly string[];
  readonly wanted: readonly string[];
}

/** The fields that are in the world or were mapped. FailedValidation ones count only where they were taken without asking. */
export function judgeMapping(truth: World['truth'], fields: readonly MappedField[]): Judgement[] {
  return fields.flatMap(({ field, path, proposals }): Judgement[] => {
    const place = truth[field];
    const wanted = place?.paths ?? [];
    const got = path === null ? proposals.map((one) => one.path) : [path];
    const judged = (verdict: Verdict) => [{ field, verdict, got, wanted }];
    const isTrue = path !== null && wanted.includes(path);
    if (place === undefined || place.isDoubtful === true) {
      return path === null ? [] : judged(isTrue ? 'guessed' : 'wrong');
    }
    if (path !== null) return judged(isTrue ? 'right' : 'wrong');
    if (got.length === 0) return judged('missed');
    return judged(wanted.includes(got[0] ?? '') ? 'proposed' : 'asked');
  });
}

interface Shares {
  readonly present: number;
  readonly right: number;
  readonly proposed: number;
  readonly wrong: number;
}

export function sharesOf(judged: readonly Judgement[]): Shares {
  const count = (...verdicts: readonly Verdict[]) =>
    judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    present: judged.filter(({ verdict, wanted }) => wanted.length > 0 && verdict !== 'guessed').length,
    right: count('right'),
    proposed: count('proposed'),
    wrong: count('wrong'),
  };
}
