// Wrong answers are not believed, and the truth is back by itself: a choice of cases. All of them:
// test/torture/main.ts.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { nameOf, runCase, type Templates } from '../torture/case.ts';
import { type Copies, createCopies } from '../torture/copies.ts';
import { selectedCases } from '../torture/selection.ts';
import { makeTemplates } from '../torture/templates.ts';

let copies: Copies;
let templates: Templates;

beforeAll(async () => {
  copies = await createCopies(inject('adminUrl'), inject('templateDatabase'));
  templates = await makeTemplates(copies);
});

afterAll(async () => {
  await copies?.dropAll();
});

test.concurrent.each(selectedCases().map((one) => [nameOf(one), one] as const))('%s', async (_name, one) => {
  const { wrong, steps } = await runCase(copies, templates, one);
  expect(wrong, steps.join('\n')).toEqual([]);
});
