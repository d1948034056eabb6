// Checks where `.env` and airank.config.yaml are looked for, and how that is said.
import { describe, expect, test } from 'vitest';
import { explainFiles } from '../../src/config/explain-settings.ts';
import { cwd, type Files, faultsOf, good, load, readFrom } from '../support/config-fixtures.ts';

const dotenv = `AIRANK_BASE_URL=${good.AIRANK_BASE_URL}\nAIRANK_API_KEY=${good.AIRANK_API_KEY}\n`;
const elsewhere = { AIRANK_DATA_DIR: '/srv/rank/data' };

describe('settings that are missing', () => {
  test('name the file that was looked for', () => {
    expect(faultsOf({})).toEqual([
      'Nothing is set up here. Expected the address of the API (AIRANK_BASE_URL) and a key (AIRANK_API_KEY) in the environment or in /work/dir/.env, which does not exist. Run: airank init',
    ]);
    expect(faultsOf({ AIRANK_API_KEY: good.AIRANK_API_KEY })).toEqual([
      'Expected AIRANK_BASE_URL to be the address of the API, got nothing. Set it, like https://api.example.com, in the environment or in /work/dir/.env, which does not exist.',
    ]);
    expect(faultsOf({ AIRANK_BASE_URL: good.AIRANK_BASE_URL })).toEqual([
      'Expected AIRANK_API_KEY or AIRANK_API_KEY_FILE to be set, got neither. Set it in the environment or in /work/dir/.env, which does not exist.',
    ]);
  });

  test('name both places where there are two', () => {
    expect(faultsOf({ ...elsewhere, AIRANK_BASE_URL: good.AIRANK_BASE_URL })).toEqual([
      expect.stringMatching(
        /in the environment or in \.env \(neither \/work\/dir\/\.env nor \/srv\/rank\/\.env exists\)\.$/,
      ),
    ]);
  });
});

describe('beside the data folder', () => {
  test('are .env and the configuration found, where the working folder has none', () => {
    const files = { '/srv/rank/.env': dotenv, '/srv/rank/airank.config.yaml': 'timezone: Europe/Madrid' };
    const config = load(elsewhere, files);
    expect(config.accounts).toHaveLength(1);
    expect(config.timeZone).toBe('Europe/Madrid');
  });

  test('a path in .env is relative to it, and a fault names the whole path', () => {
    const files: Files = {
      '/srv/rank/.env': `AIRANK_BASE_URL=${good.AIRANK_BASE_URL}\nAIRANK_API_KEY_FILE=key\nAIRANK_JOBS_DIR=jobs`,
      '/srv/rank/key': good.AIRANK_API_KEY,
    };
    const config = load(elsewhere, files);
    expect(config.accounts[0]?.apiKey.reveal()).toBe(good.AIRANK_API_KEY);
    expect(config.jobsDir).toBe('/srv/rank/jobs');
    expect(faultsOf(elsewhere, { '/srv/rank/.env': `${dotenv}AIRANK_PER_DAY=0` })).toEqual([
      'Expected AIRANK_PER_DAY in /srv/rank/.env to be an integer >= 1, got "0"',
    ]);
  });
});

test('what was read is told in one sentence', () => {
  const told = (env: NodeJS.ProcessEnv, files: Files) =>
    explainFiles({ env, cwd, readFile: readFrom(files) });
  expect(told({}, { '.env': dotenv })).toBe('read: /work/dir/.env; no airank.config.yaml in /work/dir');
  expect(told(elsewhere, {})).toBe('no .env, no airank.config.yaml in /work/dir or /srv/rank');
  expect(told({ AIRANK_CONFIG: 'other.yaml' }, { '.env': dotenv })).toBe('read: /work/dir/.env');
});
