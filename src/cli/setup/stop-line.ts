// What a stopped process says: in the form of its log, so that whoever reads JSON gets nothing else.
import { explainSettings } from '../../config/explain-settings.ts';
import { createLogger } from '../../core/logger.ts';

const words = 'Stopping; what is stored stays. Press again to end at once.';

/** The line with its end; never throws, also where the settings are faulty. */
export function stopLine(place: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }, signal: string) {
  const format = explainSettings(place).find((setting) => setting.name === 'logFormat');
  if (format?.shown !== 'json') return `\n${words}\n`;
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  createLogger({ level: 'info', format: 'json', secrets: [], write }).info({
    event: 'process.stopping',
    signal,
    note: words,
  });
  return line;
}
