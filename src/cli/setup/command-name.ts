// How the program was called, for lines to paste.

const scripts = ['demo', 'airank'];

export function commandName(env: NodeJS.ProcessEnv): string {
  return scripts.includes(env['npm_lifecycle_event'] ?? '') ? 'npm run -s airank --' : 'airank';
}
