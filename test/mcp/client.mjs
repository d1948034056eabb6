// node client.mjs PACKAGE COMMAND ARGS…: what the SDK's client in a package makes of the server. It checks each answer by
// the tool's output schema.
const [, , name, command, ...args] = process.argv;
const isFirst = name === '@modelcontextprotocol/sdk';
const { Client } = await import(isFirst ? `${name}/client/index.js` : name);
const { StdioClientTransport } = await import(isFirst ? `${name}/client/stdio.js` : `${name}/stdio`);
const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
const transport = new StdioClientTransport({ command, args, env: process.env });
await client.connect(transport);
const { tools } = await client.listTools();
const { structuredContent } = await client.callTool({ name: 'list_clients', arguments: {} });
const refused = await client.callTool({ name: 'rank_trend', arguments: { client: 'nobody' } });
if (structuredContent.rows.length < 2) throw new Error(JSON.stringify(structuredContent));
if (refused.isError !== true || refused.structuredContent.error.code !== 'unknown_client') {
  throw new Error(JSON.stringify(refused));
}
const version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? '2025-11-25';
process.stdout.write(`${version} ${tools.length} tools\n`);
await client.close();
