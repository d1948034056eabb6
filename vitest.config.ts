import { defineConfig } from 'vitest/config';

// Files of one worker share what they import (isolate: false): each for itself takes a quarter more time of all tests.
// A file that fakes something gives it back.

/** Where .ci/run reads the counts from. */
const report = process.env['AIRANK_TEST_REPORT'];

export default defineConfig({
  test: {
    // On two cores two would leave an eighth of them idle: tests wait for processes, for Postgres and now and then for time.
    maxWorkers: 3,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'integration',
          isolate: false,
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
