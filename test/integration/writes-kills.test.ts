// Logs that grow and rotate, and questions, whose processes are killed at moments drawn from a seed: what came is what the
// books say. Longer: test/writes/main.ts.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/test-database.ts';
import { liveThroughKills } from '../writes/kill-history.ts';
import { liveThroughQuestionKills } from '../writes/question-kills.ts';

const database = useDatabase();

test('a push of questions that dies at any step sends none twice and loses none', async () => {
  const { url: databaseUrl, pool } = database;
  const lived = await liveThroughQuestionKills({ databaseUrl, pool, seed: 5, kills: 2 });
  expect(lived.wrong).toEqual([]);
  expect(lived.received).toBe(lived.accepted + lived.unknownQuestions.length);
});

test('a push that dies at any step sends no line twice and loses none', async () => {
  const { url: databaseUrl, pool } = database;
  const lived = await liveThroughKills({ databaseUrl, pool, seed: 8, kills: 2, form: 'combined' });
  expect(lived.wrong).toEqual([]);
  expect(lived.linesReceived).toBe(lived.linesAccepted + lived.unknownLinesArrived);
});
