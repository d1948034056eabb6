// A target, a rival's figure, one before, one of another method, a remark: none is taken for the field that it is like.
import { expect, test } from 'vitest';
import { judgeMapping, sharesOf } from '../worlds/judge-mapping.ts';
import { matchWorld } from '../worlds/match-world.ts';
import { contrastWorlds } from '../worlds/worlds.ts';

test.each(contrastWorlds)(
  'nothing in the $name world is taken for a field that it is only like',
  async (world) => {
    const judged = judgeMapping(world.truth, await matchWorld(world));
    expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    // Nearly all of the names in Spanish and English are still found.
    const { present, right } = sharesOf(judged);
    expect(right / present).toBeGreaterThan(
      world.name === 'contrast-es' || world.name === 'contrast-en' ? 0.95 : 0.5,
    );
  },
);
