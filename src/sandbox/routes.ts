// Every read route of the sandbox (api.md, "Routes"), in the order of the files that answer them.
import type { Route } from './route.ts';
import { routes as account } from './world/account.ts';
import { routes as agent } from './world/agent.ts';
import { routes as airank } from './world/airank.ts';
import { routes as archives } from './world/archives.ts';
import { routes as commerce } from './world/commerce.ts';
import { routes as competition } from './world/competition.ts';
import { routes as crawl } from './world/crawl.ts';
import { routes as demand } from './world/demand.ts';
import { routes as experiments } from './world/experiments.ts';
import { routes as outlook } from './world/outlook.ts';
import { routes as questions } from './world/questions.ts';
import { routes as sources } from './world/sources.ts';

export const routes: readonly Route[] = [
  ...account,
  ...agent,
  ...airank,
  ...archives,
  ...commerce,
  ...competition,
  ...crawl,
  ...demand,
  ...experiments,
  ...outlook,
  ...questions,
  ...sources,
];
