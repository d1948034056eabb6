// Faults of whole walks: lists that are shorter, pages that move, and cursors that lead nowhere.
import { type Fault, raw } from '../ask.ts';
import type { Fields } from '../world.ts';
import { cursorRefusals } from './names.ts';

/** The list with some of its records, in honest pages. */
function fewer(keep: (records: readonly Fields[]) => readonly Fields[]): Fault {
  return {
    reach: 'walk',
    answer: (ask, hands) => {
      const chosen = keep(hands.records);
      const more = ask.pageNo * ask.limit < chosen.length && !ask.csv;
      return hands.page(
        ask.csv ? chosen : hands.slice(ask.pageNo, chosen),
        more ? hands.cursorOf(ask.pageNo + 1) : undefined,
      );
    },
    claim: keep,
  };
}

const failure = { success: false, mensaje: 'Vuelve luego' };
const visit = (_record: Fields, index: number) => ({
  pagina: `/p${index}`,
  visitas: index,
  bot: 'x',
  dias: 7,
});
const half = (records: readonly Fields[]) => records.filter((_, index) => index % 2 === 0);
const middle = (count: number) => (records: readonly Fields[]) => {
  const from = Math.floor(Math.max(Math.ceil(records.length / 200), 1) / 2) * 200;
  const start = from + count > records.length ? Math.max(from - 200, 0) : from;
  return [...records.slice(0, start), ...records.slice(start + count)];
};

