// The unit tests alone, without the database that the others start, and without a simulation of a whole month:
// it runs through everything that decides, once for each mutant.
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/unit/schedule-month.test.ts'],
    testTimeout: 30_000,
  },
});
