// Servers with names, formats and nestings of their own, and one made to mislead: a target, a rival's figure, one before,
// one of another method, a remark. None is taken for the field that it is like.
import { expect, test } from 'vitest';
import { judgeMapping, sharesOf } from '../worlds/judge-mapping.ts';
import { matchWorld } from '../worlds/match-world.ts';
import { worlds } from '../worlds/worlds.ts';

/** Share of the fields that is found without a hand; half of them where names are in neither Spanish nor English. */
const leastRight = (name: string) =>
  /^contrast-(es|en)$/.test(name) ? 0.95 : name.startsWith('contrast') ? 0.5 : 0.89;

test.each(worlds)(
  'nothing in the $name world is taken wrongly, and nearly all of it is found',
  async (world) => {
    const judged = judgeMapping(world.truth, await matchWorld(world));
    expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    const { present, right, proposed } = sharesOf(judged);
    expect(right / present).toBeGreaterThanOrEqual(leastRight(world.name));
    if (!world.name.startsWith('contrast')) expect((right + proposed) / present).toBeGreaterThanOrEqual(0.95);
  },
);
