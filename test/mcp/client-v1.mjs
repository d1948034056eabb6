// node client-v1.mjs COMMAND ARGS…: what the SDK of the first generation makes of the server. It checks each answer by the
// tool's output schema.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [, , command, ...args] = process.argv;
const client = new Client({ name: 'test', version: '1' });
const transport = new StdioClientTransport({ command, args, env: process.env });
await client.connect(transport);
const { tools } = await client.listTools();
const { structuredContent } = await client.callTool({ name: 'list_clients', arguments: {} });
const refused = await client.callTool({ name: 'rank_trend', arguments: { client: 'nobody' } });
if (structuredContent.rows.length < 2) throw new Error(JSON.stringify(structuredContent));
if (refused.isError !== true || refused.structuredContent.error.code !== 'unknown_client') {
  throw new Error(JSON.stringify(refused));
}
process.stdout.write(`${transport.protocolVersion ?? '2025-11-25'} ${tools.length} tools\n`);
await client.close();
