import { once } from 'node:events';
import { createServer, type Server, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { limitConnections } from '../../src/core/http.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection of nobody. */
function come(server: Server): Socket {
  const socket = new Socket();
  sockets.push(socket);
  server.emit('connection', socket);
  return socket;
}

const open = (all: readonly Socket[]) => all.map((socket) => !socket.destroyed);

test('the oldest without a request makes room, and the oldest of all only where each has one', () => {
  const server = createServer();
  const { asked } = limitConnections(server, 2);
  const [asking, silent] = [come(server), come(server)];
  asked(asking);
  const third = come(server);
  expect(open([asking, silent, third])).toEqual([true, false, true]);
  asked(third);
  const fourth = come(server);
  expect(open([asking, third, fourth])).toEqual([false, true, true]);
});

test('one that has its answer makes room after those that were silent before', () => {
  const server = createServer();
  const { asked, answered } = limitConnections(server, 2);
  const [first, silent] = [come(server), come(server)];
  asked(first);
  answered(first);
  const third = come(server);
  const fourth = come(server);
  expect(open([silent, first, third, fourth])).toEqual([false, false, true, true]);
});

test('one that closed by itself takes no room, whatever is said of it later', async () => {
  const server = createServer();
  const { asked } = limitConnections(server, 2);
  const [first, left] = [come(server), come(server)];
  left.destroy();
  await once(left, 'close');
  asked(left);
  const third = come(server);
  expect(open([first, third])).toEqual([true, true]);
});
