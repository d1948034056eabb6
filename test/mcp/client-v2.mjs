// node client-v2.mjs COMMAND ARGS…: what the SDK of the second generation makes of the server.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [, , command, ...args] = process.argv;
const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const { tools } = await client.listTools();
const { structuredContent } = await client.callTool({ name: 'list_clients', arguments: {} });
const refused = await client.callTool({ name: 'rank_trend', arguments: { client: 'nobody' } });
if (structuredContent.rows.length < 2) throw new Error(JSON.stringify(structuredContent));
if (refused.isError !== true || refused.structuredContent.error.code !== 'unknown_client') {
  throw new Error(JSON.stringify(refused));
}
process.stdout.write(`${client.getNegotiatedProtocolVersion()} ${tools.length} tools\n`);
await client.close();