export const walkFaults = {
  'half the records': fewer(half),
  'half the records with status 206': {
    ...fewer(half),
    answer: (ask, hands) => {
      const reply = fewer(half).answer(ask, hands);
      return reply?.kind === 'json' ? raw(206, JSON.stringify(reply.body)) : reply;
    },
  },
  'half the records beside an error': {
    ...fewer(half),
    answer: (ask, hands) => hands.page(hands.slice(ask.pageNo, half(hands.records)), undefined, failure),
    claim: (truth) => half(truth).slice(0, 200),
  },
  'a full page without its cursor': {
    reach: 'walk',
    answer: (_ask, hands) => hands.page(hands.slice(1), undefined),
    claim: (truth) => truth.slice(0, 200),
  },
  'page 2 is page 1 again': {
    reach: 'walk',
    answer: (ask, hands) => hands.page(hands.slice(1), ask.pageNo === 1 ? hands.cursorOf(2) : undefined),
    // Said twice in two walks: there are two of each.
    claim: (truth) => [...truth.slice(0, 200), ...truth.slice(0, 200)],
  },
  'records of another route': {
    reach: 'walk',
    answer: (_ask, hands) => hands.page(hands.records.map(visit), undefined),
    claim: (truth) => truth.map(visit),
  },
  'one record gone': fewer((records) => records.filter((_, index) => index !== 3)),
  'one client gone': fewer((records) => records.filter((record) => record['id'] !== 'c2')),
  'a page lost from the middle': fewer(middle(200)),
  'id field renamed': {
    reach: 'walk',
    answer: (_ask, hands) => hands.page(hands.records.map(renamed), undefined),
    claim: (truth: readonly Fields[]) => truth.map(renamed),
  },
  'inserted at the start while walking': {
    reach: 'walk',
    movesWorld: true,
    answer: (ask, hands) => {
      // From the second page on one more record stands before all others.
      const moved = ask.pageNo === 1 ? hands.records.slice(1) : hands.records;
      const next = ask.pageNo * ask.limit < hands.records.length ? hands.cursorOf(ask.pageNo + 1) : undefined;
      return hands.page(hands.slice(ask.pageNo, moved), next);
    },
    world: (records, walks) => [
      ...Array.from({ length: walks }, (_, index) => insertedOf(records[0] ?? {}, walks - index)),
      ...records,
    ],
  },
  'deleted at the start while walking': {
    reach: 'walk',
    answer: (ask, hands) => {
      const moved = ask.pageNo === 1 ? hands.records : hands.records.slice(1);
      const next = ask.pageNo * ask.limit < moved.length ? hands.cursorOf(ask.pageNo + 1) : undefined;
      return hands.page(hands.slice(ask.pageNo, moved), next);
    },
    // The one that slipped over the page's end; the one that left was on the first page already.
    claim: (truth) => truth.filter((_, index) => index !== 200),
  },
  'sorted anew while walking': {
    reach: 'walk',
    answer: (ask, hands) => {
      // From the second page on a record of the first one has changed places with one of the second: no two walks of
      // a date, nor of two dates, skip the same.
      const from = (ask.walk * 7) % 28;
      const [here = {}, there = {}] = [hands.records[from], hands.records[ask.limit + from]];
      const sorted = hands.records.with(from, there).with(ask.limit + from, here);
      const next = ask.pageNo < hands.pages ? hands.cursorOf(ask.pageNo + 1) : undefined;
      return hands.page(hands.slice(ask.pageNo, ask.pageNo === 1 ? hands.records : sorted), next);
    },
  },
  'the same page for ever': {
    reach: 'walk',
    answer: (ask, hands) => hands.page(hands.slice(1), hands.cursorOf(1, ask.fresh + 1)),
  },
  'a cycle of pages': {
    reach: 'walk',
    answer: (ask, hands) => {
      const last = ask.pageNo >= hands.pages;
      return hands.page(
        hands.slice(ask.pageNo),
        last ? hands.cursorOf(1, ask.fresh + 1) : hands.cursorOf(ask.pageNo + 1, ask.fresh),
      );
    },
  },
  'shuffled pages': {
    reach: 'walk',
    answer: (ask, hands) => {
      const order = Array.from({ length: hands.pages }, (_, index) => hands.pages - index);
      const next = ask.pageNo < hands.pages ? hands.cursorOf(ask.pageNo + 1) : undefined;
      return hands.page(hands.slice(order[ask.pageNo - 1] ?? 0), next);
    },
  },
  'empty pages for ever': {
    reach: 'walk',
    answer: (ask, hands) => hands.page([], hands.cursorOf(1, ask.fresh + 1)),
  },
  'some empty pages': {
    reach: 'walk',
    answer: (ask, hands) =>
      ask.pageNo === 2 && ask.fresh < 4 ? hands.page([], hands.cursorOf(2, ask.fresh + 1)) : undefined,
  },
  'endless fresh records': {
    reach: 'walk',
    answer: (ask, hands) =>
      hands.page(madeUp(hands.records[0] ?? {}, ask.fresh * 2, 2), hands.cursorOf(1, ask.fresh + 1)),
  },
  'far more pages than before': {
    reach: 'walk',
    answer: (ask, hands) =>
      hands.page(
        madeUp(hands.records[0] ?? {}, ask.fresh * 2, 2),
        ask.fresh < manyPages - 1 ? hands.cursorOf(1, ask.fresh + 1) : undefined,
      ),
    claim: (truth) => madeUp(truth[0] ?? {}, 0, manyPages * 2),
  },
  // The apparent end is a full page, which names a next one when it is asked for again.
  'ends on a full page': {
    reach: 'walk',
    answer: (() => {
      const asked = new Map<string, number>();
      return (ask, hands) => {
        if (ask.pageNo !== hands.pages - 1) return undefined;
        // Not by walk: asking the first page once more looks like another one.
        const name = `${ask.cursor} ${hands.day}`;
        const times = (asked.get(name) ?? 0) + 1;
        asked.set(name, times);
        return times % 2 === 1 ? hands.page(hands.slice(ask.pageNo), undefined) : undefined;
      };
    })(),
  } as Fault,
  ...refusedCursors(),
  'cursor of 100 KB': {
    reach: 'walk',
    answer: (_ask, hands) => hands.page(hands.slice(1), 'Z'.repeat(100_000)),
  },
} satisfies Record<string, Fault>;

function refusedCursors(): Record<`cursor answers ${(typeof cursorRefusals)[number]}`, Fault> {
  const made: Record<string, Fault> = {};
  for (const status of cursorRefusals) {
    made[`cursor answers ${status}`] = {
      reach: 'answer',
      answer: (ask) => (ask.cursor === '' ? undefined : raw(status, '{"error":"cursor"}')),
    };
  }
  return made;
}

/** Ten times the two pages of before plus 100, and more. */
const manyPages = 140;

function insertedOf(like: Fields, n: number): Fields {
  return { ...like, id: `nuevo-${n}` };
}

function madeUp(like: Fields, from: number, count: number): Fields[] {
  return Array.from({ length: count }, (_, index) => ({ ...like, id: `inventado-${from + index}` }));
}

/** To a name that says nothing of identity. */
function renamed({ id, ...rest }: Fields): Fields {
  return { quien: id, ...rest };
}
