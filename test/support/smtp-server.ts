// A mail server on the loopback that stores what it gets.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Certificate } from './self-signed.ts';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came, without the dots of the protocol. */
  readonly source: string;
}

export interface SmtpServerOptions {
  /** Asks for them; what it says to others repeats what they gave. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Offers STARTTLS with it. */
  readonly certificate?: Certificate;
  /** Answers these addresses with 550. */
  readonly refuses?: readonly string[];
  /** Reply to a mail. Default `250 taken`. */
  readonly answer?: string;
  /** Says nothing at all. */
  readonly isSilent?: boolean;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Every line of the clients. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (options.isSilent !== true) talk(socket, options, { mails, lines, isEncrypted: false });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mails,
    lines,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

interface Session {
  readonly mails: ReceivedMail[];
  readonly lines: string[];
  readonly isEncrypted: boolean;
}

function talk(socket: Socket, options: SmtpServerOptions, session: Session): void {
  let [from, to, data] = ['', [] as string[], undefined as string[] | undefined];
  let rest = '';
  const say = (text: string) => socket.write(`${text}\r\n`);
  if (!session.isEncrypted) say('220 loopback ready');

  const command = (line: string) => {
    session.lines.push(line);
    const [verb = '', argument = ''] = line.split(/ (.*)/);
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    switch (verb.toUpperCase()) {
      case 'EHLO':
        say('250-loopback');
        if (options.certificate !== undefined && !session.isEncrypted) say('250-STARTTLS');
        return say(options.login === undefined ? '250 8BITMIME' : '250 AUTH PLAIN');
      case 'AUTH': {
        const given = Buffer.from(argument.replace(/^PLAIN /, ''), 'base64')
          .toString()
          .split('\0');
        const isRight = given[1] === options.login?.user && given[2] === options.login?.password;
        return say(isRight ? '235 welcome' : `535 no such login: ${given.join(' ')} ${argument}`);
      }
      case 'STARTTLS':
        if (options.certificate === undefined) return say('502 not here');
        say('220 go on');
        return encrypt(socket, options, session);
      case 'MAIL':
        [from, to] = [address, []];
        return say('250 ok');
      case 'RCPT':
        if (options.refuses?.includes(address)) return say(`550 no such mailbox ${address}`);
        to.push(address);
        return say('250 ok');
      case 'DATA':
        data = [];
        return say('354 go on');
      case 'QUIT':
        say('221 bye');
        return socket.end();
      default:
        return say('250 ok');
    }
  };

  socket.on('data', (bytes: Buffer) => {
    const parts = (rest + bytes.toString('latin1')).split('\r\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      if (data === undefined) command(line);
      else if (line !== '.') data.push(line.replace(/^\./, ''));
      else {
        session.mails.push({ from, to, source: data.join('\r\n') });
        data = undefined;
        say(options.answer ?? '250 taken');
      }
    }
  });
}

function encrypt(socket: Socket, options: SmtpServerOptions, session: Session): void {
  if (options.certificate === undefined) return;
  socket.removeAllListeners('data');
  const secureContext = createSecureContext(options.certificate);
  const secure = new TLSSocket(socket, { isServer: true, secureContext });
  secure.on('error', () => socket.destroy());
  talk(secure, options, { ...session, isEncrypted: true });
}
