// Webhooks and a mail server that take alerts, and the command line with a configuration that names them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { airank, type Said } from './fake-terminal.ts';
import { startLoopbackServer } from './loopback-server.ts';
import { type SmtpServer, startSmtpServer } from './smtp-server.ts';

export interface AlertChannels {
  readonly folder: string;
  /** Bodies that the webhooks were sent, with the path. */
  readonly bodies: Record<string, unknown>[];
  readonly mail: SmtpServer;
  /** Sets what the webhooks answer from now on; 200 at first. */
  answerWith(status: number): void;
  configure(text: string): Promise<void>;
  run(...args: string[]): Promise<Said>;
  close(): Promise<void>;
}

export async function startAlertChannels(databaseUrl: string): Promise<AlertChannels> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-alerts-'));
  const bodies: Record<string, unknown>[] = [];
  let status = 200;
  const hook = await startLoopbackServer(async (request, response) => {
    bodies.push({ path: request.url, ...((await json(request)) as object) });
    response.writeHead(status).end();
  });
  const mail = await startSmtpServer();
  const env = {
    DATABASE_URL: databaseUrl,
    AIRANK_WEBHOOK_URL: hook.url,
    AIRANK_SLACK_WEBHOOK_URL: `${hook.url}/slack/secret-path`,
    AIRANK_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    AIRANK_MAIL_FROM: 'Agency <alerts@example.com>',
  };
  return {
    folder,
    bodies,
    mail,
    answerWith: (next) => {
      status = next;
    },
    configure: (text) => writeFile(join(folder, 'airank.config.yaml'), text),
    run: (...args) => airank(args, { cwd: folder, env }),
    close: async () => {
      await Promise.all([hook.close(), mail.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
