// The settings by which an assistant starts the server: absolute paths of Node and of the program, never npx
// or npm, whose own start takes longer than some assistants wait.

export const assistants = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex', 'gemini'] as const;
type Assistant = (typeof assistants)[number];

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The file to put it in, as each assistant names it. */
export const placeOf: Readonly<Record<Assistant, string>> = {
  'claude-desktop': 'claude_desktop_config.json',
  'claude-code': '.mcp.json of the project, or ~/.claude.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '~/.codex/config.toml',
  gemini: '.gemini/settings.json',
};

export function clientEntry(assistant: Assistant, { command, args, env }: Entry): string {
  const hasEnv = Object.keys(env).length > 0;
  if (assistant === 'codex') {
    // A JSON text is a TOML text too.
    const text = (value: string) => JSON.stringify(value);
    const pairs = Object.entries(env).map(([name, value]) => `${name} = ${text(value)}`);
    return [
      '[mcp_servers.airank]',
      `command = ${text(command)}`,
      `args = [${args.map(text).join(', ')}]`,
      ...(hasEnv ? [`env = { ${pairs.join(', ')} }`] : []),
    ].join('\n');
  }
  const isTyped = assistant === 'vscode' || assistant === 'claude-code';
  const entry = { ...(isTyped && { type: 'stdio' }), command, args, ...(hasEnv && { env }) };
  return JSON.stringify({ [assistant === 'vscode' ? 'servers' : 'mcpServers']: { airank: entry } }, null, 2);
}
