// A log of a site as large as is asked for: 3 % of the requests are of AI bots, 400 user agents visit it.
import { open } from 'node:fs/promises';
import { randomOf } from '../../torture/random.ts';

export const madeFormats = ['combined', 'json', 'w3c', 'csv'] as const;
export type MadeFormat = (typeof madeFormats)[number];

const heads: Readonly<Record<MadeFormat, string>> = {
  combined: '',
  json: '',
  w3c: '#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) cs(Referer) sc-status sc-bytes time-taken\n',
  csv: 'time,ip,method,path,status,bytes,user_agent\n',
};

const bots = [
  'GPTBot/1.2; +https://openai.com/gptbot',
  'ClaudeBot/1.0; +claudebot@anthropic.com',
  'PerplexityBot/1.0',
];

interface Visit {
  readonly ip: string;
  readonly time: string;
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  readonly agent: string;
}

const writers: Readonly<Record<MadeFormat, (visit: Visit) => string>> = {
  combined: ({ ip, time, path, status, bytes, agent }) =>
    `${ip} - - [03/Apr/2026:${time} +0200] "GET ${path} HTTP/2.0" ${status} ${bytes} "https://www.example.com/start" "${agent}"`,
  json: ({ ip, time, path, status, bytes, agent }) =>
    JSON.stringify({
      time_iso8601: `2026-04-03T${time}+02:00`,
      remote_addr: ip,
      request: `GET ${path} HTTP/2.0`,
      status: String(status),
      body_bytes_sent: String(bytes),
      request_time: '0.012',
      http_user_agent: agent,
    }),
  w3c: ({ ip, time, path, status, bytes, agent }) =>
    `2026-04-03 ${time} GET ${path} ${ip} ${agent.replaceAll(' ', '+')} - ${status} ${bytes} 12`,
  csv: ({ ip, time, path, status, bytes, agent }) =>
    `2026-04-03T${time}+02:00,${ip},GET,${path},${status},${bytes},"${agent}"`,
};

export async function writeLog(path: string, format: MadeFormat, bytes: number): Promise<void> {
  const random = randomOf(7);
  const file = await open(path, 'w');
  try {
    let written = (await file.write(heads[format])).bytesWritten;
    let second = 0;
    while (written < bytes) {
      const lines: string[] = [];
      for (let index = 0; index < 5_000; index += 1)
        lines.push(writers[format](visit(random, second++ / 20)));
      written += (await file.write(`${lines.join('\n')}\n`)).bytesWritten;
    }
  } finally {
    await file.close();
  }
}

function visit(random: () => number, second: number): Visit {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const below = (most: number) => Math.floor(random() * most);
  const version = 100 + below(40);
  const person = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.${below(10)}.0 Safari/537.36`;
  return {
    ip: `198.51.${below(256)}.${below(256)}`,
    time: `${two((second / 3_600) % 24)}:${two((second / 60) % 60)}:${two(second % 60)}`,
    path: `/products/${below(5_000)}?utm_source=mail&page=${below(20)}`,
    status: random() < 0.95 ? 200 : 404,
    bytes: below(90_000),
    agent: random() < 0.03 ? `Mozilla/5.0 (compatible; ${bots[below(3)]})` : person,
  };
}
